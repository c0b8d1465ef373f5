"""The manifest of an export: its origin, its settings, its files and what was left out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pagetrail.exports.reading.source import LeftOut, Source, WrittenFiles
from pagetrail.exports.writing.spreadsheet_csv import count_formulas
from pagetrail.storage.files.digests import file_sha256

FILE = "manifest.json"
PRODUCT = "pagetrail"


@dataclass(frozen=True)
class Manifest:
    """The content of ``manifest.json``, field by field.

    Attributes:
        product: name and version of the program.
        schema: revision of the database.
        format: format of the export.
        identified: whether people appear under their names.
        campaign: name, status, seed, the protocol with all settings, hash of the guidelines.
        corpus: number of documents and pages, SHA-256 over ``<file hash>  <name>`` lines.
        index: identity of the collection's current index, and sorted identities of those that the
            exported searches used; they differ if the collection changed during the work.
        choices: rules and settings that shaped the files, such as the resolution of images.
        counts: totals of the campaign and of the export.
        left_out: items left out, with reasons.
        files: path, rows, bytes and SHA-256 of each file, sorted by path; of CSV files also
            ``formulas``, the cells that a spreadsheet would compute.
    """

    product: dict[str, str]
    schema: str
    format: str
    identified: bool
    campaign: dict[str, Any]
    corpus: dict[str, Any]
    index: dict[str, Any]
    choices: dict[str, Any]
    counts: dict[str, int]
    left_out: list[LeftOut]
    files: list[dict[str, Any]]

    def to_json(self) -> dict[str, Any]:
        """The manifest as JSON values."""
        return asdict(self)

    def save(self, folder: Path) -> None:
        """Write ``manifest.json``."""
        save_manifest(self.to_json(), folder)


def save_manifest(manifest: Mapping[str, Any], folder: Path) -> None:
    """Write a manifest's JSON values as ``manifest.json``."""
    text = json.dumps(manifest, indent=2, ensure_ascii=True, allow_nan=False)
    (folder / FILE).write_text(text + "\n", encoding="utf-8", newline="\n")


def product() -> dict[str, str]:
    """Name and version of the program."""
    return {"name": PRODUCT, "version": version(PRODUCT)}


def file_entry(folder: Path, path: str, **counts: int) -> dict[str, Any]:
    """A file in a manifest: its path, counts, bytes and SHA-256."""
    file = folder / path
    return {"path": path, **counts, "bytes": file.stat().st_size, "sha256": file_sha256(file)}


def describe_export(
    source: Source, format_: str, folder: Path, tally: WrittenFiles, index_id: str | None
) -> Manifest:
    """The manifest of the files written to the folder.

    Args:
        index_id: identity of the collection's current index; None without pages.
    """
    campaign = source.campaign
    corpus = source.database.corpus()
    return Manifest(
        product=product(),
        schema=source.database.schema_revision(),
        format=format_,
        identified=source.identify,
        campaign={
            "name": campaign.name,
            "status": campaign.status,
            "seed": campaign.seed,
            "protocol": campaign.protocol.model_dump(mode="json"),
            "guidelines_sha256": campaign.guidelines_sha256,
        },
        corpus=asdict(corpus),
        index={"current": index_id, "searched": sorted(tally.index_ids)},
        choices=tally.choices,
        counts={
            "campaign_tasks": campaign.tasks,
            "campaign_attempts": campaign.attempts,
            "campaign_attempts_opened": campaign.opened,
            **tally.counts,
        },
        left_out=tally.left_out,
        files=[_data_file(folder, path, tally.rows[path]) for path in sorted(tally.rows)],
    )


def _data_file(folder: Path, path: str, rows: int) -> dict[str, Any]:
    """Cells of CSV files stay exact, so the manifest says how many a spreadsheet would compute."""
    if path.endswith(".csv"):
        return file_entry(folder, path, rows=rows, formulas=count_formulas(folder / path))
    return file_entry(folder, path, rows=rows)

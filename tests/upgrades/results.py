"""What a workspace says: all exports and reports of all campaigns, as texts that can be compared.

Parquet is compared by its rows, zips by their members and images not at all; versions of programs
are left out.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq
from typer.testing import CliRunner

from pagetrail.annotation.errors import NotFoundError, PagetrailError
from pagetrail.app.cli.main import app
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.drafts.report import drafts
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.quality.report import quality
from pagetrail.exports.reports.render.json_text import report_json
from pagetrail.exports.reports.rounds.report import rounds
from pagetrail.exports.reports.suspects.report import SuspectsOptions, suspects
from pagetrail.exports.run import FORMATS, export
from pagetrail.exports.writing.dataset_card import CARD
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.corpus.page_images import MIN_DPI
from pagetrail.storage.database.workspace import Workspace

REPLICATES = 20
"""Few, since the same seed gives the same intervals anyway."""
REPORTS: Mapping[str, Callable[[Source], Report]] = {
    "metrics": lambda source: metrics(
        source, MetricsOptions(by_annotator=True, replicates=REPLICATES)
    ),
    "agreement": lambda source: agreement(source, AgreementOptions(replicates=REPLICATES)),
    "suspects": lambda source: suspects(source, SuspectsOptions(replicates=REPLICATES)),
    "quality": quality,
    "rounds": rounds,
    "drafts": drafts,
}
PRODUCT = version("pagetrail")
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "review": ("--status", "all"),
    "pilot": (),
    "batches": ("list",),
}
LEFT_OUT = {".jpg", ".png"}
SCHEMA = "events.schema.json"
"""Another test compares it."""
FILE_HASH = re.compile(r'"sha256": "[0-9a-f]{64}"')
CARD_HASH = re.compile(r"\n  description: SHA-256 [0-9a-f]{64}")
JOINED = {"atif"}
"""Formats with a file per attempt: those of a participant are one text."""

Results = dict[str, str]
"""Path, such as ``<campaign>/scores/scores.csv`` → text."""


def campaigns_of(root: Path) -> list[str]:
    """The campaigns of a workspace."""
    workspace = Workspace.open(root)
    try:
        return [campaign.name for campaign in list_campaigns(workspace)]
    finally:
        workspace.engine.dispose()


def results_of(root: Path, campaign: str) -> Results:
    """All results of a campaign."""
    workspace = Workspace.open(root)
    results: Results = {}
    try:
        with TemporaryDirectory() as scratch:
            write_exports(workspace, campaign, Path(scratch))
            for path, text in texts_in(Path(scratch)):
                is_joined = path.split("/", 1)[0] in JOINED and path.count("/") > 1
                key = f"{campaign}/{path.rsplit('/', 1)[0] if is_joined else path}"
                results[key] = results.get(key, "") + text.replace(PRODUCT, "VERSION")
        for name, value in reports_of(workspace, campaign):
            text = json.dumps(value, indent=1, ensure_ascii=False)
            results[f"{campaign}/{name}/{name}.json"] = text + "\n"
    finally:
        workspace.engine.dispose()
    return results


def kind_of(path: str) -> str:
    """The export format, report or command of a result."""
    return path.split("/", 2)[1]


def write_exports(workspace: Workspace, campaign: str, folder: Path) -> None:
    """Every format that has something to write."""
    for format_ in FORMATS:
        try:
            export(workspace, campaign, format_, folder / format_, refuse_empty=True, dpi=MIN_DPI)
        except NotFoundError:
            continue


def reports_of(workspace: Workspace, campaign: str) -> Iterator[tuple[str, Any]]:
    """(name, JSON) of each report that the campaign has; a refusal is a result as well."""
    for name, build in REPORTS.items():
        try:
            with open_source(workspace, campaign) as source:
                yield name, report_json(build(source))
        except PagetrailError as error:
            yield name, {"error": error.code}
    for name, options in COMMANDS.items():
        words = [name, str(workspace.root), *options, "--campaign", campaign, "--json"]
        result = CliRunner().invoke(app, words)
        if result.exit_code == 0:
            yield name, json.loads(result.stdout)


def texts_in(folder: Path) -> Iterator[tuple[str, str]]:
    """(path, text) of each file that can be compared."""
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or path.suffix in LEFT_OUT or path.name == SCHEMA:
            continue
        name, content = path.relative_to(folder).as_posix(), path.read_bytes()
        if path.name == "manifest.json":
            yield name, manifest_text(content)
        elif path.name == "croissant.json":
            yield name, FILE_HASH.sub('"sha256": ""', content.decode("utf-8"))
        elif path.name == CARD:
            yield name, CARD_HASH.sub("", content.decode("utf-8"))
        elif path.suffix == ".parquet":
            if not path.with_suffix(".jsonl").exists() and not path.with_suffix(".csv").exists():
                yield f"{name}.jsonl", parquet_text(path)
        elif zipfile.is_zipfile(io.BytesIO(content)):
            yield f"{name}.txt", zip_text(content)
        else:
            yield name, content.decode("utf-8")


def manifest_text(content: bytes) -> str:
    """A manifest without versions, the schema's, and sizes and hashes of files."""
    manifest = json.loads(content)
    for name in ("product", "schema"):
        del manifest[name]
    manifest["files"] = [
        [entry["path"], entry.get("rows")]
        for entry in manifest["files"]
        if Path(entry["path"]).suffix not in LEFT_OUT
    ]
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"


def parquet_text(path: Path) -> str:
    """Rows as JSON; images by their presence."""
    rows = pq.read_table(path).to_pylist()
    return "".join(f"{json.dumps(row, ensure_ascii=False, default=plain)}\n" for row in rows)


def plain(value: object) -> str:
    """A value that JSON does not have."""
    return "bytes" if isinstance(value, bytes) else str(value)


def zip_text(content: bytes) -> str:
    """The members of a zip of JSON files, by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = sorted(archive.namelist())
        return "".join(f"{name}\n{archive.read(name).decode('utf-8')}\n" for name in names)

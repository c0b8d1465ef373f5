"""Lists, zips and removes the exports in a folder.

An export is written to a hidden folder next to its final location and then renamed
(``exports.writing.output_folder``). A crash can leave a hidden folder, but never half an export.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from pagetrail.annotation.errors import NotFoundError, OutputError
from pagetrail.exports.reading.source import LeftOut
from pagetrail.exports.writing.manifest import FILE
from pagetrail.exports.writing.output_folder import is_export, remove_export_folder
from pagetrail.storage.maintenance.sole_scratch import is_in_use

_PACKED = (".jpg", ".jpeg", ".png", ".parquet", ".gz")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_CHUNK = 1 << 20


@dataclass(frozen=True)
class FinishedExport:
    """One complete export.

    Attributes:
        name: name of its folder.
        identified: people appear under their names.
        by_gold: it uses adjudicated gold.
        submission: ``first`` or ``final``; empty if it has no attempts.
        bytes: size of all files, including the manifest.
        written_at: in UTC.
        left_out: from the manifest, without ids.
        undecided: it only has answers for people to judge.
        originals: it includes the original files of imported runs.
    """

    name: str
    campaign: str
    format: str
    identified: bool
    by_gold: bool
    submission: str
    files: int
    bytes: int
    written_at: datetime
    left_out: tuple[LeftOut, ...]
    # Descriptions stored before these were options do not have them.
    undecided: bool = False
    originals: bool = False


@dataclass(frozen=True)
class UnfinishedExport:
    """The remains of an interrupted export, which can only be removed."""

    name: str
    changed_at: datetime


def finished_exports(folder: Path) -> list[FinishedExport]:
    """The complete exports, newest first; other folders are ignored."""
    exports = [
        describe_export(path) for path in _folders(folder) if _is_visible(path) and is_export(path)
    ]
    return sorted(exports, key=lambda export: (export.written_at, export.name), reverse=True)


def unfinished_exports(folder: Path) -> list[UnfinishedExport]:
    """Folders of interrupted exports, by name."""
    return [UnfinishedExport(path.name, _modified_at(path)) for path in _interrupted(folder)]


def find_export(folder: Path, name: str) -> Path:
    """The folder of the complete export with this name.

    Raises:
        NotFoundError: no such export.
    """
    for path in _folders(folder):
        if path.name == name and _is_visible(path) and is_export(path):
            return path
    raise NotFoundError(f"There is no export {name!r} any more.")


def remove_export(folder: Path, name: str) -> None:
    """Remove a complete export in one step; other files in its folder stay.

    Raises:
        NotFoundError: no such export.
        ConflictError: it is being replaced.
        OutputError: the folder cannot be removed.
    """
    path = find_export(folder, name)
    try:
        remove_export_folder(path)
    except OSError as error:
        raise OutputError(f"{name} cannot be removed: {error.strerror}.") from error


def remove_unfinished(folder: Path, name: str) -> None:
    """Remove the folder of an interrupted export.

    Raises:
        NotFoundError: no such folder.
    """
    for path in _interrupted(folder):
        if path.name == name:
            shutil.rmtree(path, ignore_errors=True)
            return
    raise NotFoundError(f"There is nothing left of {name!r} any more.")


def zip_to(export: Path, target: Path) -> None:
    """Write a zip archive of an export; the same export gives the same bytes.

    Raises:
        OutputError: the archive cannot be written.
    """
    try:
        with ZipFile(target, "w", allowZip64=True) as archive:
            for file in sorted(path for path in export.rglob("*") if path.is_file()):
                entry = ZipInfo(f"{export.name}/{file.relative_to(export).as_posix()}", _EPOCH)
                entry.compress_type = ZIP_STORED if file.suffix.lower() in _PACKED else ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                entry.file_size = file.stat().st_size
                with file.open("rb") as source, archive.open(entry, "w") as packed:
                    shutil.copyfileobj(source, packed, _CHUNK)
    except OSError as error:
        target.unlink(missing_ok=True)
        raise OutputError(f"{export.name} cannot be packed: {error.strerror}.") from error


def _folders(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            yield path


def _interrupted(folder: Path) -> Iterator[Path]:
    for path in _folders(folder):
        if not _is_visible(path) and not is_in_use(path):
            yield path


def _is_visible(path: Path) -> bool:
    return not path.name.startswith(".")


def describe_export(path: Path) -> FinishedExport:
    """What the manifest of a complete export says of it."""
    manifest: dict[str, Any] = json.loads((path / FILE).read_text(encoding="utf-8"))
    files = manifest["files"]
    choices: dict[str, Any] = manifest.get("choices") or {}
    return FinishedExport(
        name=path.name,
        campaign=str(manifest["campaign"]["name"]),
        format=str(manifest["format"]),
        identified=bool(manifest["identified"]),
        by_gold=_by_gold(choices),
        submission=_submission(choices),
        undecided=choices.get("answers") == "undecided",
        originals=bool(choices.get("originals")),
        files=len(files) + 1,
        bytes=sum(int(file["bytes"]) for file in files) + (path / FILE).stat().st_size,
        written_at=_modified_at(path / FILE),
        left_out=tuple(
            LeftOut(str(entry["what"]), str(entry["reason"]), int(entry["count"]))
            for entry in manifest["left_out"]
        ),
    )


def _by_gold(choices: Mapping[str, Any]) -> bool:
    """Whether adjudicated gold was used, which exports and reports record under different keys."""
    return "gold" in choices or "Gold" in choices


def _submission(choices: Mapping[str, Any]) -> str:
    """The submission that counts, likewise."""
    return str(choices.get("submission", choices.get("Submission", "")))


def _modified_at(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)

"""The exports in a folder: contents, zip file, removal.

An export's folder appears complete or not at all (``exports.writing.output_folder``): it is written
in a hidden folder beside its place. What a crash leaves behind is such a hidden folder, never half
an export.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from pagetrail.annotation.errors import NotFoundError, OutputError
from pagetrail.exports.reading.source import LeftOut
from pagetrail.exports.writing.manifest import FILE
from pagetrail.exports.writing.output_folder import is_export

_PACKED = (".jpg", ".jpeg", ".png", ".parquet", ".gz")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_CHUNK = 1 << 20


@dataclass(frozen=True)
class FinishedExport:
    """One complete export.

    Attributes:
        name: of its folder.
        identified: people appear under their names.
        by_gold: it goes by the gold decided in review.
        submission: ``first`` or ``final``; empty where it has no attempts. Exports from before
            there was a choice were of the final ones.
        bytes: of all files, the manifest included.
        written_at: when, in UTC.
        left_out: as the manifest has it, without ids.
        undecided: it has only answers for people to judge.
        originals: it has the files that runs were imported from.
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
class Unfinished:
    """What an export that was cut off has left; nothing can be done with it but removing it."""

    name: str
    changed_at: datetime


def finished(folder: Path) -> list[FinishedExport]:
    """The complete exports, the latest first; other folders are passed over."""
    found = [_described(path) for path in _folders(folder) if _visible(path) and is_export(path)]
    return sorted(found, key=lambda export: (export.written_at, export.name), reverse=True)


def unfinished(folder: Path) -> list[Unfinished]:
    """Leftovers of exports that were cut off, or are being written just now, by name."""
    return [
        Unfinished(path.name, _changed(path)) for path in _folders(folder) if not _visible(path)
    ]


def find(folder: Path, name: str) -> Path:
    """The folder of the complete export of that name.

    Raises:
        NotFoundError: there is none.
    """
    for path in _folders(folder):
        if path.name == name and _visible(path) and is_export(path):
            return path
    raise NotFoundError(f"There is no export {name!r} any more.")


def remove(folder: Path, name: str) -> None:
    """Remove a complete export; it disappears whole.

    Raises:
        NotFoundError: there is none of that name.
        OutputError: the disk does not let it go.
    """
    path = find(folder, name)
    try:
        grave = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=folder))
        path.rename(grave / "old")
    except OSError as error:
        raise OutputError(f"{name} cannot be removed: {error.strerror}.") from error
    shutil.rmtree(grave, ignore_errors=True)


def remove_unfinished(folder: Path, name: str) -> None:
    """Remove what an export has left that was cut off.

    Raises:
        NotFoundError: there is none of that name.
    """
    for path in _folders(folder):
        if path.name == name and not _visible(path):
            shutil.rmtree(path, ignore_errors=True)
            return
    raise NotFoundError(f"There is nothing left of {name!r} any more.")


def zip_to(export: Path, target: Path) -> None:
    """Write a zip of an export, piece by piece; the same export gives the same bytes.

    Raises:
        OutputError: no room for it.
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


def _visible(path: Path) -> bool:
    return not path.name.startswith(".")


def _described(path: Path) -> FinishedExport:
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
        written_at=_changed(path / FILE),
        left_out=tuple(
            LeftOut(str(entry["what"]), str(entry["reason"]), int(entry["count"]))
            for entry in manifest["left_out"]
        ),
    )


def _by_gold(choices: Mapping[str, Any]) -> bool:
    """Exports and reports name the gold each in its own way; other gold is not named."""
    return "gold" in choices or "Gold" in choices


def _submission(choices: Mapping[str, Any]) -> str:
    """Likewise."""
    return str(choices.get("submission", choices.get("Submission", "")))


def _changed(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)

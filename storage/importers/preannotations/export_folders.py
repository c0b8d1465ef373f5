"""Selects the pre-annotation files in the given paths.

A folder stands for its files. A folder of one of our own exports, recognised by its
``manifest.json``, holds several versions of people's boxes, of which one is read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.files.system_files import is_system_file

ENDINGS = (".json", ".jsonl", ".ndjson")
MANIFEST, BY_ANNOTATOR = "manifest.json", "by-annotator"
_MAX_MANIFEST = 64 * 2**20


@dataclass
class SelectedFiles:
    """The files to read, each once, with notes on the selection.

    Attributes:
        annotator: whose boxes to read from files with boxes of several annotators.
    """

    annotator: str | None = None
    files: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def select_files(paths: Iterable[Path], annotator: str | None = None) -> SelectedFiles:
    """Files as named, and the files of folders, sorted, that have a supported extension.

    Args:
        annotator: whose boxes to read from our own exports; None for the final ones.

    Raises:
        InputFileError: a folder has no such file, or nothing of this annotator.
    """
    selection = SelectedFiles(annotator)
    absolute_paths: set[str] = set()
    for path in paths:
        for file in _files_below(path, annotator, selection) if path.is_dir() else [path]:
            absolute = os.path.normpath(file.absolute())
            if absolute not in absolute_paths:
                absolute_paths.add(absolute)
                selection.files.append(file)
    return selection


def _files_below(folder: Path, annotator: str | None, selection: SelectedFiles) -> list[Path]:
    files: list[Path] = []
    for root, folders, names in os.walk(folder):
        format_ = _export_format(Path(root)) if MANIFEST in names else None
        if format_ is None:
            paths = (Path(root, name) for name in names if name.lower().endswith(ENDINGS))
            files += (path for path in paths if not is_system_file(path.relative_to(folder)))
        else:
            folders.clear()
            files += _files_of_export(Path(root), format_, annotator, selection)
    if not files:
        raise InputFileError(
            gettext(
                "{path} holds no file that ends in {endings}.",
                path=printable(folder),
                endings=", ".join(ENDINGS),
            )
        )
    return sorted(files)


def _export_format(folder: Path) -> str | None:
    """Format of the Pagetrail export in a folder; None if it is not one."""
    path = folder / MANIFEST
    try:
        if path.stat().st_size > _MAX_MANIFEST:
            return None
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    has_product = isinstance(data, dict) and isinstance(data.get("product"), dict)
    if not has_product or data["product"].get("name") != "pagetrail":
        return None
    return data["format"] if isinstance(data.get("format"), str) else None


def _files_of_export(
    folder: Path, format_: str, annotator: str | None, selection: SelectedFiles
) -> list[Path]:
    """Files of an export to read as pre-annotations.

    Raises:
        InputFileError: the export has another format, or nothing of the annotator.
    """
    if format_ == "labelstudio":
        return [folder / "tasks.json"]
    if format_ == "coco":
        merged = folder / "annotations" / "instances_merged.json"
        return [merged if merged.exists() else folder / "annotations.json"]
    if format_ != "parsebench":
        raise InputFileError(
            gettext(
                "{path} is an export of the format {format}, which holds no "
                "elements. Give one of coco, labelstudio or parsebench.",
                path=printable(folder),
                format=format_,
            )
        )
    selection.annotator = None
    by_annotator = folder / BY_ANNOTATOR
    annotators = (
        sorted(path.name for path in by_annotator.iterdir() if path.is_dir())
        if by_annotator.is_dir()
        else []
    )
    if annotator is None:
        if annotators:
            selection.notes.append(
                f"Of {printable(folder)} the work submitted last was read for each task; "
                f"one annotator can be chosen instead: {', '.join(annotators)}."
            )
        return _rule_files(folder)
    if annotator not in annotators:
        raise InputFileError(
            gettext(
                "{folder} has nothing of {annotator} alone; it has work of {annotators}.",
                folder=printable(folder),
                annotator=printable(annotator),
                annotators=", ".join(annotators),
            )
            if annotators
            else gettext(
                "{folder} has nothing of {annotator} alone; it does not distinguish annotators.",
                folder=printable(folder),
                annotator=printable(annotator),
            )
        )
    selection.notes.append(f"Of {printable(folder)} the work of {annotator} was read.")
    return _rule_files(by_annotator / annotator)


def _rule_files(folder: Path) -> list[Path]:
    return [file for file in folder.glob("*.test.json") if not is_system_file(file.name)]

"""Files of pre-annotations: which format a file has, told by its content, and its elements."""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.json_rows import each_line, loads_lenient, read_text
from pagetrail.storage.importers.files.recognition import IMPORT_ELEMENTS, importer_hint
from pagetrail.storage.importers.files.rows import RawRow, RowError, check_text, refuse, unreadable
from pagetrail.storage.importers.preannotations import coco as pre_coco
from pagetrail.storage.importers.preannotations import label_studio as pre_labelstudio
from pagetrail.storage.importers.preannotations import parsebench as pre_parsebench
from pagetrail.storage.importers.preannotations import plain as pre_plain
from pagetrail.storage.importers.preannotations.raw_elements import PreannotationFile, RawElement

FORMATS = (pre_parsebench.NAME, pre_coco.NAME, pre_labelstudio.NAME, pre_plain.NAME)
MAX_FILE_BYTES = 512 * 2**20
LINES = (".jsonl", ".ndjson")

_ROWS: tuple[
    tuple[str, Callable[[Any], bool], Callable[[PreannotationFile, RawRow], None]], ...
] = (
    (pre_parsebench.NAME_OF_ROWS, pre_parsebench.is_row, pre_parsebench.read_row),
    (pre_labelstudio.NAME, pre_labelstudio.is_task, pre_labelstudio.read_row),
    (pre_plain.NAME, pre_plain.looks_plain, pre_plain.read_row),
)


def read_preannotations(
    path: Path, *, document: str | None = None, annotator: str | None = None
) -> PreannotationFile:
    """The elements of a file, whichever of ``FORMATS`` it has; nothing of them is checked yet.

    Args:
        document: the document that all elements belong to, whatever the file says.
        annotator: whose boxes, of files in which boxes have an annotator.

    Raises:
        InputFileError: the file is missing, empty, too large, broken as a whole, or of no format
            that is read; the message names those that are.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            refuse(path, "is not a regular file.")
        if status.st_size == 0:
            refuse(path, "is empty.")
        if status.st_size > MAX_FILE_BYTES:
            limit = MAX_FILE_BYTES // 2**20
            refuse(path, f"is larger than {limit} MiB. Split it, for example by document.")
        check_text(path, "JSON")
        found = _read_file(path, annotator)
    except OSError as error:
        raise unreadable(path, error) from error
    if not found.elements and not found.rows and not found.left_out:
        refuse(path, f"is {found.format} and holds no elements.")
    if document is not None:
        found.elements = [replace(element, document=document) for element in found.elements]
        found.rows = [replace(r, at=replace(r.at, document=document)) for r in found.rows]
    return found


def _read_file(path: Path, annotator: str | None) -> PreannotationFile:
    if path.suffix.lower() in LINES:
        return _read_json_lines(path)
    with path.open("rb") as file:
        # Of a file that is not one JSON value, the first line tells whether it has one per line.
        one_per_line = (
            isinstance(_first_value(file.readline(2**20)), dict) and file.readline(2**20).strip()
        )
    if one_per_line:
        return _read_json_lines(path)
    text = read_text(path)
    try:
        data = loads_lenient(text)
    except ValueError as error:
        if str(error).startswith("Extra data"):
            return _read_json_lines(path)
        refuse(path, f"is not JSON: {error}.")
    try:
        return _read_json(path, text, data, annotator)
    except ValueError as error:
        refuse(path, f"cannot be read: {error}.")


def _read_json(path: Path, text: str, data: Any, annotator: str | None) -> PreannotationFile:
    shown = printable(path)
    if pre_parsebench.is_test_file(data):
        return pre_parsebench.read_test_file(shown, text, data)
    if pre_coco.is_coco(data):
        return pre_coco.read_coco(shown, text, data, annotator)
    if pre_labelstudio.is_export(data) or pre_labelstudio.is_task(data):
        return pre_labelstudio.read_export(shown, text, data, annotator)
    if isinstance(data, list) and any(pre_plain.looks_plain(item) for item in data):
        if all("image_id" in item for item in data if isinstance(item, dict)):
            refuse(
                path,
                "is a list of COCO results, which does not say what its images show. Give COCO "
                "JSON with images, annotations and categories.",
            )
        return pre_plain.read_list(shown, text, data)
    if pre_plain.looks_plain(data):
        return pre_plain.read_list(shown, text, data)
    _refuse_unknown(path)


def _read_json_lines(path: Path) -> PreannotationFile:
    rows = list(each_line(path, loads_lenient))
    good = [row for row in rows if isinstance(row, RawRow)]
    for name, recognises, read in _ROWS:
        if not any(recognises(row.data) for row in good):
            continue
        found = PreannotationFile(printable(path), name)
        for row in rows:
            if isinstance(row, RawRow):
                read(found, row)
            else:
                found.elements.append(RawElement(row.line, problem=row.reason))
        return found
    first = next(iter(rows), None)
    if isinstance(first, RowError) and not good:
        refuse(path, f"holds no JSON object: line {first.line:,} {first.reason}.")
    _refuse_unknown(path)


def _first_value(line: bytes) -> Any:
    try:
        return loads_lenient(line.decode("utf-8-sig"))
    except ValueError:
        return None


def _refuse_unknown(path: Path) -> NoReturn:
    hint = importer_hint(path, IMPORT_ELEMENTS)
    refuse(path, f"is none of the formats that are read: {', '.join(FORMATS)}.{hint}")

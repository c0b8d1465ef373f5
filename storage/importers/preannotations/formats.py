"""Reads files of pre-annotations; the format is recognised by the content."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.json_rows import iter_json_lines, loads_lenient, read_text
from pagetrail.storage.importers.files.recognition import IMPORT_ELEMENTS, importer_hint
from pagetrail.storage.importers.files.rows import (
    RawRow,
    RowError,
    read_error,
    refuse,
    require_text,
)
from pagetrail.storage.importers.preannotations import coco, label_studio, parsebench, plain
from pagetrail.storage.importers.preannotations.raw_elements import (
    PreannotationFile,
    PreannotationFormat,
)

FORMATS: tuple[PreannotationFormat, ...] = (
    parsebench.FORMAT,
    coco.FORMAT,
    label_studio.FORMAT,
    plain.FORMAT,
)
"""All formats, in the order in which they are tried."""
FORMAT_NAMES = tuple(format_.name for format_ in FORMATS)
MAX_FILE_BYTES = 512 * 2**20
LINES = (".jsonl", ".ndjson")


def read_preannotations(
    path: Path, *, document: str | None = None, annotator: str | None = None
) -> PreannotationFile:
    """Read a file in any of ``FORMATS``, without checking its elements.

    Args:
        document: document of all elements, overriding the file.
        annotator: whose boxes to read from files with boxes of several annotators.

    Raises:
        InputFileError: the file is missing, empty, too large, damaged as a whole, or of an unknown
            format; the message names the supported ones.
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
        require_text(path, "JSON")
        file = _read_file(path, annotator)
    except OSError as error:
        raise read_error(path, error) from error
    if not (file.elements or file.empty_images or file.rows or file.left_out):
        refuse(path, f"is {file.format} and holds no elements.")
    if document is not None:
        for elements in (file.elements, file.empty_images):
            elements[:] = [replace(element, document=document) for element in elements]
        file.rows = [
            replace(row, origin=replace(row.origin, document=document)) for row in file.rows
        ]
    return file


def _read_file(path: Path, annotator: str | None) -> PreannotationFile:
    if path.suffix.lower() in LINES:
        return _read_json_lines(path)
    with path.open("rb") as opened:
        # A first line that is an object, followed by more, means JSON Lines.
        one_per_line = (
            isinstance(_first_value(opened.readline(2**20)), dict)
            and opened.readline(2**20).strip()
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
    for format_ in FORMATS:
        if format_.matches(data):
            file = PreannotationFile(printable(path), format_.name)
            format_.read(file, text, data, annotator)
            return file
    _refuse_unknown(path)


def _read_json_lines(path: Path) -> PreannotationFile:
    rows = list(iter_json_lines(path, loads_lenient))
    objects = [row.data for row in rows if isinstance(row, RawRow)]
    for format_ in FORMATS:
        if format_.matches_row is None or not any(map(format_.matches_row, objects)):
            continue
        file = PreannotationFile(printable(path), format_.rows_name or format_.name)
        for row in rows:
            if isinstance(row, RawRow):
                format_.read_row(file, row)
            else:
                file.add_problem(row.reason, row.line)
        return file
    first = next(iter(rows), None)
    if isinstance(first, RowError) and not objects:
        refuse(path, f"holds no JSON object: line {first.line:,} {first.reason}.")
    _refuse_unknown(path)


def _first_value(line: bytes) -> Any:
    try:
        return loads_lenient(line.decode("utf-8-sig"))
    except ValueError:
        return None


def _refuse_unknown(path: Path) -> NoReturn:
    hint = importer_hint(path, IMPORT_ELEMENTS)
    refuse(path, f"has an unknown format. Supported: {', '.join(FORMAT_NAMES)}.{hint}")

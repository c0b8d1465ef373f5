"""Reads the rows of CSV and Parquet files."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.tasks.task import OLDER_NAMES
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.files.rows import (
    MAX_ROW_BYTES,
    UTF16_MARKS,
    RawRow,
    RowError,
    TaskFile,
    refuse,
)

STRUCTURED = frozenset(
    {"answer_variants", "evidence", "candidates", "predictions", "elements", "unanswerable"}
    | {"gold", "data_points", "patches"}
    | OLDER_NAMES.keys() - {"category"}
)
"""Columns whose text cells hold JSON."""

MAX_PARQUET_ROWS = 1_000_000
MAX_PARQUET_BYTES = 2**30
_ROWS_AT_ONCE = 100
_MAX_NAMES = 10
_SEPARATOR_LINE = re.compile(r'"?sep=([,;|\t])"?[,;|\t]*(?:\r?\n|\r|$)')
_SPLIT = "Split it into several files, or leave out columns that are not needed."

_TEXT = frozenset(
    {"id", "question", "document_category", "category", "domain", "query_format", "language"}
    | {"transcript"}
)


def read_csv(path: Path, column: str = "question") -> TaskFile:
    """Read CSV with this column, in UTF-8, or in UTF-16 with its mark, as Excel's Unicode text.

    The delimiter is that of a first line ``sep=;``, which is for Excel, else the most frequent of
    comma, semicolon and tab in the header. Columns without a heading are not read.
    """
    text, delimiter = without_separator_line(_decode_text(path))
    # The default limit of 128 KiB per cell is a process-wide setting.
    csv.field_size_limit(MAX_ROW_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    file = TaskFile()
    header: list[str] = []
    unnamed = UnnamedColumns()
    end = 0
    while True:
        start = end + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            if not header:
                refuse(path, f"is not CSV: {error} in line {start:,}.")
            file.errors.append(RowError(start, f"is not CSV: {error}"))
            end = reader.line_num
            continue
        end = reader.line_num
        if not any(cell.strip() for cell in cells):
            continue
        if not header:
            header = [cell.strip() for cell in cells]
            check_header(path, header, column)
            continue
        # Excel also writes the empty columns of the used area, in some rows only.
        while len(cells) > len(header) and not cells[-1].strip():
            cells.pop()
        if not any(header[len(cells) :]):
            cells += [""] * (len(header) - len(cells))
        if len(cells) != len(header):
            file.errors.append(
                RowError(start, f"has {len(cells)} cells; the header has {len(header)}")
            )
        else:
            add_row(file, start, unnamed.named_cells(header, cells))
    file.notes += unnamed.notes()
    return file


def without_separator_line(text: str) -> tuple[str, str]:
    """The text with its line ``sep=;`` empty, and the delimiter of its cells."""
    line = _SEPARATOR_LINE.match(text)
    if line is not None:
        return "\n" + text[line.end() :], line[1]
    header_line = text.lstrip("\r\n").partition("\n")[0]
    return text, max(",;\t", key=header_line.count)


def _decode_text(path: Path) -> str:
    data = path.read_bytes()
    encoding = "utf-16" if data.startswith(UTF16_MARKS) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-16":
            refuse(path, f"is not UTF-16 at byte {error.start + 1:,}. Save it as CSV UTF-8.")
        line = data[: error.start].count(b"\n") + 1
        refuse(path, f"is not UTF-8 in line {line:,}. Save it as CSV UTF-8.")


class UnnamedColumns:
    """Columns without a heading, which are not read, and a note on those that are not empty."""

    def __init__(self) -> None:
        self._with_content: set[int] = set()

    def named_cells(self, header: Sequence[str], cells: Sequence[Any]) -> dict[str, Any]:
        """The cells of a row by the names of their columns."""
        for number, (name, cell) in enumerate(zip(header, cells, strict=True), start=1):
            if not name and str(cell).strip():
                self._with_content.add(number)
        return {name: cell for name, cell in zip(header, cells, strict=True) if name}

    def notes(self) -> list[str]:
        """Names the columns without a heading that have content."""
        numbers = [str(number) for number in sorted(self._with_content)]
        if not numbers:
            return []
        shown = ", ".join(numbers[:_MAX_NAMES])
        return [f"Columns without a heading are not read: number {shown}."]


def check_header(path: Path, header: list[str], column: str) -> None:
    """Refuse a table without the column, or with duplicate names of columns."""
    if column not in header:
        columns = ", ".join(printable(name)[:40] for name in header[:20])
        refuse(path, f"has no column {column}. Columns: {columns}.")
    duplicates = sorted({name for name in header if name and header.count(name) > 1})
    if duplicates:
        refuse(path, f"has the column {printable(duplicates[0])!r} more than once.")


def column_names(path: Path) -> list[str]:
    """Column names of a Parquet file.

    Raises:
        InputFileError: the file is not Parquet.
    """
    return read_in_worker(_read_column_names, path, advice=_SPLIT)


def _read_column_names(path: Path) -> list[str]:
    with parquet_file(path) as file:
        names: list[str] = file.schema_arrow.names
    return names


@contextmanager
def parquet_file(path: Path) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file. Call in a worker process only: a few bytes may expand to gigabytes.

    Raises:
        InputFileError: the file is not Parquet.
        MemoryError: reading needs more memory than this process may use.
    """
    try:
        with pq.ParquetFile(path) as file:
            yield file
    except pa.ArrowMemoryError as error:
        raise MemoryError from error
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise InputFileError(
            gettext(
                "{path} is not readable Parquet: {error}.",
                path=printable(path),
                error=error,
            )
        ) from error


def read_parquet(path: Path, column: str = "question") -> TaskFile:
    """Read Parquet; nested columns are kept, text in structured columns is decoded as JSON."""
    return read_in_worker(_read_parquet_rows, path, column, advice=_SPLIT)


def _read_parquet_rows(path: Path, column: str) -> TaskFile:
    rows = TaskFile()
    with parquet_file(path) as file:
        check_header(path, file.schema_arrow.names, column)
        _check_footer(path, file.metadata)
        number = size = 0
        for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
            # The footer does not say how often dictionary values repeat.
            size += batch.nbytes
            if size > MAX_PARQUET_BYTES:
                refuse(path, f"unpacks to more than {MAX_PARQUET_BYTES >> 20:,} MiB. {_SPLIT}")
            for row in _python_rows(batch):
                number += 1
                if row is None:
                    reason = "has a date or time that is out of range"
                    rows.errors.append(RowError(number, reason))
                else:
                    add_row(rows, number, row)
    return rows


def _python_rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any] | None]:
    """The rows; None for one with a date that Python cannot represent."""
    try:
        yield from batch.to_pylist()
    except (ValueError, OverflowError):
        if batch.num_rows == 1:
            yield None
        else:
            for index in range(batch.num_rows):
                yield from _python_rows(batch.slice(index, 1))


def _check_footer(path: Path, footer: pq.FileMetaData) -> None:
    """Refuse a file that is too large by its own metadata, before unpacking any of it."""
    if footer.num_rows > MAX_PARQUET_ROWS:
        refuse(
            path,
            f"has {footer.num_rows:,} rows; at most {MAX_PARQUET_ROWS:,} are read. {_SPLIT}",
        )
    size = sum(footer.row_group(n).total_byte_size for n in range(footer.num_row_groups))
    if size > MAX_PARQUET_BYTES:
        refuse(path, f"unpacks to more than {MAX_PARQUET_BYTES >> 20:,} MiB. {_SPLIT}")


def add_row(file: TaskFile, line: int, cells: dict[str, Any]) -> None:
    """Add a table row; a row with a cell that cannot be read becomes an error."""
    data = {}
    for name, cell in cells.items():
        try:
            value = _parse_cell(name, cell)
        except ValueError as error:
            file.errors.append(RowError(line, f"{name}: {error}"))
            return
        if value is not None:
            data[name] = value
    file.rows.append(RawRow(line, data))


def _parse_cell(name: str, cell: Any) -> Any:
    """Value of a cell; None if empty.

    Raises:
        ValueError: not JSON in a structured column, or a type that JSON does not have.
    """
    if not isinstance(cell, str):
        return _json_value(cell)
    if name in _TEXT:
        return cell if cell != "" else None
    if not cell.strip():
        return None
    if name == "unanswerable":
        return cell.strip().lower()
    if name in STRUCTURED:
        try:
            return loads(cell)
        except ValueError as error:
            raise ValueError(f"the cell is not JSON: {error}") from error
    if cell.lstrip()[:1] in ("[", "{"):
        try:
            return loads(cell)
        except ValueError:
            return cell
    return cell


def _json_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _json_value(v) for k, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"{type(value).__name__} values cannot be kept; leave the column out")

"""The rows of CSV and Parquet files."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.tasks.task import OLDER_NAMES
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.files.rows import MAX_ROW_BYTES, RawRow, RowError, TaskFile, refuse

STRUCTURED = frozenset(
    {"answer_variants", "evidence", "candidates", "predictions", "elements", "unanswerable"}
    | {"gold", "data_points", "patches"}
    | OLDER_NAMES.keys() - {"category"}
)
"""Columns whose text cells are JSON."""

MAX_PARQUET_ROWS = 1_000_000
MAX_PARQUET_BYTES = 2**30
_ROWS_AT_ONCE = 100
_SPLIT = "Split it into several files, or leave columns out that are not needed."

_TEXT = frozenset(
    {"id", "question", "document_category", "category", "domain", "query_format", "language"}
)


def read_csv(path: Path, column: str = "question") -> TaskFile:
    """CSV with a header that has this column; comma, semicolon or tab, whichever it has most of."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        refuse(path, f"is not UTF-8 in line {line:,}. Save it as CSV UTF-8.")
    # The module's own limit of 128 KiB a cell is a process-wide setting.
    csv.field_size_limit(MAX_ROW_BYTES)
    header_line = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(",;\t", key=header_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    found = TaskFile()
    header: list[str] | None = None
    end = 0
    while True:
        start = end + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            if header is None:
                refuse(path, f"is not CSV: {error} in line {start:,}.")
            found.errors.append(RowError(start, f"is not CSV: {error}"))
            end = reader.line_num
            continue
        end = reader.line_num
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = [cell.strip() for cell in cells]
            check_header(path, header, column)
        elif len(cells) != len(header):
            found.errors.append(
                RowError(start, f"has {len(cells)} cells; the header has {len(header)}")
            )
        else:
            add_row(found, start, dict(zip(header, cells, strict=True)))
    return found


def check_header(path: Path, header: list[str], column: str) -> None:
    """Refuse a table without the column, or with two of one name."""
    if column not in header:
        columns = ", ".join(printable(name)[:40] for name in header[:20])
        refuse(path, f"has no column {column}. Columns: {columns}.")
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        refuse(path, f"has the column {printable(twice[0])!r} more than once.")


def column_names(path: Path) -> list[str]:
    """The columns of a Parquet file.

    Raises:
        InputFileError: it is none.
    """
    return read_in_worker(_schema_names, path, way_out=_SPLIT)


def _schema_names(path: Path) -> list[str]:
    with parquet_file(path) as file:
        names: list[str] = file.schema_arrow.names
    return names


@contextmanager
def parquet_file(path: Path) -> Iterator[pq.ParquetFile]:
    """The opened file, in a worker process: a few bytes of it may stand for gigabytes.

    Raises:
        InputFileError: it is no Parquet.
        MemoryError: it needs more than this process may take.
    """
    try:
        with pq.ParquetFile(path) as file:
            yield file
    except pa.ArrowMemoryError as error:
        raise MemoryError from error
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise InputFileError(f"{printable(path)} is not readable Parquet: {error}.") from error


def read_parquet(path: Path, column: str = "question") -> TaskFile:
    """Parquet; nested columns as they are, text in structured columns as JSON."""
    return read_in_worker(_read_parquet, path, column, way_out=_SPLIT)


def _read_parquet(path: Path, column: str) -> TaskFile:
    found = TaskFile()
    with parquet_file(path) as file:
        if column not in file.schema_arrow.names:
            columns = ", ".join(map(printable, file.schema_arrow.names[:20]))
            refuse(path, f"has no column {column}. Columns: {columns}.")
        _check_footer(path, file.metadata)
        number = size = 0
        for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
            # The footer does not say how often the values of a dictionary are repeated.
            size += batch.nbytes
            if size > MAX_PARQUET_BYTES:
                refuse(path, f"unpacks to more than {MAX_PARQUET_BYTES >> 20:,} MiB. {_SPLIT}")
            for row in batch.to_pylist():
                number += 1
                add_row(found, number, row)
    return found


def _check_footer(path: Path, footer: pq.FileMetaData) -> None:
    """Refuse what is too large by what the file says of itself, before any of it is unpacked."""
    if footer.num_rows > MAX_PARQUET_ROWS:
        refuse(
            path,
            f"has {footer.num_rows:,} rows; at most {MAX_PARQUET_ROWS:,} are read. {_SPLIT}",
        )
    size = sum(footer.row_group(n).total_byte_size for n in range(footer.num_row_groups))
    if size > MAX_PARQUET_BYTES:
        refuse(path, f"unpacks to more than {MAX_PARQUET_BYTES >> 20:,} MiB. {_SPLIT}")


def add_row(found: TaskFile, line: int, cells: dict[str, Any]) -> None:
    """Add a row of a table by its cells; one that cannot be read becomes an error."""
    data = {}
    for name, cell in cells.items():
        try:
            value = _cell_value(name, cell)
        except ValueError as error:
            found.errors.append(RowError(line, f"{name}: {error}"))
            return
        if value is not None:
            data[name] = value
    found.rows.append(RawRow(line, data))


def _cell_value(name: str, cell: Any) -> Any:
    """A cell's value; None for an empty one.

    Raises:
        ValueError: not JSON where JSON is due, or nothing JSON can hold.
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

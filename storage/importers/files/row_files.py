"""Rows out of a task file: JSONL, JSON, CSV, Parquet or Excel, by the end of its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.json_rows import (
    each_item,
    each_line,
    first_bytes,
    read_whole,
)
from pagetrail.storage.importers.files.rows import (
    RawRow,
    RowError,
    TaskFile,
    check_text,
    refuse,
    unreadable,
)
from pagetrail.storage.importers.files.spreadsheets import read_xlsx
from pagetrail.storage.importers.files.table_rows import read_csv, read_parquet

_SMALL_BYTES = 2**20
"""JSON and CSV are read in time and memory proportional to their size, some 50 bytes for each byte
of ``[[],[],…``: in a process of their own only where that may be much."""

__all__ = ["RawRow", "RowError", "TaskFile", "read_task_file"]


def read_task_file(path: Path, column: str = "question") -> TaskFile:
    """Read all rows; a row that cannot be read is an error among the others.

    Args:
        column: that a table must have.

    Raises:
        InputFileError: the file is missing, empty, of another type, or broken as a whole.
    """
    readers: dict[str, Callable[[Path, str], TaskFile]] = {
        ".jsonl": _read_json,
        ".ndjson": _read_json,
        ".json": _read_json,
        ".csv": read_csv,
        ".tsv": read_csv,
        ".parquet": read_parquet,
        ".xlsx": read_xlsx,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        refuse(path, f"is no file of rows. Endings that are read: {', '.join(readers)}.")
    try:
        size = path.stat().st_size
        if path.is_dir():
            refuse(path, "is a folder. Name a file.")
        if size == 0:
            refuse(path, "is empty.")
        if reader in (read_parquet, read_xlsx):
            found = reader(path, column)
        else:
            check_text(path, path.suffix[1:].upper())
            if size <= _SMALL_BYTES:
                found = reader(path, column)
            else:
                found = read_in_worker(reader, path, column, way_out="Split it into several files.")
    except OSError as error:
        raise unreadable(path, error) from error
    if not found.rows and not found.errors:
        refuse(path, "holds no rows.")
    return found


def _read_json(path: Path, _: str) -> TaskFile:
    is_list = first_bytes(path).startswith(b"[")
    return TaskFile.of(each_item(read_whole(path)) if is_list else each_line(path))

"""Reads the rows of a task file: JSONL, JSON, CSV, Parquet or Excel, by file extension."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.json_rows import iter_objects
from pagetrail.storage.importers.files.rows import (
    RawRow,
    RowError,
    TaskFile,
    read_error,
    refuse,
    require_text,
)
from pagetrail.storage.importers.files.spreadsheets import read_xlsx
from pagetrail.storage.importers.files.table_rows import read_csv, read_parquet

_SMALL_BYTES = 2**20
"""JSON and CSV take time and memory in proportion to their size (up to 50 bytes per byte, for
``[[],[],…``). Files up to this size are read without a worker process."""

__all__ = ["ROW_SUFFIXES", "RawRow", "RowError", "TaskFile", "read_task_file"]


def read_task_file(path: Path, column: str = "question") -> TaskFile:
    """Read all rows; rows that cannot be read are listed as errors.

    Args:
        column: column that a table must have.

    Raises:
        InputFileError: the file is missing, empty, of another type, or damaged as a whole.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        refuse(path, f"has no supported extension. Supported: {', '.join(_READERS)}.")
    try:
        size = path.stat().st_size
        if path.is_dir():
            refuse(path, "is a folder. Name a file.")
        if size == 0:
            refuse(path, "is empty.")
        if reader in (read_parquet, read_xlsx):
            file = reader(path, column)
        else:
            require_text(path, path.suffix[1:].upper(), utf16=reader is read_csv)
            if size <= _SMALL_BYTES:
                file = reader(path, column)
            else:
                file = read_in_worker(reader, path, column, advice="Split it into several files.")
    except OSError as error:
        raise read_error(path, error) from error
    if not file.rows and not file.errors:
        refuse(path, "holds no rows.")
    return file


def _read_json(path: Path, _: str) -> TaskFile:
    return TaskFile.from_rows(iter_objects(path))


_READERS: Mapping[str, Callable[[Path, str], TaskFile]] = {
    ".jsonl": _read_json,
    ".ndjson": _read_json,
    ".json": _read_json,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".txt": read_csv,
    ".parquet": read_parquet,
    ".xlsx": read_xlsx,
}
ROW_SUFFIXES = tuple(suffix[1:] for suffix in _READERS)
"""Endings of the names of files that ``read_task_file`` reads, without the dot."""

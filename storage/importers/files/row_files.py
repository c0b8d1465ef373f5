"""Rows out of a task file: JSONL, JSON, CSV or Parquet, by the end of its name."""

from __future__ import annotations

from pathlib import Path

from pagetrail.storage.importers.files.json_rows import read_array, read_lines
from pagetrail.storage.importers.files.rows import RawRow, RowError, TaskFile, refuse, unreadable
from pagetrail.storage.importers.files.table_rows import read_csv, read_parquet

__all__ = ["RawRow", "RowError", "TaskFile", "read_task_file"]

_FOREIGN = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x1f\x8b": "compressed with gzip; unpack it first",
    b"\x89PNG": "an image",
    b"PAR1": "Parquet; give it the ending .parquet",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
}


def read_task_file(path: Path) -> TaskFile:
    """Read all rows; a row that cannot be read is an error among the others.

    Raises:
        InputFileError: the file is missing, empty, of another type, or broken as a whole.
    """
    readers = {
        ".jsonl": _read_json,
        ".ndjson": _read_json,
        ".json": _read_json,
        ".csv": read_csv,
        ".tsv": read_csv,
        ".parquet": read_parquet,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        refuse(path, f"is not a task file. Endings that are read: {', '.join(readers)}.")
    try:
        size = path.stat().st_size
        if path.is_dir():
            refuse(path, "is a folder. Name a file.")
        if size == 0:
            refuse(path, "is empty.")
        if reader is not read_parquet:
            check_text(path, path.suffix[1:].upper())
        found = reader(path)
    except OSError as error:
        raise unreadable(path, error) from error
    if not found.rows and not found.errors:
        refuse(path, "holds no rows.")
    return found


def check_text(path: Path, wanted: str) -> None:
    """Refuse what is no text at all; ``wanted`` names the format that was hoped for.

    Raises:
        InputFileError: it begins as another kind of file does.
    """
    with path.open("rb") as file:
        head = file.read(1024)
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            refuse(path, f"is {what}, not {wanted}.")
    # A stray NUL is a broken row among others; a program or an image has control bytes all over.
    if sum(byte < 32 and byte not in b"\t\n\r" for byte in head) > len(head) // 10:
        refuse(path, "is not a text file: it starts with binary data.")


def _read_json(path: Path) -> TaskFile:
    with path.open("rb") as file:
        head = file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()
    return read_array(path) if head.startswith(b"[") else read_lines(path)

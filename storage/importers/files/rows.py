"""What the readers of files have in common: rows, row errors, and files that are refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.database.storable_text import printable

MAX_ROW_BYTES = 16 * 2**20

_FOREIGN = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x1f\x8b": "compressed with gzip; unpack it first",
    b"\x89PNG": "an image",
    b"PAR1": "Parquet; give it the ending .parquet",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
}


@dataclass(frozen=True)
class RawRow:
    """One row as the file has it.

    Attributes:
        line: 1-based line of a text file where the row starts; the row's number in Parquet and
            the element's in a JSON array.
        data: its fields; an empty cell of CSV and a null of Parquet is left out.
    """

    line: int
    data: dict[str, Any]


@dataclass(frozen=True)
class RowError:
    """A row that cannot be read."""

    line: int
    reason: str


Row = RawRow | RowError

Parsed = tuple[RawRow, TaskRecord]
"""A row with the task that was read from it."""


@dataclass
class TaskFile:
    """Rows and row errors of one file, each in the order of the file.

    Attributes:
        notes: sentences about what the file holds beside its rows.
    """

    rows: list[RawRow] = field(default_factory=list)
    errors: list[RowError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> TaskFile:
        """The file with these rows."""
        found = cls()
        for row in rows:
            if isinstance(row, RawRow):
                found.rows.append(row)
            else:
                found.errors.append(row)
        return found


def refuse(path: Path, what: str) -> NoReturn:
    """Raise InputFileError: the file, named in a printable way, and what is wrong with it."""
    raise InputFileError(f"{printable(path)} {what}")


def unreadable(path: Path, error: OSError) -> InputFileError:
    """What to raise where a file cannot be opened or read."""
    return InputFileError(f"{printable(path)} cannot be read: {error.strerror or error}.")


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

"""Shared by all file readers: rows, row errors, and refusing a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.database.storable_text import printable

MAX_ROW_BYTES = 16 * 2**20
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""Bytes with which UTF-16 text begins."""

_FOREIGN = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x1f\x8b": "compressed with gzip; unpack it first",
    b"\x89PNG": "an image",
    b"PAR1": "Parquet; give it the ending .parquet",
    **dict.fromkeys(UTF16_MARKS, "UTF-16 text; save it as UTF-8"),
}


@dataclass(frozen=True)
class RawRow:
    """A row of a file, unchecked.

    Attributes:
        line: 1-based line on which the row starts; in Parquet and JSON lists its number.
        data: fields by name, without empty CSV cells and Parquet nulls.
    """

    line: int
    data: dict[str, Any]


@dataclass(frozen=True)
class RowError:
    """A row that cannot be read."""

    line: int
    reason: str


Row = RawRow | RowError

ParsedTask = tuple[RawRow, TaskRecord]
"""A row and the task read from it."""


@dataclass
class TaskFile:
    """Rows and row errors of a file, each in file order.

    Attributes:
        notes: sentences about content that was not read, or converted.
    """

    rows: list[RawRow] = field(default_factory=list)
    errors: list[RowError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @classmethod
    def from_rows(cls, rows: Iterable[Row]) -> TaskFile:
        """Separate rows from row errors."""
        file = cls()
        for row in rows:
            if isinstance(row, RawRow):
                file.rows.append(row)
            else:
                file.errors.append(row)
        return file


def refuse(path: Path, problem: str) -> NoReturn:
    """Raise InputFileError with the printable file name and the problem."""
    raise InputFileError(f"{printable(path)} {problem}", problem=problem)


def read_error(path: Path, error: OSError) -> InputFileError:
    """The error for a file that cannot be opened or read."""
    reason = error.strerror or error
    return InputFileError(
        gettext("{path} cannot be read: {error}.", path=printable(path), error=reason),
        problem=gettext("cannot be read: {error}.", error=reason),
    )


def require_text(path: Path, expected_format: str, *, utf16: bool = False) -> None:
    """Refuse a binary file.

    Args:
        utf16: whether UTF-16 text with its mark is accepted.
        expected_format: named in the error, such as "JSON".

    Raises:
        InputFileError: the file starts like a known binary format, or with binary data.
    """
    with path.open("rb") as file:
        head = file.read(1024)
    if utf16 and head.startswith(UTF16_MARKS):
        return
    for magic, description in _FOREIGN.items():
        if head.startswith(magic):
            refuse(path, f"is {description}, not {expected_format}.")
    # A stray NUL only breaks its row; programs and images are full of control bytes.
    if sum(byte < 32 and byte not in b"\t\n\r" for byte in head) > len(head) // 10:
        refuse(path, "is not a text file: it starts with binary data.")

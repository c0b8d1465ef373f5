"""What the readers of task files have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from pagetrail.annotation.errors import InputFileError
from pagetrail.storage.database.storable_text import printable

MAX_ROW_BYTES = 16 * 2**20


@dataclass(frozen=True)
class RawRow:
    """One row as it stands in the file.

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


@dataclass
class TaskFile:
    """Rows and row errors of one file, each in the order of the file."""

    rows: list[RawRow] = field(default_factory=list)
    errors: list[RowError] = field(default_factory=list)


def refuse(path: Path, what: str) -> NoReturn:
    """Raise InputFileError: the file, named in a printable way, and what is wrong with it."""
    raise InputFileError(f"{printable(path)} {what}")


def unreadable(path: Path, error: OSError) -> InputFileError:
    """What to raise where a file cannot be opened or read."""
    return InputFileError(f"{printable(path)} cannot be read: {error.strerror or error}.")

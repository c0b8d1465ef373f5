"""What operations report: the command prints it, and a job's screen lists it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pagetrail.storage.importers.files.kept_fields import format_counts
from pagetrail.storage.importers.files.rows import RowError
from pagetrail.storage.importers.preannotations.raw_elements import BadElement

MAX_SHOWN = 50
"""Most sentences or rows of one kind that a command prints; its JSON has all."""
LEFT_OUT, CHECK = "left out", "check"

ReportedRow = tuple[str, Any, str, str, str]
"""File, line, id, ``left out`` or ``check``, and the reason."""

_ATTRIBUTES = {"task": "id", "patch": "part", "what": "reason"}


class Refusal(str):
    """A sentence that says that nothing was done."""

    __slots__ = ()


class Problem(NamedTuple):
    """Something in a file that was left out, or should be checked.

    Attributes:
        id: of the task or entry.
        place: in the file, where there are no lines.
        part: of the row that is meant; None for the whole row.
    """

    reason: str
    line: int | None = None
    id: str | None = None
    file: str = ""
    place: str = ""
    part: str | None = None


@dataclass(frozen=True)
class Problems:
    """A table of problems.

    Attributes:
        columns: attributes of each problem that a terminal shows, or other words for them.
        kind: of the problems that name no part.
    """

    title: str
    columns: Sequence[str]
    problems: Sequence[Problem]
    kind: str = LEFT_OUT

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """The rows that a terminal shows."""
        names = [_ATTRIBUTES.get(column, column) for column in self.columns]
        rows = [[getattr(problem, name) for name in names] for problem in self.problems]
        return [tuple("" if value is None else str(value) for value in row) for row in rows]


@dataclass(frozen=True)
class Notes:
    """Sentences about what is stored, to be checked."""

    sentences: Sequence[str]
    file: str = ""


class Table(NamedTuple):
    """What is asked for, as a table."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


Part = str | Problems | Notes | Table


@dataclass(frozen=True)
class Result:
    """The outcome of an operation.

    Attributes:
        is_done: whether anything is as it was asked for; else the command fails.
        parts: what is to be said, in order.
        message: all of it in one sentence.
        json: for programs.
    """

    is_done: bool
    parts: Sequence[Part]
    message: str
    json: Mapping[str, Any]

    @property
    def rows(self) -> list[ReportedRow]:
        """What was left out or should be checked, of all parts."""
        rows: list[ReportedRow] = []
        for part in self.parts:
            if isinstance(part, Problems):
                rows += [
                    (p.file, p.line or p.place, p.id or "", p.part or part.kind, p.reason)
                    for p in part.problems
                ]
            elif isinstance(part, Notes):
                rows += [(part.file, "", "", CHECK, note) for note in part.sentences]
        return rows


def left_out_rows(errors: Iterable[RowError], file: str) -> Problems:
    """Rows of a file that were left out."""
    problems = [Problem(error.reason, error.line, file=file) for error in errors]
    return Problems("Left out", ("line", "what"), problems)


def bad_entries(entries: Iterable[BadElement], title: str) -> Problems:
    """What files' entries say that cannot be imported, with their places."""
    problems = [Problem(e.reason, e.line, e.id, e.file, e.place) for e in entries]
    return Problems(title, ("file", "line", "place", "id", "reason"), problems)


def not_kept(counts: Mapping[str, int], advice: str = "") -> list[str]:
    """Which fields of the file are not kept, and how often they occur."""
    if not counts:
        return []
    first_counts = dict(list(counts.items())[:MAX_SHOWN])
    more = f" … and {len(counts) - MAX_SHOWN:,} more names" if len(counts) > MAX_SHOWN else ""
    fields = f"Fields of the file that are not kept: {format_counts(first_counts)}{more}."
    return [f"{fields} {advice}".strip()]


def end_with_counts(n_already_there: int, n_left_out: int, already: str = "already existed") -> str:
    """The end of a sentence about what was imported."""
    known = f", {n_already_there:,} {already}" if n_already_there else ""
    return f"{known}{f', {n_left_out:,} left out' if n_left_out else ''}."

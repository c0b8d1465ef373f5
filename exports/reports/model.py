"""The model of a report: tables, charts, and what was left out.

Builders (``agreement``, ``metrics``) make a ``Report``; renderers and the results page show it. No
renderer computes anything, so every rendering tells the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pagetrail.exports.reading.source import LeftOut

Value = str | int | float | bool | None

Kind = Literal["text", "count", "share", "score", "number", "seconds"]
"""How a column's values are shown.

``share``: 0–1, as a percentage with one decimal; ``score``: a coefficient or F1, three decimals;
``number``: two decimals; ``seconds``: one decimal; ``count``: a whole number.
"""

RowKind = Literal["row", "pooled", "macro"]


@dataclass(frozen=True)
class Cell:
    """One value of a table.

    Attributes:
        value: None where it is undefined, or where there is nothing to say.
        reason: why it is undefined, machine-readable; None where it is defined or nothing to say.
        low, high: ends of its interval; None without one.
        se: its standard error.
        flag: what to beware of, machine-readable, e.g. ``few_clusters``.
        n: what it rests on, as the row counts it: attempts, pairs or pages; None where the table
            itself says so.
        tasks: the tasks of these; None likewise.
        excluded: reason, machine-readable → how many of the row's are not in it.
        basis: n and tasks in words, where they are not those that the row states.
    """

    value: Value = None
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    se: float | None = None
    flag: str | None = None
    n: int | None = None
    tasks: int | None = None
    excluded: Mapping[str, int] | None = None
    basis: str | None = None


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        key: its name in JSON and CSV.
        label: as shown.
        help: what it is, in a sentence, with its source where it is a published measure.
    """

    key: str
    label: str
    kind: Kind
    help: str = ""


@dataclass(frozen=True)
class Row:
    """One line; ``pooled`` and ``macro`` are the two meanings of "overall"."""

    cells: Mapping[str, Cell]
    kind: RowKind = "row"


@dataclass(frozen=True)
class Table:
    """One table.

    Attributes:
        key: unique in the report; names its files: lower-case letters, digits and hyphens.
        title: what it shows.
        question: what it answers, as a question.
        notes: sentences beneath it: choices, conventions, what to beware of.
    """

    key: str
    title: str
    question: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Chart:
    """One chart.

    Attributes:
        key: as of a table.
        caption: what is seen, in a sentence or two, for those who cannot see it.
        spec: Vega-Lite, its data inline.
        columns: of a printed page that it takes up.
    """

    key: str
    title: str
    caption: str
    spec: Mapping[str, Any]
    columns: Literal[1, 2] = 2


@dataclass(frozen=True)
class Section:
    """Tables and charts that belong together, in the order in which they are read."""

    title: str
    parts: Sequence[Table | Chart]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Report:
    """A whole report of one campaign.

    Attributes:
        kind: ``agreement``, ``metrics``, ``progress``, ``pilot`` or ``quality``.
        facts: the numbers that it rests on, by label, such as attempts, annotators, tasks.
        choices: settings that shaped it, by name.
        left_out: what was left out, and why.
        identified: whether people appear under their own names.
    """

    kind: Literal["agreement", "metrics", "progress", "pilot", "quality"]
    title: str
    campaign: str
    protocol: str
    facts: Mapping[str, int]
    choices: Mapping[str, Value | Sequence[Value]]
    sections: Sequence[Section]
    left_out: Sequence[LeftOut] = field(default_factory=list)
    identified: bool = False

    @property
    def tables(self) -> list[Table]:
        """All tables in order."""
        return [p for section in self.sections for p in section.parts if isinstance(p, Table)]

    @property
    def charts(self) -> list[Chart]:
        """All charts in order."""
        return [p for section in self.sections for p in section.parts if isinstance(p, Chart)]

"""The model of a report: tables, charts, and what was left out.

Sections (``agreement``, ``metrics`` and so on) compute tables as pandas data frames; their columns
say how renderers show them. No renderer computes anything, so all of them show the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal

import pandas as pd

from pagetrail.annotation.messages import Message
from pagetrail.exports.reading.source import LeftOut

Value = str | int | float | bool | None

Kind = Literal["text", "count", "share", "score", "number", "seconds", "money", "whole"]
"""How a column's values are shown.

``share``: 0–1, as a percentage with one decimal; ``score``: a coefficient or F1, three decimals;
``number``: two decimals; ``seconds``: one decimal; ``money``: four decimals; ``count``: a whole
number.
"""

RowKind = Literal["row", "pooled", "macro"]
ROW_KIND = "row_kind"
"""The first column of every frame; ``pooled`` and ``macro`` are the two meanings of "overall"."""


@dataclass(frozen=True)
class Cell:
    """A value of a table with its qualifiers.

    Attributes:
        value: None if it is undefined or does not apply.
        reason: code of the reason why it is undefined; None if defined or not applicable.
        low, high: ends of its interval; None without one.
        se: its standard error.
        flag: code of a warning, such as ``few_clusters``.
        n: number of attempts, pairs or pages behind it; None if the table states it.
        tasks: number of their tasks; None likewise.
        excluded: code of a reason → how many of the row's units are excluded.
        undecided: of an accuracy, how many attempts nothing decided; None without any. They count
            as incorrect in ``value`` and its interval, but the cell is a range then.
        lower, upper: ends of the range: an accuracy if none of them is right, and if all are; of a
            difference, whichever of both participants' makes it lower, and higher.
        lower_low: lower limit of the lower end's interval.
        upper_high: upper limit of the upper end's interval.
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
    undecided: int | None = None
    lower: float | None = None
    upper: float | None = None
    lower_low: float | None = None
    upper_high: float | None = None


class ExcludedUnits(str):
    """Excluded units by reason in a frame: as text "reason: number; …", with the counts as data."""

    counts: Mapping[str, int]

    def __new__(cls, counts: Mapping[str, int]) -> ExcludedUnits:
        """The text of the counts."""
        excluded = super().__new__(cls, "; ".join(f"{reason}: {n}" for reason, n in counts.items()))
        excluded.counts = dict(counts)
        return excluded

    def __getnewargs__(self) -> tuple[Mapping[str, int]]:  # type: ignore[override]
        """What copies and pickles are made of."""
        return (self.counts,)


QUALIFIERS = (
    "low",
    "high",
    "se",
    "reason",
    "flag",
    "n",
    "tasks",
    "excluded",
    "undecided",
    "lower",
    "upper",
    "lower_low",
    "upper_high",
)
"""Qualifiers of a column ``KEY`` in a frame, named ``KEY_low`` and so on."""


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        key: its name in frames, JSON and CSV.
        label: heading.
        help: explanation in a sentence, with the source of published measures.
    """

    key: str
    label: str
    kind: Kind
    help: str = ""


@dataclass(frozen=True)
class Row:
    """A row of a frame as renderers read it: a cell per column."""

    kind: RowKind
    cells: Mapping[str, Cell]


RowValues = dict[str, object]
"""Column key → ``Value`` or ``Cell`` of a new row, with ``row_kind`` unless it is ``row``."""


@dataclass(frozen=True, eq=False)
class Table:
    """One table.

    Attributes:
        key: unique in the report, and the name of its files: lower-case letters, digits, hyphens.
        question: the question that it answers.
        frame: ``row_kind``, the values of each column and next to them its ``QUALIFIERS``, those
            that any row has. Shares are 0–1; what was excluded is text, "reason: number; …".
        notes: sentences below it: choices, conventions, warnings.
        unit_column: the column that counts what values rest on: ``attempts``, ``pairs`` or
            ``pages``. Values that rest on another number, or on other tasks, get a footnote.
    """

    key: str
    title: str
    question: str
    columns: Sequence[Column]
    frame: pd.DataFrame
    notes: Sequence[str] = ()
    unit_column: str | None = None

    @classmethod
    def from_rows(
        cls,
        key: str,
        title: str,
        question: str,
        columns: Sequence[Column],
        rows: Iterable[Mapping[str, object]],
        notes: Sequence[str] = (),
        unit_column: str | None = None,
    ) -> Table:
        """A table from the values of its rows; missing values give empty cells."""
        return cls(key, title, question, columns, _frame(columns, rows), notes, unit_column)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows of the frame."""
        keys = [column.key for column in self.columns]
        return [
            Row(record[ROW_KIND], {key: _cell(record, key) for key in keys})
            for record in self.records
        ]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows of the frame with all columns; missing values are None."""
        values = self.frame.astype(object).where(self.frame.notna(), None)
        return [dict(zip(values, row, strict=True)) for row in values.itertuples(index=False)]

    def __eq__(self, other: object) -> bool:
        names = [entry.name for entry in fields(self) if entry.name != "frame"]
        return (
            isinstance(other, Table)
            and all(getattr(self, name) == getattr(other, name) for name in names)
            and self.frame.equals(other.frame)
        )

    __hash__ = None  # type: ignore[assignment]  # frames change, so they have no hash either

    def without_intervals(self) -> Table:
        """The table without intervals and without reasons and warnings about them."""
        keys = [column.key for column in self.columns]
        names = ("low", "high", "se", "flag", "lower_low", "upper_high")
        dropped = [f"{key}_{name}" for key in keys for name in names]
        frame = self.frame.drop(columns=dropped, errors="ignore")
        for key in keys:
            if f"{key}_reason" in frame:
                frame[f"{key}_reason"] = frame[f"{key}_reason"].where(frame[key].isna())
        return replace(self, frame=frame)


def _frame(columns: Sequence[Column], rows: Iterable[Mapping[str, object]]) -> pd.DataFrame:
    keys = [column.key for column in columns]
    records = [
        {ROW_KIND: row.get(ROW_KIND, "row")}
        | {name: value for key in keys for name, value in _spread(key, row.get(key))}
        for row in rows
    ]
    present = {name for record in records for name, value in record.items() if value is not None}
    names = [ROW_KIND]
    for key in keys:
        qualifiers = (f"{key}_{name}" for name in QUALIFIERS)
        names += [key, *(name for name in qualifiers if name in present and name not in keys)]
    return pd.DataFrame({name: _values([record.get(name) for record in records]) for name in names})


def _spread(key: str, value: object) -> list[tuple[str, object]]:
    """The value of a column and its qualifiers, by their names in a frame."""
    if not isinstance(value, Cell):
        return [(key, value)]
    excluded = ExcludedUnits(value.excluded) if value.excluded else None
    qualifiers = vars(value) | {"excluded": excluded}
    return [(key, value.value), *((f"{key}_{name}", qualifiers[name]) for name in QUALIFIERS)]


def _values(values: list[object]) -> pd.Series[Any]:
    """A column of a frame; whole numbers stay whole where some are missing, texts with data too."""
    if any(isinstance(value, Message | ExcludedUnits) for value in values):
        return pd.Series(values, dtype=object)
    defined = [value for value in values if value is not None]
    is_whole = bool(defined) and all(type(value) is int for value in defined)
    return pd.Series(values, dtype="Int64" if is_whole and len(defined) < len(values) else None)


def _cell(record: Mapping[Any, Any], key: str) -> Cell:
    qualifiers = {name: record.get(f"{key}_{name}") for name in QUALIFIERS}
    if qualifiers["upper"] is None:
        # A column of its own, such as gold_undecided, is no qualifier of another.
        qualifiers["undecided"] = None
    excluded: ExcludedUnits | None = qualifiers["excluded"]
    qualifiers["excluded"] = excluded and excluded.counts
    return Cell(record[key], **qualifiers)


@dataclass(frozen=True)
class Chart:
    """One chart.

    Attributes:
        key: as of a table.
        caption: what the chart shows, in a sentence or two, also its alternative text.
        spec: Vega-Lite with inline data.
        columns: width in columns of a printed page.
    """

    key: str
    title: str
    caption: str
    spec: Mapping[str, Any]
    columns: Literal[1, 2] = 2


@dataclass(frozen=True)
class Section:
    """Related tables and charts, in reading order."""

    title: str
    parts: Sequence[Table | Chart]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Report:
    """A whole report of one campaign.

    Attributes:
        kind: ``agreement``, ``metrics``, ``progress``, ``pilot``, ``quality``, ``suspects``,
            ``drafts`` or ``rounds``.
        facts: basic counts by label, such as attempts, annotators and tasks.
        choices: settings by name.
        left_out: what was left out, with reasons.
        identified: whether people appear under their own names.
    """

    kind: Literal[
        "agreement", "metrics", "progress", "pilot", "quality", "suspects", "drafts", "rounds"
    ]
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

"""A report's tables as data frames: numbers as numbers, and words where there is none.

Imports nothing of Streamlit: worker processes make tables ready for the screens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pagetrail.exports.reports.model import Column, Report, Table
from pagetrail.exports.reports.render.formatting import Footnotes, Shown, heading, rows_shown

HALF_PX = 690
_HEAD_PX, _LETTER_PX, _FIGURE_PX = 7.2, 6.4, 5.8
_AROUND_PX, _AROUND_TEXT_PX = 18, 24
_NARROWEST_PX, _WIDEST_PX = 52, 340


@dataclass(frozen=True)
class OnScreen:
    """A table as it is shown.

    Attributes:
        frame: by column key; columns of plain numbers have numbers (shares in percent), the others
            text.
        numeric: keys of the columns of numbers.
        notes: sentences below the table, footnotes first.
    """

    frame: pd.DataFrame
    numeric: frozenset[str]
    notes: list[str]


def on_screen(table: Table, *, intervals: bool = True) -> OnScreen:
    """The table, rounded as in every other form of the report.

    A footnote that applies to all numbers of the table has no letter and is given once.

    Args:
        intervals: whether to show intervals beside the numbers.
    """
    shown = table if intervals else table.without_intervals()
    rows, footnotes = rows_shown(shown)
    common = _said_of_all(rows)
    footnote = Footnotes()
    letters = {note: footnote.letter(note) for _, note in footnotes if note != common}
    data: dict[str, Any] = {}
    numeric = set()
    for position, column in enumerate(table.columns):
        cells = [row[position] for row in rows]
        values = shown.frame[column.key]
        if _has_only_numbers(column, values, cells):
            numeric.add(column.key)
            numbers = values * 100 if column.kind == "share" else values
            data[column.key] = numbers.astype("Int64" if column.kind == "count" else "Float64")
        else:
            data[column.key] = [_cell_words(cell, letters) for cell in cells]
    notes = [f"All intervals: {common}."] if common else []
    notes += [f"({letters[note]}) {note}." for note in letters]
    return OnScreen(
        frame=pd.DataFrame(data),
        numeric=frozenset(numeric),
        notes=[*notes, *table.notes],
    )


@dataclass(frozen=True)
class Prepared:
    """A table that is ready to be shown, as often as it is wanted.

    Attributes:
        widths: pixels that each column wants, by its key.
    """

    table: Table
    shown: OnScreen
    widths: Mapping[str, int]

    @property
    def wanted(self) -> int:
        """Pixels that its columns want."""
        return sum(self.widths.values())

    @property
    def is_narrow(self) -> bool:
        """Whether a chart has room beside the table on a laptop's screen."""
        return self.wanted < HALF_PX


@dataclass(frozen=True)
class PreparedReport:
    """A report with its tables made ready, in their order.

    Attributes:
        bare: the tables without intervals, where that can be chosen.
    """

    report: Report
    tables: tuple[Prepared, ...]
    bare: tuple[Prepared, ...] = ()

    @classmethod
    def of(cls, report: Report, *, bare: bool = False) -> PreparedReport:
        """Make the tables ready, with intervals and, where asked for, without."""
        return cls(
            report,
            tuple(map(prepared, report.tables)),
            tuple(prepared(t, intervals=False) for t in report.tables) if bare else (),
        )


def prepared(table: Table, *, intervals: bool = True) -> Prepared:
    """Make ready what takes time."""
    made = on_screen(table, intervals=intervals)
    return Prepared(table, made, {column.key: _width(column, made) for column in table.columns})


def _width(column: Column, made: OnScreen) -> int:
    """As narrow as heading and content allow, so that many columns fit beside each other."""
    values = made.frame[column.key]
    if column.key in made.numeric:
        digits = max((len(f"{value:,.0f}") for value in values.dropna()), default=1)
        longest = digits if column.kind == "count" else digits + 4
    else:
        longest = max((len(str(value)) for value in values), default=1)
    # Intervals are digits, points, commas and brackets: narrower than words.
    letter = _LETTER_PX if column.kind == "text" or longest < 14 else _FIGURE_PX
    around = _AROUND_TEXT_PX if column.kind == "text" else _AROUND_PX
    wanted = max(_HEAD_PX * len(heading(column)), letter * longest) + around
    return max(_NARROWEST_PX, min(_WIDEST_PX, round(wanted)))


def _has_only_numbers(column: Column, values: pd.Series[Any], cells: Sequence[Shown]) -> bool:
    """Whether no value of the column has words, an interval, a reason or a warning."""
    words = any(isinstance(value, str | bool) for value in values)
    return column.kind != "text" and not words and not any(c.interval or c.note for c in cells)


def _cell_words(cell: Shown, letters: Mapping[str, str]) -> str:
    marker = f"({letters[cell.note]})" if cell.note in letters else ""
    return " ".join(part for part in (cell.value, marker, cell.interval) if part)


def _said_of_all(rows: Sequence[Sequence[Shown]]) -> str | None:
    """The footnote shared by all numbers with an interval, if there are several."""
    said = Counter(cell.note for row in rows for cell in row if cell.interval)
    if len(said) != 1 or not (note := next(iter(said))) or said[note] < 2:
        return None
    alone = all(cell.interval for row in rows for cell in row if cell.note == note)
    return note if alone else None

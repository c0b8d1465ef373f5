"""A report's tables as data frames for screens: numbers as numbers, other cells as text.

Does not import Streamlit, since worker processes prepare tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pagetrail.annotation.messages import join_messages, lazy_gettext
from pagetrail.exports.reports.model import Column, Report, Table
from pagetrail.exports.reports.render.formatting import (
    Footnotes,
    FormattedCell,
    heading,
    rows_shown,
)

HALF_PX = 690
_HEAD_PX, _LETTER_PX, _DIGIT_PX = 7.2, 6.4, 5.8
_PADDING_PX, _TEXT_PADDING_PX = 18, 24
_MIN_PX, _MAX_PX = 52, 340


@dataclass(frozen=True)
class TableContents:
    """Contents of a table on a screen.

    Attributes:
        frame: by column key; columns of plain numbers hold numbers (proportions in percent), others
            text.
        numeric: keys of the columns of numbers.
        notes: sentences below the table, footnotes first.
    """

    frame: pd.DataFrame
    numeric: frozenset[str]
    notes: list[str]


def table_contents(table: Table, *, intervals: bool = True) -> TableContents:
    """The table, rounded as in all other forms of the report.

    A footnote that applies to all numbers of the table has no letter and is given once.

    Args:
        intervals: whether to show intervals.
    """
    visible = table if intervals else table.without_intervals()
    rows, footnotes = rows_shown(visible)
    common = _common_footnote(rows)
    footnote = Footnotes()
    letters = {note: footnote.letter(note) for _, note in footnotes if note != common}
    data: dict[str, Any] = {}
    numeric = set()
    for position, column in enumerate(table.columns):
        cells = [row[position] for row in rows]
        values = visible.frame[column.key]
        if _has_only_numbers(column, values, cells):
            numeric.add(column.key)
            numbers = values * 100 if column.kind == "share" else values
            data[column.key] = numbers.astype("Int64" if column.kind == "count" else "Float64")
        else:
            # Objects, since pandas' text type would make messages ordinary strings.
            data[column.key] = pd.Series(
                [_cell_words(cell, letters) for cell in cells], dtype=object
            )
    notes = [lazy_gettext("All intervals: {footnote}.", footnote=common)] if common else []
    notes += [
        lazy_gettext("({letter}) {footnote}.", letter=letters[note], footnote=note)
        for note in letters
    ]
    return TableContents(
        frame=pd.DataFrame(data),
        numeric=frozenset(numeric),
        notes=[*notes, *table.notes],
    )


@dataclass(frozen=True)
class PreparedTable:
    """A table prepared for display, to be shown any number of times.

    Attributes:
        widths: width of each column in pixels, by its key.
    """

    table: Table
    contents: TableContents
    widths: Mapping[str, int]

    @property
    def width(self) -> int:
        """Width of all columns in pixels."""
        return sum(self.widths.values())

    @property
    def is_narrow(self) -> bool:
        """Whether a chart fits next to the table on a laptop's screen."""
        return self.width < HALF_PX


@dataclass(frozen=True)
class PreparedReport:
    """A report with its tables prepared, in order.

    Attributes:
        without_intervals: the tables without intervals, if that can be chosen.
    """

    report: Report
    tables: tuple[PreparedTable, ...]
    without_intervals: tuple[PreparedTable, ...] = ()

    @classmethod
    def prepare(cls, report: Report, *, without_intervals: bool = False) -> PreparedReport:
        """Prepare the tables with intervals and optionally also without."""
        return cls(
            report,
            tuple(map(prepare_table, report.tables)),
            tuple(prepare_table(t, intervals=False) for t in report.tables)
            if without_intervals
            else (),
        )


def prepare_table(table: Table, *, intervals: bool = True) -> PreparedTable:
    """Do what takes time in advance."""
    contents = table_contents(table, intervals=intervals)
    return PreparedTable(table, contents, column_widths(table.columns, contents))


def column_widths(columns: Sequence[Column], contents: TableContents) -> dict[str, int]:
    """Width of each column in pixels: as narrow as heading and content allow, so that many fit."""
    return {column.key: _width(column, contents) for column in columns}


def _width(column: Column, contents: TableContents) -> int:
    values = contents.frame[column.key]
    if column.key in contents.numeric:
        digits = max((len(f"{value:,.0f}") for value in values.dropna()), default=1)
        longest = digits if column.kind == "count" else digits + 4
    else:
        longest = max((len(str(value)) for value in values), default=1)
    # Intervals consist of digits and punctuation, which are narrower than letters.
    letter = _LETTER_PX if column.kind == "text" or longest < 14 else _DIGIT_PX
    padding = _TEXT_PADDING_PX if column.kind == "text" else _PADDING_PX
    pixels = max(_HEAD_PX * len(heading(column)), letter * longest) + padding
    return max(_MIN_PX, min(_MAX_PX, round(pixels)))


def _has_only_numbers(
    column: Column, values: pd.Series[Any], cells: Sequence[FormattedCell]
) -> bool:
    """Whether the column has only numbers: no text, interval, reason or warning."""
    words = any(isinstance(value, str | bool) for value in values)
    is_plain = not any(cell.interval or cell.note or cell.undecided for cell in cells)
    return column.kind != "text" and not words and is_plain


def _cell_words(cell: FormattedCell, letters: Mapping[str, str]) -> str:
    marker = f"({letters[cell.note]})" if cell.note in letters else ""
    parts = [part for part in (cell.value, marker, cell.interval, cell.undecided) if part]
    return parts[0] if len(parts) == 1 else join_messages(parts)


def _common_footnote(rows: Sequence[Sequence[FormattedCell]]) -> str | None:
    """The footnote shared by all numbers with an interval, if there are several."""
    note_counts = Counter(cell.note for row in rows for cell in row if cell.interval)
    if len(note_counts) != 1 or not (note := next(iter(note_counts))) or note_counts[note] < 2:
        return None
    is_common = all(cell.interval for row in rows for cell in row if cell.note == note)
    return note if is_common else None

"""A report's tables as data frames: numbers as numbers, and words where there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from app.literal import literal
from exports.reports.figures import Footnotes, Shown, heading, rows_shown
from exports.reports.model import Cell, Column, Row, Table

FORMATS = {
    "count": "localized",
    "share": "%.1f",
    "score": "%.3f",
    "number": "%.2f",
    "seconds": "%.1f",
}
_MARKED = "font-weight: 600; background-color: rgba(128, 128, 128, 0.14)"
_ROW_PX = 35
_TALL_ROW_PX = 52
_MOST_PX = 640
_LETTER_PX = 7.4
_AROUND_PX = 20
_NARROWEST_PX, _WIDEST_PX = 52, 340


@dataclass(frozen=True)
class OnScreen:
    """A table as it is shown.

    Attributes:
        frame: by column key; columns of plain numbers have numbers (shares in percent), the others
            text.
        numeric: keys of the columns of numbers.
        tall: whether cells have two lines: the figure, and its interval.
        notes: sentences below the table, footnotes first.
    """

    frame: pd.DataFrame
    numeric: frozenset[str]
    tall: bool
    notes: list[str]


def on_screen(table: Table) -> OnScreen:
    """The table's figures in the digits of every other form of the report.

    A footnote that every figure of the table would have gets no letter: it is said once, of all.
    """
    rows, footnotes = rows_shown(table)
    common = _said_of_all(rows)
    footnote = Footnotes()
    letters = {note: footnote.letter(note) for _, note in footnotes if note != common}
    data: dict[str, Any] = {}
    numeric = set()
    for place, column in enumerate(table.columns):
        cells = [row.cells.get(column.key, Cell()) for row in table.rows]
        if _plain(column, cells):
            numeric.add(column.key)
            dtype = "Int64" if column.kind == "count" else "Float64"
            data[column.key] = pd.array([_number(column, c) for c in cells], dtype=dtype)
        else:
            data[column.key] = [_words(row[place], letters) for row in rows]
    notes = [f"All intervals: {common}."] if common else []
    notes += [f"({letters[note]}) {note}." for note in letters]
    return OnScreen(
        frame=pd.DataFrame(data),
        numeric=frozenset(numeric),
        tall=any(cell.interval for row in rows for cell in row),
        notes=[*notes, *table.notes],
    )


def show_table(table: Table) -> None:
    """Put the table on the screen with its notes, rows that summarise others marked."""
    made = on_screen(table)
    row_px = _TALL_ROW_PX if made.tall else _ROW_PX
    st.dataframe(
        _marked(made.frame, table.rows),
        hide_index=True,
        width="stretch",
        height=min(_MOST_PX, _ROW_PX + row_px * max(1, len(table.rows)) + 3),
        row_height=row_px,
        placeholder="",
        key=f"table-{table.key}",
        column_config={
            column.key: _config(column, made, pinned=place == 0)
            for place, column in enumerate(table.columns)
        },
        alt=f"{table.title}. {table.question}",
    )
    for note in made.notes:
        st.caption(literal(note))


def _config(column: Column, made: OnScreen, *, pinned: bool) -> Any:
    help_ = literal(column.help) or None
    label = heading(column)
    width = _width(label, column, made)
    if column.key in made.numeric:
        return st.column_config.NumberColumn(
            label, help=help_, format=FORMATS[column.kind], pinned=pinned, width=width
        )
    return st.column_config.TextColumn(
        label,
        help=help_,
        alignment="left" if column.kind == "text" else "right",
        pinned=pinned,
        width=width,
    )


def _width(label: str, column: Column, made: OnScreen) -> int:
    """As narrow as its heading and what stands in it allow: many columns fit beside each other."""
    values = made.frame[column.key]
    if column.key in made.numeric:
        digits = 4 + max((len(f"{value:,.0f}") for value in values.dropna()), default=1)
        longest = digits - 4 if column.kind == "count" else digits
    else:
        lines = (line for value in values for line in str(value).splitlines())
        longest = max(map(len, lines), default=1)
    wanted = round(_LETTER_PX * max(len(label), longest)) + _AROUND_PX
    return max(_NARROWEST_PX, min(_WIDEST_PX, wanted))


def _plain(column: Column, cells: Sequence[Cell]) -> bool:
    """Whether nothing but numbers stands in the column: no interval, reason or warning."""
    return column.kind != "text" and all(
        not isinstance(cell.value, str | bool)
        and cell.low is None
        and cell.reason is None
        and cell.flag is None
        for cell in cells
    )


def _number(column: Column, cell: Cell) -> float | int | None:
    if cell.value is None:
        return None
    if column.kind == "count":
        return int(cell.value)
    return float(cell.value) * (100 if column.kind == "share" else 1)


def _words(cell: Shown, letters: Mapping[str, str]) -> str:
    marker = f" ({letters[cell.note]})" if cell.note in letters else ""
    return "\n".join(part for part in (f"{cell.value}{marker}", cell.interval) if part)


def _said_of_all(rows: Sequence[Sequence[Shown]]) -> str | None:
    """The footnote that all figures with an interval have, where there are several."""
    said = Counter(cell.note for row in rows for cell in row if cell.interval)
    if len(said) != 1 or not (note := next(iter(said))) or said[note] < 2:
        return None
    alone = all(cell.interval for row in rows for cell in row if cell.note == note)
    return note if alone else None


def _marked(shown: pd.DataFrame, rows: Sequence[Row]) -> pd.DataFrame | Styler:
    kinds = [row.kind for row in rows]
    if all(kind == "row" for kind in kinds):
        return shown

    def style(row: pd.Series[Any]) -> list[str]:
        return [_MARKED if kinds[int(str(row.name))] != "row" else ""] * len(row)

    return shown.style.apply(style, axis=1)

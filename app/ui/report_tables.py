"""Tables of reports on the screen, and their downloads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number, localise_numbers, uses_report_notation
from pagetrail.app.ui.report_downloads import table_buttons
from pagetrail.app.ui.table_frames import OnScreen, Prepared
from pagetrail.exports.reports.model import Column, Report, Row
from pagetrail.exports.reports.render.formatting import heading

FORMATS = {
    "count": "localized",
    "share": "%.1f",
    "score": "%.3f",
    "number": "%.2f",
    "seconds": "%.1f",
}
_PLACES = {"count": 0, "share": 1, "score": 3, "number": 2, "seconds": 1}
_MOST_WRITTEN = 50_000
"""Cells of a table that are written one by one, which takes about 0.5 s."""
_MARKED = "font-weight: 600; background-color: rgba(128, 128, 128, 0.14)"
_ROW_PX = 35
_MOST_PX = 640
_SCREEN_PX = 1_290


def show_prepared(ready: Prepared, *, marked: bool = False) -> None:
    """Put a table on the screen with its notes.

    Args:
        marked: whether rows that summarise others are marked, which takes longest.
    """
    table, shown = ready.table, ready.shown
    frame: pd.DataFrame | Styler = shown.frame
    ours = not uses_report_notation() and shown.frame.size <= _MOST_WRITTEN
    if ours:
        frame = _written(shown, table.columns)
    st.dataframe(
        _marked(frame, table.rows) if marked else frame,
        hide_index=True,
        width="content" if ready.wanted < _SCREEN_PX else "stretch",
        height=min(_MOST_PX, _ROW_PX * (1 + max(1, len(table.rows))) + 3),
        placeholder="",
        key=f"table-{table.key}",
        column_config={
            column.key: _config(
                column, shown, ready.widths[column.key], pinned=place == 0, written=ours
            )
            for place, column in enumerate(table.columns)
        },
        alt=f"{table.title}. {table.question}",
    )
    show_notes(shown.notes)


def show_titled(report: Report, ready: Prepared, *, marked: bool = False) -> None:
    """Put a table on the screen under its title and question, with its downloads.

    Args:
        marked: as of ``show_prepared``.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.header(literal(ready.table.title), anchor=False)
            st.caption(literal(ready.table.question))
        table_buttons(report, ready.table)
    show_prepared(ready, marked=marked)


def show_notes(notes: Sequence[str]) -> None:
    """Sentences in small type, a line each."""
    if notes:
        st.caption("  \n".join(literal(localise_numbers(note)) for note in notes))


def _written(made: OnScreen, columns: Sequence[Column]) -> Styler:
    """The table with its numbers as the person writes them; sorting goes by the numbers."""
    frame = made.frame.copy(deep=False)
    formats: dict[str, Any] = {}
    for column in columns:
        if column.key in made.numeric:
            formats[column.key] = partial(format_number, decimals=_PLACES[column.kind])
        elif column.kind != "text":
            frame[column.key] = [localise_numbers(str(words)) for words in frame[column.key]]
    return frame.style.format(formats, na_rep="")


def _config(column: Column, made: OnScreen, width: int, *, pinned: bool, written: bool) -> Any:
    help_ = literal(column.help) or None
    label = heading(column)
    if column.key in made.numeric:
        return st.column_config.NumberColumn(
            label,
            help=help_,
            format=None if written else FORMATS[column.kind],
            pinned=pinned,
            width=width,
        )
    return st.column_config.TextColumn(
        label,
        help=help_,
        alignment="left" if column.kind == "text" else "right",
        pinned=pinned,
        width=width,
    )


def _marked(shown: pd.DataFrame | Styler, rows: Sequence[Row]) -> pd.DataFrame | Styler:
    kinds = [row.kind for row in rows]
    if all(kind == "row" for kind in kinds):
        return shown

    def style(row: pd.Series[Any]) -> list[str]:
        return [_MARKED if kinds[int(str(row.name))] != "row" else ""] * len(row)

    return (shown.style if isinstance(shown, pd.DataFrame) else shown).apply(style, axis=1)

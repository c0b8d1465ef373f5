"""Tables of reports on the screen, and their downloads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from pagetrail.annotation.messages import current_language, translate, translate_message
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number, localise_numbers, uses_report_notation
from pagetrail.app.ui.report_downloads import table_buttons
from pagetrail.app.ui.table_frames import PreparedTable, TableContents, column_widths
from pagetrail.app.ui.tables import table_height
from pagetrail.exports.reports.model import Column, Report, Row
from pagetrail.exports.reports.render.formatting import heading

FORMATS = {
    "count": "localized",
    "share": "%.1f",
    "score": "%.3f",
    "number": "%.2f",
    "seconds": "%.1f",
    "money": "%.4f",
}
_DECIMALS = {"count": 0, "share": 1, "score": 3, "number": 2, "seconds": 1, "money": 4}
_MAX_FORMATTED_CELLS = 50_000
"""Larger tables are not reformatted, since each cell is formatted separately (0.5 s)."""
_SUMMARY_STYLE = "font-weight: 600; background-color: rgba(128, 128, 128, 0.14)"
_MAX_HEIGHT_PX = 640
_SCREEN_PX = 1_290


def show_prepared_table(prepared: PreparedTable, *, mark_summaries: bool = False) -> None:
    """Show a table with its notes.

    Args:
        mark_summaries: whether to mark summary rows, the slowest part.
    """
    table = prepared.table
    contents = replace(prepared.contents, frame=_translated(prepared.contents.frame))
    columns = [replace(column, label=translate(column.label)) for column in table.columns]
    widths = prepared.widths
    if current_language() != "en":
        widths = column_widths(columns, contents)
    frame: pd.DataFrame | Styler = contents.frame
    is_reformatted = not uses_report_notation() and contents.frame.size <= _MAX_FORMATTED_CELLS
    if is_reformatted:
        frame = _reformat_numbers(contents, table.columns)
    st.dataframe(
        _mark_summaries(frame, table.rows) if mark_summaries else frame,
        hide_index=True,
        width="content" if sum(widths.values()) < _SCREEN_PX else "stretch",
        height=table_height(max(1, len(table.rows)), _MAX_HEIGHT_PX),
        placeholder="",
        key=f"table-{table.key}",
        column_config={
            column.key: _config(
                column,
                contents,
                widths[column.key],
                pinned=number == 0,
                is_reformatted=is_reformatted,
            )
            for number, column in enumerate(columns)
        },
        alt=f"{translate(table.title)}. {translate(table.question)}",
    )
    show_notes(contents.notes)


def show_titled_table(
    report: Report, prepared: PreparedTable, *, mark_summaries: bool = False
) -> None:
    """Show a table with its title, question and downloads.

    Args:
        mark_summaries: as for ``show_prepared_table``.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.header(literal(translate(prepared.table.title)), anchor=False)
            st.caption(literal(translate(prepared.table.question)))
        table_buttons(report, prepared.table)
    show_prepared_table(prepared, mark_summaries=mark_summaries)


def show_notes(notes: Sequence[str]) -> None:
    """Notes in small type, one per line."""
    if notes:
        st.caption("  \n".join(literal(localise_numbers(translate(note))) for note in notes))


def _translated(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with its words, such as “Pooled”, in the reader's language; names stay."""
    words = frame.select_dtypes(object)
    return frame.assign(**{str(key): list(map(translate_message, words[key])) for key in words})


def _reformat_numbers(contents: TableContents, columns: Sequence[Column]) -> Styler:
    """The table with numbers in the reader's notation, still sorted by value."""
    frame = contents.frame.copy(deep=False)
    formats: dict[str, Any] = {}
    for column in columns:
        if column.key in contents.numeric:
            formats[column.key] = partial(format_number, decimals=_DECIMALS[column.kind])
        elif column.kind != "text":
            frame[column.key] = [localise_numbers(str(words)) for words in frame[column.key]]
    return frame.style.format(formats, na_rep="")


def _config(
    column: Column, contents: TableContents, width: int, *, pinned: bool, is_reformatted: bool
) -> Any:
    help_ = literal(translate(column.help)) or None
    label = heading(column)
    if column.key in contents.numeric:
        return st.column_config.NumberColumn(
            label,
            help=help_,
            format=None if is_reformatted else FORMATS[column.kind],
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


def _mark_summaries(frame: pd.DataFrame | Styler, rows: Sequence[Row]) -> pd.DataFrame | Styler:
    kinds = [row.kind for row in rows]
    if all(kind == "row" for kind in kinds):
        return frame

    def style(row: pd.Series[Any]) -> list[str]:
        return [_SUMMARY_STYLE if kinds[int(str(row.name))] != "row" else ""] * len(row)

    return (frame.style if isinstance(frame, pd.DataFrame) else frame).apply(style, axis=1)

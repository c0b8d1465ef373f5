"""Tables with translated headings; data frames keep the English names of columns as keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pagetrail.annotation.messages import gettext

_ROW_PX = 35


def show_table(
    table: Any,
    *,
    column_config: Mapping[str, Any] | None = None,
    max_height: int | None = None,
    **options: Any,
) -> Any:
    """``st.dataframe`` without an index, with each column headed by its translated name.

    Args:
        table: a data frame or a styled one; names of columns are marked with ``N_``.
        column_config: further configuration; a label in it, or None to hide a column, stays.
        max_height: in pixels; a table with more rows scrolls.
    """
    if max_height is not None:
        options["height"] = table_height(len(table.index), max_height)
    configured: dict[str, Any] = {name: {"label": gettext(name)} for name in table.columns}
    for name, column in (column_config or {}).items():
        has_label = column is None or isinstance(column, str) or column.get("label") is not None
        configured[name] = column if has_label else {**column, "label": gettext(name)}
    return st.dataframe(table, column_config=configured, hide_index=True, **options)


def table_height(rows: int, max_height: int) -> int:
    """The height at which all rows are visible below the heading, if it is allowed."""
    return min(max_height, _ROW_PX * (rows + 1) + 3)


def store_clicked(table_key: str, state_key: str, values: Sequence[object]) -> None:
    """Callback: store the value of the clicked row of a table in the session."""
    for row in st.session_state[table_key]["selection"]["rows"]:
        if row < len(values):
            st.session_state[state_key] = values[row]

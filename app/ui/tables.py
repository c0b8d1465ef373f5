"""Tables with translated headings; data frames keep the English names of columns as keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pagetrail.annotation.messages import gettext


def show_table(
    table: Any, *, column_config: Mapping[str, Any] | None = None, **options: Any
) -> Any:
    """``st.dataframe`` with each column headed by its translated name.

    Args:
        table: a data frame or a styled one; names of columns are marked with ``N_``.
        column_config: further configuration; a label in it, or None to hide a column, stays.
    """
    configured: dict[str, Any] = {name: {"label": gettext(name)} for name in table.columns}
    for name, column in (column_config or {}).items():
        has_label = column is None or isinstance(column, str) or column.get("label") is not None
        configured[name] = column if has_label else {**column, "label": gettext(name)}
    return st.dataframe(table, column_config=configured, **options)

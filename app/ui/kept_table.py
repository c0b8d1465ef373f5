"""An editable table that keeps its rows while its widget is folded away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

_FIRST = "table-first"
_LAST = "table-last"


def editable_table(
    stored: dict[str, Any], rows: pd.DataFrame, key: str, column_config: Mapping[str, Any]
) -> pd.DataFrame:
    """Show the table; returns it as edited.

    A widget stores edits as differences from the rows it was first drawn with. These must stay the
    same while it is drawn; when it is drawn again, they are the rows as last edited.

    Args:
        stored: storage for the rows while the table is not drawn.
        rows: initial rows.
        key: the widget's key.
    """
    if key not in st.session_state or _FIRST not in stored:
        stored[_FIRST] = stored.get(_LAST, rows)
    table = st.data_editor(
        stored[_FIRST], num_rows="dynamic", hide_index=True, width="stretch", key=key,
        column_config=column_config,
    )  # fmt: skip
    stored[_LAST] = table.reset_index(drop=True)
    return table

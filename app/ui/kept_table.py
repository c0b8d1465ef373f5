"""A table to edit whose rows outlive the widget: it is drawn only where its part is unfolded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

_FIRST = "table-first"
_LAST = "table-last"


def kept_table(
    kept: dict[str, Any], rows: pd.DataFrame, key: str, column_config: Mapping[str, Any]
) -> pd.DataFrame:
    """Draw the table; returns it as edited.

    A widget holds its edits as differences to the rows that it was first drawn with. These must
    stay the same while it is drawn, and are what it held last when it is drawn again.

    Args:
        kept: where the rows are kept between the runs in which the table is drawn.
        rows: what the table begins with.
        key: of the widget.
    """
    if key not in st.session_state or _FIRST not in kept:
        kept[_FIRST] = kept.get(_LAST, rows)
    table = st.data_editor(
        kept[_FIRST], num_rows="dynamic", hide_index=True, width="stretch", key=key,
        column_config=column_config,
    )  # fmt: skip
    kept[_LAST] = table.reset_index(drop=True)
    return table

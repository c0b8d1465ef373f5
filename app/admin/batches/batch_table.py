"""The table of batches and their annotators."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.ui.notation import time_column
from pagetrail.app.ui.tables import show_table, store_clicked
from pagetrail.storage.batches.board import STATE_WORDS, Board

_WIDTHS = {
    "Batch": 95,
    "Priority": 65,
    "Tasks": 75,
    "Due": 95,
    "Free slots": 90,
    "Annotator": 110,
    "State": 115,
    "Skipped": 100,
    "Flagged": 80,
}


def batch_table(board: Board) -> str | None:
    """Show one row per batch and annotator; returns the name of the selected batch."""
    rows = _slot_rows(board)
    names = [batch.code_name for batch in board.batches]
    if not names:
        st.info(gettext("This campaign has no tasks yet. Import some."), icon=":material/inbox:")
        return None
    # One key per campaign, so that a selected row does not stay selected in the next campaign.
    key = f"batch-table-{board.campaign}"

    show_table(
        pd.DataFrame(rows),
        key=key,
        on_select=partial(store_clicked, key, "board-batch", [row["Batch"] for row in rows]),
        selection_mode="single-row",
        width="stretch",
        max_height=285,
        placeholder="–",
        column_config={
            **{name: st.column_config.Column(width=px) for name, px in _WIDTHS.items()},
            "Progress": st.column_config.ProgressColumn(
                format="percent",
                min_value=0,
                max_value=1,
                width=100,
                help=gettext("Submitted or skipped."),
            ),
            "Last work": time_column(width=125),
        },
    )
    if st.session_state.get("board-batch") not in names:
        st.session_state["board-batch"] = names[0]
    batch_name: str = st.session_state["board-batch"]
    return batch_name


def batch_choice(board: Board) -> None:
    """The select box for the batch to change."""
    st.selectbox(
        gettext("Batch to change"),
        [batch.code_name for batch in board.batches],
        key="board-batch",
        help=gettext("Or tick a row of the table."),
    )


def _slot_rows(board: Board) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for batch in board.batches:
        head = {
            N_("Batch"): batch.code_name,
            N_("Priority"): batch.priority,
            N_("Tasks"): batch.tasks,
            N_("Due"): batch.due_on,
            N_("Free slots"): batch.free,
        }
        rows += [
            {
                **head,
                N_("Annotator"): slot.annotator
                if slot.active
                else gettext("{annotator} (inactive)", annotator=slot.annotator),
                N_("State"): gettext(STATE_WORDS[slot.state]),
                N_("Progress"): slot.finished / slot.tasks if slot.tasks else 0.0,
                N_("Skipped"): slot.skipped,
                N_("Flagged"): slot.flagged,
                N_("Last work"): pd.Timestamp(slot.updated_at) if slot.updated_at else pd.NaT,
            }
            for slot in batch.slots
        ] or [
            {
                **head,
                N_("Annotator"): None,
                N_("State"): gettext("nobody yet"),
                N_("Progress"): 0.0,
                N_("Skipped"): 0,
                N_("Flagged"): 0,
                N_("Last work"): pd.NaT,
            }
        ]
    return rows

"""The review queue as a paged table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.reviewing.queue_filters import filter_params
from pagetrail.app.reviewing.wording import differences, shorten, status_words
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import format_count, localise_numbers, time_column
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import Queue, QueueRow, count, queue

PAGE = 50
_QUESTION = 160
_TABLE = "review-table"


def show_queue(app: Services, campaigns: Mapping[int, str], filters: Filters, person: str) -> int:
    """Show the page given in the address; returns the total number of tasks.

    Choosing a row opens its task.

    Args:
        campaigns: id → name of those that make the queue.
    """
    engine, now, ids = app.workspace.engine, app.clock.now(), tuple(campaigns)
    table, pagination = st.container(), st.container()
    total = count(engine, ids, filters)
    pages = max(1, -(-total // PAGE))
    page = pagination.pagination(pages, key="page", bind="query-params") if pages > 1 else 1
    offset = (page - 1) * PAGE
    listing = queue(engine, ids, filters, now, limit=PAGE, offset=offset, total=total)
    if not listing.rows:
        return total
    with table:
        st.caption(_caption(total, is_joint=len(ids) > 1))
        event = show_table(
            _frame(listing, person, campaigns),
            width="stretch",
            max_height=470,
            placeholder="",
            on_select="rerun",
            selection_mode="single-row",
            key=_TABLE,
            column_config=_columns(),
        )
    selected = event.selection.rows
    if selected and selected[0] < len(listing.rows):
        open_task(listing.rows[selected[0]].task_id)
    return total


def _columns() -> dict[str, Any]:
    return {
        "Difference": st.column_config.ProgressColumn(
            format="%.2f",
            min_value=0,
            max_value=1,
            width="small",
            help=gettext(
                "Mean over the parts that anybody filled in: 0 means the same, 1 means nothing in "
                "common."
            ),
        ),
        "Question": st.column_config.TextColumn(width=330),
        "Differs most in": st.column_config.TextColumn(width="medium"),
        "Last change": time_column(),
    }


def open_task(task_id: int) -> None:
    """Open that task's review."""
    st.switch_page("views/reviewing.py", query_params=filter_params(task_id))


def _frame(listing: Queue, person: str, campaigns: Mapping[int, str]) -> pd.DataFrame:
    rows = listing.rows
    is_joint = len(campaigns) > 1
    return pd.DataFrame(
        {
            **({N_("Campaign"): [campaigns[row.campaign_id] for row in rows]} if is_joint else {}),
            N_("Difference"): [row.score if row.compared else None for row in rows],
            N_("Question"): [shorten(row.question, _QUESTION) for row in rows],
            N_("Key"): [row.key for row in rows],
            N_("Batch"): [row.batch for row in rows],
            N_("Differs most in"): [localise_numbers(differences(row)) for row in rows],
            N_("Annotators"): [", ".join(row.people) for row in rows],
            N_("Status"): [_status(row) for row in rows],
            N_("Flagged"): [gettext("flagged") if row.flagged else "" for row in rows],
            N_("Reviewer"): [_holder(row, person) for row in rows],
            N_("Last change"): [
                pd.Timestamp(row.changed_at) if row.changed_at else pd.NaT for row in rows
            ],
        }
    )


def _caption(total: int, *, is_joint: bool) -> str:
    if is_joint:
        return format_count(
            "{number} task. Choose a row to open it.",
            "{number} tasks, by campaign, the largest differences first. Choose a row to open it.",
            total,
        )
    return format_count(
        "{number} task. Choose a row to open it.",
        "{number} tasks, the largest differences first. Choose a row to open it.",
        total,
    )


def _status(row: QueueRow) -> str:
    return (
        gettext("{status}, being compared", status=status_words(row))
        if row.stale
        else status_words(row)
    )


def _holder(row: QueueRow, person: str) -> str:
    return gettext("you") if row.holder == person else row.holder or ""

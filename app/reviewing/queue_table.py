"""The review queue as a paged table."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.reviewing.queue_filters import filter_params
from pagetrail.app.reviewing.wording import differences, shorten, status_words
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import format_number, localise_numbers, time_column
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import Queue, QueueRow, count, queue

PAGE = 50
_QUESTION = 160
_TABLE = "review-table"
_COLUMNS = {
    "Difference": st.column_config.ProgressColumn(
        format="%.2f",
        min_value=0,
        max_value=1,
        width="small",
        help=N_(
            "Mean over the parts that anybody filled in: 0 means the same, 1 means nothing in "
            "common."
        ),
    ),
    "Question": st.column_config.TextColumn(width=330),
    "Differs most in": st.column_config.TextColumn(width="medium"),
}


def show_queue(app: Services, campaigns: Mapping[int, str], filters: Filters, person: str) -> int:
    """Draw the page given in the address; returns the total number of tasks.

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
        order = "by campaign, the largest differences first"
        order = order if len(ids) > 1 else order.removeprefix("by campaign, ")
        tasks = "1 task" if total == 1 else f"{format_number(total)} tasks, {order}"
        st.caption(gettext("{tasks}. Choose a row to open it.", tasks=tasks))
        event = st.dataframe(
            _frame(listing, person, campaigns),
            hide_index=True,
            width="stretch",
            height=min(36 * (len(listing.rows) + 1) + 2, 470),
            placeholder="",
            on_select="rerun",
            selection_mode="single-row",
            key=_TABLE,
            column_config={**_COLUMNS, "Last change": time_column()},
        )
    selected = event.selection.rows
    if selected and selected[0] < len(listing.rows):
        open_task(listing.rows[selected[0]].task_id)
    return total


def open_task(task_id: int) -> None:
    """Open that task's review."""
    st.switch_page("views/reviewing.py", query_params=filter_params(task_id))


def _frame(listing: Queue, person: str, campaigns: Mapping[int, str]) -> pd.DataFrame:
    rows = listing.rows
    is_joint = len(campaigns) > 1
    return pd.DataFrame(
        {
            **({"Campaign": [campaigns[row.campaign_id] for row in rows]} if is_joint else {}),
            "Difference": [row.score if row.compared else None for row in rows],
            "Question": [shorten(row.question, _QUESTION) for row in rows],
            "Key": [row.key for row in rows],
            "Batch": [row.batch for row in rows],
            "Differs most in": [localise_numbers(differences(row)) for row in rows],
            "Annotators": [", ".join(row.people) for row in rows],
            "Status": [_status(row) for row in rows],
            "Flagged": ["flagged" if row.flagged else "" for row in rows],
            "Reviewer": [_holder(row, person) for row in rows],
            "Last change": [
                pd.Timestamp(row.changed_at) if row.changed_at else pd.NaT for row in rows
            ],
        }
    )


def _status(row: QueueRow) -> str:
    return f"{status_words(row)}, being compared" if row.stale else status_words(row)


def _holder(row: QueueRow, person: str) -> str:
    return "you" if row.holder == person else row.holder or ""

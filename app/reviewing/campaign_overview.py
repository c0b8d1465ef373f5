"""All campaigns with their review counts, and the way into each queue."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.app.reviewing.queue_address import ACROSS
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.review.facets import tasks_to_review
from pagetrail.storage.review.overview import review_overview

_TABLE = "review-campaigns"
_COUNTS = {
    "Open": "Tasks that need a reviewer.",
    "To decide": "Those of them on which annotators differ, or that somebody flagged.",
    "With annotators": "Not started, in work, or returned.",
    "Decided": "Tasks with gold, accepted automatically or decided by a reviewer.",
    "Flagged": "Tasks that somebody has flagged.",
    "Skipped": "Skips, counted once per annotator.",
}


def campaign_overview(app: Services, *, pilots: bool) -> None:
    """An expander with one row per campaign; choosing one shows its queue.

    Args:
        pilots: with the pilots.
    """
    opened = st.expander(
        "Counts by campaign", icon=":material/list:", key="review-overview", on_change="rerun"
    )
    with opened:
        if not opened.open:
            return
        found = review_overview(app.workspace.engine, pilots=pilots)
        st.dataframe(
            pd.DataFrame(
                {
                    "Campaign": [each.campaign for each in found],
                    "Tasks": [each.tasks for each in found],
                    "Open": [each.open for each in found],
                    "To decide": [each.conflicts for each in found],
                    "With annotators": [each.waiting for each in found],
                    "Decided": [each.decided for each in found],
                    "Flagged": [each.flagged for each in found],
                    "Skipped": [each.skipped for each in found],
                }
            ),
            hide_index=True,
            height=min(320, 36 * (len(found) + 1) + 2),
            key=_TABLE,
            on_select=partial(_take_row, [each.campaign for each in found]),
            selection_mode="single-row",
            column_config={
                name: st.column_config.NumberColumn(help=text) for name, text in _COUNTS.items()
            },
        )
        st.caption("Choose a row to see the campaign’s queue.")


def link_to_all(app: Services, campaigns: Mapping[str, int]) -> None:
    """A link to the queue of all campaigns, with how many of its tasks need a reviewer.

    Nothing where there is one campaign, or nothing waits.
    """
    waiting = tasks_to_review(app.workspace.engine, campaigns.values())
    if waiting and len(campaigns) > 1:
        st.page_link(
            "views/review.py",
            label=f"Need a reviewer in all campaigns · {format_number(waiting)}",
            icon=":material/rule:",
            query_params={ACROSS: "yes"},
        )


def _take_row(names: list[str]) -> None:
    """Callback: show the queue of the clicked row's campaign."""
    for place in st.session_state[_TABLE]["selection"]["rows"]:
        if place < len(names):
            st.session_state["campaign"] = names[place]

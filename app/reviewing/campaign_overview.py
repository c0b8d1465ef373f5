"""All campaigns with their review counts, and the way into each queue."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.reviewing.queue_address import ACROSS
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.page import lazy_expander
from pagetrail.app.ui.tables import show_table, store_clicked
from pagetrail.storage.review.facets import tasks_to_review
from pagetrail.storage.review.overview import review_overview

_TABLE = "review-campaigns"
_COUNTS = {
    "Open": N_("Tasks that need a reviewer."),
    "To decide": N_("Those of them on which annotators differ, or that somebody flagged."),
    "With annotators": N_("Not started, in work, or sent back."),
    "Decided": N_("Tasks with gold, accepted automatically or decided by a reviewer."),
    "Flagged": N_("Tasks that somebody has flagged."),
    "Skipped": N_("Skips, counted once per annotator."),
}


def campaign_overview(app: Services, *, pilots: bool) -> None:
    """An expander with one row per campaign; choosing one shows its queue.

    Args:
        pilots: with the pilots.
    """
    with lazy_expander(
        gettext("Counts by campaign"), "review-overview", ":material/list:"
    ) as is_open:
        if not is_open:
            return
        overviews = review_overview(app.workspace.engine, pilots=pilots)
        show_table(
            pd.DataFrame(
                {
                    N_("Campaign"): [overview.campaign for overview in overviews],
                    N_("Tasks"): [overview.tasks for overview in overviews],
                    N_("Open"): [overview.open for overview in overviews],
                    N_("To decide"): [overview.conflicts for overview in overviews],
                    N_("With annotators"): [overview.waiting for overview in overviews],
                    N_("Decided"): [overview.decided for overview in overviews],
                    N_("Flagged"): [overview.flagged for overview in overviews],
                    N_("Skipped"): [overview.skipped for overview in overviews],
                }
            ),
            max_height=320,
            key=_TABLE,
            on_select=partial(
                store_clicked, _TABLE, "campaign", [overview.campaign for overview in overviews]
            ),
            selection_mode="single-row",
            column_config={
                name: st.column_config.NumberColumn(help=gettext(text))
                for name, text in _COUNTS.items()
            },
        )
        st.caption(gettext("Choose a row to see the campaign’s queue."))


def link_to_all_campaigns(app: Services, campaigns: Mapping[str, int]) -> None:
    """A link to the queue of all campaigns, with how many of its tasks need a reviewer.

    Nothing where there is one campaign, or nothing waits.
    """
    waiting = tasks_to_review(app.workspace.engine, campaigns.values())
    if waiting and len(campaigns) > 1:
        st.page_link(
            "views/review.py",
            label=gettext(
                "Need a reviewer in all campaigns · {waiting}", waiting=format_number(waiting)
            ),
            icon=":material/rule:",
            query_params={ACROSS: "yes"},
        )

"""Comparing what has changed while the queue is looked at, a little at a time."""

from __future__ import annotations

import streamlit as st

from pagetrail.app.services.composition import Services
from pagetrail.storage.review.projection import stale_tasks

AT_ONCE_S = 0.25
"""Of a click's half second: what is left is done by and by."""
_AGAIN_S = 0.5
_EVERY_S = 1.5
_WHOLE_SCREEN = "review-whole-screen"


def compare_on(app: Services, campaign_id: int) -> None:
    """Say what is still to be compared, and go on with it; the screen follows at the end."""
    if not stale_tasks(app.workspace.engine, campaign_id):
        return

    @st.fragment(run_every=_EVERY_S)
    def going_on() -> None:
        # With the whole screen it has been done before this is drawn.
        if not st.session_state.pop(_WHOLE_SCREEN, False):
            app.reviews.settle(campaign_id, budget_s=_AGAIN_S)
        left = stale_tasks(app.workspace.engine, campaign_id)
        if not left:
            st.rerun(scope="app")
        noun = "task has" if left == 1 else "tasks have"
        st.info(
            f"{left:,} {noun} changed and are still to be compared. The list is complete in a "
            "moment.",
            icon=":material/hourglass_top:",
        )

    st.session_state[_WHOLE_SCREEN] = True
    going_on()

"""Bringing what reviewers see up to date while the dashboard is looked at, a little at a time."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.progress.data import Shown
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.progress.dashboard import still_to_do

FIRST_S = 0.25
"""Of the two seconds until the screen stands."""
_AGAIN_S = 0.5
_EVERY_S = 1.5


def settle_first(app: Services, wanted: Shown) -> tuple[int, int]:
    """Do what a moment allows; returns (tasks to be compared, tasks to be accepted) of the rest."""
    if not any(wanted.moment.to_do):
        return wanted.moment.to_do
    app.reviews.settle(wanted.campaign.id, budget_s=FIRST_S)
    return still_to_do(app.workspace.engine, wanted.campaign.id)


def settle_on(app: Services, campaign_id: int, left: tuple[int, int]) -> None:
    """Say what is left, and go on with it until it is done; then the screen is drawn anew.

    Args:
        left: what ``settle_first`` returned.
    """
    if not any(left):
        return
    key = f"settling-{campaign_id}"
    at_first = max(sum(left), st.session_state.get(key, 0))
    st.session_state[key] = at_first
    st.session_state[f"{key}-whole"] = True

    @st.fragment(run_every=_EVERY_S)
    def going_on() -> None:
        now = left
        # With the whole screen it has been done before this is drawn.
        if not st.session_state.pop(f"{key}-whole", False):
            try:
                before = still_to_do(app.workspace.engine, campaign_id)
                app.reviews.settle(campaign_id, budget_s=_AGAIN_S)
                now = still_to_do(app.workspace.engine, campaign_id)
            except PagetrailError as error:
                st.error(literal(error.message))
                return
            if not any(now) or now == before:
                # Done, or what is left is in a reviewer's hands.
                st.session_state.pop(key, None)
                st.rerun(scope="app")
        stale, agreed = now
        done = 1 - sum(now) / at_first if at_first else 1.0
        st.progress(min(1.0, max(0.0, done)), text=_words(stale, agreed))

    going_on()


def _words(stale: int, agreed: int) -> str:
    said = []
    if stale:
        noun = "task has" if stale == 1 else "tasks have"
        said.append(
            f"{stale:,} {noun} changed and are still to be compared: times, agreement and review "
            "leave out what they say"
        )
    if agreed:
        noun = "task" if agreed == 1 else "tasks"
        said.append(f"{agreed:,} agreed {noun} to become gold by the rule")
    return ". ".join(said) + ". This goes on by itself."

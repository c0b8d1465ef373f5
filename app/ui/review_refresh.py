"""Compares submissions in small steps while a supervisor's screen is open."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count
from pagetrail.storage.progress.dashboard import still_to_do

_CLICK_BUDGET_S = 0.25
"""Part of the half second that a click may take; the fragment does the rest."""
_REFRESH_BUDGET_S = 0.5
_REFRESH_INTERVAL_S = 1.5


def compare_within_click(app: Services, campaigns: Sequence[int]) -> tuple[int, int]:
    """Compare for a quarter second; returns the numbers of tasks left to compare and to accept."""
    _compare(app, campaigns, _CLICK_BUDGET_S)
    return _remaining(app, campaigns)


def continue_comparing(app: Services, campaigns: Sequence[int], remaining: tuple[int, int]) -> None:
    """Show what remains and continue until it is done; then rerun the whole screen.

    Args:
        remaining: what ``compare_within_click`` returned.
    """
    key = f"settling-{'-'.join(map(str, campaigns))}"
    if not any(remaining) or remaining == st.session_state.get(f"{key}-held"):
        return
    initial_count = max(sum(remaining), st.session_state.get(key, 0))
    st.session_state[key] = initial_count
    st.session_state[f"{key}-whole"] = True

    @st.fragment(run_every=_REFRESH_INTERVAL_S)
    def continue_in_fragment() -> None:
        current = remaining
        # In a run of the whole screen, compare_within_click has just done its share.
        if not st.session_state.pop(f"{key}-whole", False):
            try:
                previous = _remaining(app, campaigns)
                _compare(app, campaigns, _REFRESH_BUDGET_S)
                current = _remaining(app, campaigns)
            except PagetrailError as error:
                st.error(literal(error.message))
                return
            if not any(current) or current == previous:
                # Done, or a reviewer holds the rest: otherwise the screen would redraw forever.
                st.session_state[f"{key}-held"] = current
                st.session_state.pop(key, None)
                st.rerun(scope="app")
        proportion = 1 - sum(current) / initial_count if initial_count else 1.0
        st.progress(min(1.0, max(0.0, proportion)), text=_remaining_sentence(*current))

    continue_in_fragment()


def _compare(app: Services, campaigns: Sequence[int], budget_s: float) -> None:
    deadline = monotonic() + budget_s
    for campaign in campaigns:
        remaining_s = deadline - monotonic()
        if remaining_s <= 0:
            return
        app.reviews.acceptance.settle(campaign, budget_s=remaining_s)


def _remaining(app: Services, campaigns: Sequence[int]) -> tuple[int, int]:
    counts = [still_to_do(app.workspace.engine, campaign) for campaign in campaigns]
    return sum(stale for stale, _ in counts), sum(agreed for _, agreed in counts)


def _remaining_sentence(stale: int, agreed: int) -> str:
    sentences = []
    if stale:
        sentences.append(
            format_count(
                "{number} task has changed and must still be compared: the results below do not "
                "include it yet.",
                "{number} tasks have changed and must still be compared: the results below do not "
                "include them yet.",
                stale,
            )
        )
    if agreed:
        sentences.append(
            format_count(
                "{number} agreed task will be accepted automatically.",
                "{number} agreed tasks will be accepted automatically.",
                agreed,
            )
        )
    return " ".join([*sentences, gettext("This continues automatically.")])

"""Bringing review up to date while a supervisor looks at a screen, a little at a time."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.progress.dashboard import still_to_do

_FIRST_S = 0.25
"""Of the half second that a click may take; the fragment does the rest."""
_AGAIN_S = 0.5
_EVERY_S = 1.5


def settle_first(app: Services, campaigns: Sequence[int]) -> tuple[int, int]:
    """Do what a moment allows; returns how many tasks are left to compare, and to accept."""
    _settle(app, campaigns, _FIRST_S)
    return _left(app, campaigns)


def settle_on(app: Services, campaigns: Sequence[int], left: tuple[int, int]) -> None:
    """Show what is left, and continue until it is done; then the whole screen is drawn again.

    Args:
        left: what ``settle_first`` returned.
    """
    key = f"settling-{'-'.join(map(str, campaigns))}"
    if not any(left) or left == st.session_state.get(f"{key}-held"):
        return
    at_first = max(sum(left), st.session_state.get(key, 0))
    st.session_state[key] = at_first
    st.session_state[f"{key}-whole"] = True

    @st.fragment(run_every=_EVERY_S)
    def continue_settling() -> None:
        now = left
        # When the whole screen runs, settle_first has just done its share.
        if not st.session_state.pop(f"{key}-whole", False):
            try:
                before = _left(app, campaigns)
                _settle(app, campaigns, _AGAIN_S)
                now = _left(app, campaigns)
            except PagetrailError as error:
                st.error(literal(error.message))
                return
            if not any(now) or now == before:
                # Done, or a reviewer holds the rest: the screen would otherwise redraw for ever.
                st.session_state[f"{key}-held"] = now
                st.session_state.pop(key, None)
                st.rerun(scope="app")
        done = 1 - sum(now) / at_first if at_first else 1.0
        st.progress(min(1.0, max(0.0, done)), text=_what_is_left(*now))

    continue_settling()


def _settle(app: Services, campaigns: Sequence[int], budget_s: float) -> None:
    until = monotonic() + budget_s
    for each in campaigns:
        left_s = until - monotonic()
        if left_s <= 0:
            return
        app.reviews.settle(each, budget_s=left_s)


def _left(app: Services, campaigns: Sequence[int]) -> tuple[int, int]:
    found = [still_to_do(app.workspace.engine, each) for each in campaigns]
    return sum(stale for stale, _ in found), sum(agreed for _, agreed in found)


def _what_is_left(stale: int, agreed: int) -> str:
    sentences = []
    if stale:
        noun = "task has" if stale == 1 else "tasks have"
        sentences.append(
            f"{format_number(stale)} {noun} changed and are still to be compared: the results "
            "below do not include them yet"
        )
    if agreed:
        noun = "task" if agreed == 1 else "tasks"
        sentences.append(f"{format_number(agreed)} agreed {noun} will be accepted automatically")
    return ". ".join(sentences) + ". This continues by itself."

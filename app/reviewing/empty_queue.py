"""Advice for an empty review queue."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pagetrail.annotation.review.status import Status
from pagetrail.app.ui.notation import format_number


def nothing_here(counts: Mapping[Status, int], *, queue: bool, narrowed: bool) -> None:
    """Show why the queue is empty, and what to do next.

    Args:
        queue: whether the tasks that need a reviewer are shown, not another status.
        narrowed: whether filters are set.
    """
    st.info(advice(counts, queue=queue, narrowed=narrowed), icon=":material/inbox:")


def advice(counts: Mapping[Status, int], *, queue: bool, narrowed: bool) -> str:
    """The sentence that ``nothing_here`` shows."""
    if narrowed:
        return "No tasks match. Remove a filter."
    if not queue:
        return "No tasks have this status."
    alone = counts.get("alone", 0)
    settled = sum(counts.get(status, 0) for status in ("agreed", "accepted", "decided"))
    out = counts.get("waiting", 0) + counts.get("returned", 0)
    if not settled and not out and not alone:
        return "This campaign has no tasks."
    if alone:
        return (
            f"Nothing needs a reviewer now. {format_number(alone)} tasks have one annotator, as "
            "this campaign asks for, so there is nothing to compare; *One annotator* above lists "
            "them."
        )
    if not settled:
        return (
            "Nothing to review yet. A task appears here once all its annotators have submitted it "
            "and they differ. See Progress for what is still open."
        )
    if out:
        return (
            f"Nothing needs a reviewer now. Gold or about to be: {format_number(settled)}; with "
            f"annotators: {format_number(out)}."
        )
    return f"All {format_number(settled)} tasks are gold. Export them under Administration."

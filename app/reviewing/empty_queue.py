"""What to do next where the queue of review shows nothing."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pagetrail.annotation.review.status import Status


def nothing_here(counts: Mapping[Status, int], *, queue: bool, narrowed: bool) -> None:
    """Say why there is nothing, and what comes next.

    Args:
        queue: whether what needs a person was asked for, not some other status.
        narrowed: whether filters leave anything out.
    """
    st.info(advice(counts, queue=queue, narrowed=narrowed), icon=":material/inbox:")


def advice(counts: Mapping[Status, int], *, queue: bool, narrowed: bool) -> str:
    """The sentence that ``nothing_here`` shows."""
    if narrowed:
        return "No task is like that. Take a filter away."
    if not queue:
        return "No task stands there."
    settled = sum(counts.get(status, 0) for status in ("agreed", "accepted", "decided"))
    out = counts.get("waiting", 0) + counts.get("returned", 0)
    if not settled and not out:
        return "This campaign has no tasks."
    if not settled:
        return (
            "Nothing to review yet. A task comes here once everybody it is meant for has handed "
            "it in and they differ; who is how far is under Progress."
        )
    if out:
        return (
            f"Nothing needs a person now: {settled:,} tasks are gold or about to be, and "
            f"{out:,} are with annotators."
        )
    return f"All {settled:,} tasks are gold. Export them under Administration."

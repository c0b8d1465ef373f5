"""Advice for an empty review queue."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.review.status import Status
from pagetrail.app.ui.notation import format_count, format_number


def show_empty_queue(counts: Mapping[Status, int], *, is_queue: bool, is_filtered: bool) -> None:
    """Show why the queue is empty, and what to do next.

    Args:
        is_queue: whether the tasks that need a reviewer are shown, not another status.
        is_filtered: whether filters are set.
    """
    st.info(
        empty_queue_advice(counts, is_queue=is_queue, is_filtered=is_filtered),
        icon=":material/inbox:",
    )


def empty_queue_advice(counts: Mapping[Status, int], *, is_queue: bool, is_filtered: bool) -> str:
    """The sentence that ``nothing_here`` shows."""
    if is_filtered:
        return gettext("No tasks match. Remove a filter.")
    if not is_queue:
        return gettext("No tasks have this status.")
    single_annotator = counts.get("alone", 0)
    gold = sum(counts.get(status, 0) for status in ("agreed", "accepted", "decided"))
    with_annotators = counts.get("waiting", 0) + counts.get("returned", 0)
    if not gold and not with_annotators and not single_annotator:
        return gettext("This campaign has no tasks.")
    if single_annotator:
        return format_count(
            "Nothing needs a reviewer now. {number} task has one annotator, as this campaign asks "
            "for, so there is nothing to compare; *One annotator* above lists it.",
            "Nothing needs a reviewer now. {number} tasks have one annotator, as this campaign "
            "asks for, so there is nothing to compare; *One annotator* above lists them.",
            single_annotator,
        )
    if not gold:
        return gettext(
            "Nothing to review yet. A task appears here once all its annotators "
            "have submitted it and they differ. See Progress for what is still "
            "open."
        )
    if with_annotators:
        return gettext(
            "Nothing needs a reviewer now. Decided or about to be accepted: {gold}; with "
            "annotators: {with_annotators}.",
            gold=format_number(gold),
            with_annotators=format_number(with_annotators),
        )
    return format_count(
        "The only task is gold. Export it under Administration.",
        "All {number} tasks are gold. Export them under Administration.",
        gold,
    )

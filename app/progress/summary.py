"""The tiles at the top of the dashboard, and links to the review queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pagetrail.annotation.review.status import NEEDS_A_PERSON
from pagetrail.annotation.review.status_words import STATUS_WORDS
from pagetrail.app.progress.report_computation import Head
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.exports.reports.progress.tables import end_words

_MOST_ALERTS = 6
_TILE_PX = 144
"""Pixels; wide enough for each label and number, and eight fit on a small laptop."""


def show_head(found: Head) -> None:
    """Counts, pace, time, and hits of the first query; intervals beside the estimates."""
    line = found.whole
    counts, going, times, hit = line.counts, line.pace, line.times, line.hit
    tiles = st.container(horizontal=True, gap="small")

    def tile(label: str, value: str, beside: str, help_: str) -> None:
        with tiles.container(border=True, gap=None, width=_TILE_PX):
            st.metric(label, value, help=help_)
            st.caption(literal(beside))

    done = 100 * counts.finished / counts.expected if counts.expected else None
    # A tile has room for five signs.
    share = "–" if done is None else f"{format_number(done, 0 if done >= 99.95 else 1)} %"
    tile("Done", share, f"{format_number(counts.finished)} of {format_number(counts.expected)}",
         "Answers (task × person) that are submitted or skipped, of those wanted.")  # fmt: skip
    tile("Open", format_number(counts.begun), f"{format_number(counts.untouched)} not opened yet",
         "Started but not submitted.")  # fmt: skip
    tile("Flagged", format_number(counts.flagged),
         _of(counts.flagged, counts.finished + counts.begun),
         "Flagged for a supervisor, whatever their status.")  # fmt: skip
    tile("Skipped", format_number(counts.skipped), _of(counts.skipped, counts.finished),
         "Skipped with a reason.")  # fmt: skip
    daily = "–" if going.per_day is None else format_number(going.per_day, 1)
    tile("Per day", daily, f"{format_number(going.last_week / 7, 1)} in 7 days",
         "Submitted tasks per day since the first one, including days without work; below, per day "
         "over the last seven.")  # fmt: skip
    end, _, interval = end_words(going, found.now_s).partition(" [")
    if going.end is None:
        tile("End", "Done" if going.reason == "done" else "–",
             "nothing is open" if going.reason == "done" else end, _END)  # fmt: skip
    else:
        tile("End", end, f"[{interval}", _END)
    if times.median is None:
        tile("Time per task", "–", "nothing measured yet", _TIME)
    else:
        tile("Time per task", f"{format_number(times.median)} s",
             f"{format_number(times.q1 or 0)}–{format_number(times.q3 or 0)} s; "
             f"wall {format_number(times.wall or 0)} s", _TIME)  # fmt: skip
    if hit.value is None:
        tile("First query hits", "–", "no gold pages, or no query", _HIT)
    else:
        if hit.low is None or hit.high is None:
            ends = "one task only"
        else:
            low, high = (format_number(100 * bound, 1) for bound in (hit.low, hit.high))
            ends = f"[{low}, {high}] %"
        tile("First query hits", f"{format_number(100 * hit.value, 1)} %", ends, _HIT)


_END = (
    "When everything will be submitted at the pace of the last 14 days, with a 95 % interval from "
    "the variation between days; “open” if the slow end has no date."
)
_TIME = (
    "Median active time of submitted tasks (gaps count up to 60 s each); below, the quartiles and "
    "the median wall time."
)
_HIT = "Share of tasks whose first query returned a right page, with its 95 % interval over tasks."


def show_ways(found: Head, campaign: str, pilot_queue: Mapping[str, str] | None) -> DeltaGenerator:
    """What waits for review, each with its way into the queue; returns their row.

    Nothing of a pilot waits: its gold is known.

    Args:
        pilot_queue: of a pilot, the address of its queue.
    """
    if pilot_queue is not None:
        row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        with row:
            st.markdown("The gold of a pilot is known: its tasks are not in the review queue")
            st.page_link(
                "views/review.py",
                label="Review them nevertheless",
                icon=":material/rule:",
                query_params=pilot_queue,
            )
        return row
    needing = sum(found.review_counts.get(status, 0) for status in NEEDS_A_PERSON)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with row:
        st.markdown(
            f"**{format_number(needing)}** need a reviewer"
            if needing
            else "Nothing needs a reviewer"
        )
        for status, words in STATUS_WORDS.items():
            number = found.review_counts.get(status, 0)
            if number:
                st.page_link(
                    "views/review.py",
                    label=f"{words} · {format_number(number)}",
                    icon=":material/rule:" if status in NEEDS_A_PERSON else None,
                    query_params={"campaign": campaign, "status": status},
                )
    return row


def show_alerts(alerts: Sequence[tuple[str, str]]) -> None:
    """Whose work somebody should look at, and why."""
    if alerts:
        said = "; ".join(f"{name}: {alert}" for name, alert in alerts[:_MOST_ALERTS])
        more = (
            f"; {format_number(len(alerts) - _MOST_ALERTS)} more"
            if len(alerts) > _MOST_ALERTS
            else ""
        )
        st.warning(
            literal(f"{said}{more}. See Quality below."), icon=":material/notification_important:"
        )


def _of(part: int, whole: int) -> str:
    return (
        f"{format_number(100 * part / whole, 1)} % of {format_number(whole)}"
        if whole
        else "of none"
    )

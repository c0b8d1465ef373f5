"""The tiles at the top of the dashboard, and links to the review queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pagetrail.annotation.messages import N_, gettext, translate
from pagetrail.annotation.progress.pace import Pace
from pagetrail.annotation.progress.summary import Counts, Times
from pagetrail.annotation.review.status import NEEDS_REVIEWER, STATUS_WORDS
from pagetrail.annotation.statistics.clustered_mean import Mean
from pagetrail.app.progress.report_computation import CampaignSummary
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count, format_number
from pagetrail.exports.reports.progress.tables import end_words, finish_dates

_MAX_ALERTS = 6
_TILE_PX = 144
"""Wide enough for all labels and numbers; eight fit on a small laptop."""


_END = N_(
    "Expected finish date at the pace of the last 14 days, skipped tasks included, with a 95 % "
    "interval from the variation between days; “open” if there is no "
    "latest date."
)
_TIME = N_(
    "Median active time of submitted tasks (gaps count up to 60 s each); "
    "below, the quartiles and the median wall time."
)
_HIT = N_(
    "Proportion of tasks whose first query returned a right page, with its "
    "95 % interval over tasks."
)


class _Tile(NamedTuple):
    """A number with its label, a line below it, and what it means."""

    label: str
    value: str
    detail: str
    help: str


def show_summary(summary: CampaignSummary) -> None:
    """Counts, pace, time and first-query hits, with intervals."""
    line = summary.whole
    tiles = [
        *_count_tiles(line.counts),
        _pace_tile(line.pace),
        _finish_tile(line.pace, summary.now_s),
        _time_tile(line.times),
        _hit_tile(line.hit),
    ]
    row = st.container(horizontal=True, gap="small")
    for tile in tiles:
        with row.container(border=True, gap=None, width=_TILE_PX, height="stretch"):
            st.metric(tile.label, tile.value, help=tile.help)
            st.caption(literal(tile.detail))


def show_excluded(excluded: int) -> None:
    """The number of excluded tasks, which are in none of the other numbers."""
    if excluded:
        st.caption(
            format_count(
                "Excluded: {number} task, which counts nowhere here.",
                "Excluded: {number} tasks, which count nowhere here.",
                excluded,
            )
        )


def _count_tiles(counts: Counts) -> list[_Tile]:
    percent_done = 100 * counts.finished / counts.expected if counts.expected else None
    # A tile has room for five characters.
    proportion = (
        "–"
        if percent_done is None
        else f"{format_number(percent_done, 0 if percent_done >= 99.95 else 1)} %"
    )
    return [
        _Tile(
            gettext("Done"),
            proportion,
            gettext(
                "{number} of {total}",
                number=format_number(counts.finished),
                total=format_number(counts.expected),
            ),
            gettext("Submitted or skipped answers (task × person), of those expected."),
        ),
        _Tile(
            gettext("Open"),
            format_number(counts.begun),
            gettext("{number} not opened yet", number=format_number(counts.untouched)),
            gettext("Started but not submitted."),
        ),
        _Tile(
            gettext("Flagged"),
            format_number(counts.flagged),
            _percentage(counts.flagged, counts.finished + counts.begun),
            gettext("Flagged for a supervisor, whatever their status."),
        ),
        _Tile(
            gettext("Skipped"),
            format_number(counts.skipped),
            _percentage(counts.skipped, counts.finished),
            gettext("Skipped with a reason."),
        ),
    ]


def _pace_tile(pace: Pace) -> _Tile:
    return _Tile(
        gettext("Per day"),
        "–" if pace.submitted_per_day is None else format_number(pace.submitted_per_day, 1),
        gettext("{number} in 7 days", number=format_number(pace.submitted_last_week / 7, 1)),
        gettext(
            "Submitted tasks per day since the first one, including days without "
            "work; below, per day over the last seven. Skipped tasks do not count."
        ),
    )


def _finish_tile(pace: Pace, now_s: float) -> _Tile:
    label, help_text = gettext("Finish"), gettext(_END)
    dates = finish_dates(pace, now_s)
    if dates is not None:
        latest = dates.latest or gettext("open")
        return _Tile(label, dates.end, f"[{dates.soonest}, {latest}]", help_text)
    if pace.reason == "done":
        return _Tile(label, gettext("Done"), gettext("nothing is open"), help_text)
    return _Tile(label, "–", translate(end_words(pace, now_s)), help_text)


def _time_tile(times: Times) -> _Tile:
    if times.median is None:
        return _Tile(gettext("Time per task"), "–", gettext("nothing measured yet"), gettext(_TIME))
    return _Tile(
        gettext("Time per task"),
        f"{format_number(times.median)} s",
        gettext(
            "{lower}–{upper} s; wall {wall} s",
            lower=format_number(times.q1 or 0),
            upper=format_number(times.q3 or 0),
            wall=format_number(times.wall or 0),
        ),
        gettext(_TIME),
    )


def _hit_tile(hit: Mean) -> _Tile:
    label, help_text = gettext("First query hits"), gettext(_HIT)
    if hit.value is None:
        return _Tile(label, "–", gettext("no gold pages, or no query"), help_text)
    if hit.low is None or hit.high is None:
        interval = gettext("one task only")
    else:
        low, high = (format_number(100 * bound, 1) for bound in (hit.low, hit.high))
        interval = f"[{low}, {high}] %"
    return _Tile(label, f"{format_number(100 * hit.value, 1)} %", interval, help_text)


def show_review_links(
    summary: CampaignSummary, campaign: str, pilot_queue: Mapping[str, str] | None
) -> DeltaGenerator:
    """Links to the review queue with their counts; returns the row that holds them.

    A pilot's gold is known, so nothing of it waits for review.

    Args:
        pilot_queue: address of the queue, if it is a pilot.
    """
    if pilot_queue is not None:
        row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        with row:
            st.markdown(
                gettext("The gold of a pilot is known: its tasks are not in the review queue")
            )
            st.page_link(
                "views/review.py",
                label=gettext("Review them nevertheless"),
                icon=":material/rule:",
                query_params=pilot_queue,
            )
        return row
    to_review = sum(summary.review_counts.get(status, 0) for status in NEEDS_REVIEWER)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with row:
        st.markdown(
            format_count("**{number}** needs a reviewer", "**{number}** need a reviewer", to_review)
            if to_review
            else gettext("Nothing needs a reviewer")
        )
        for status, words in STATUS_WORDS.items():
            number = summary.review_counts.get(status, 0)
            if number:
                st.page_link(
                    "views/review.py",
                    label=f"{gettext(words)} · {format_number(number)}",
                    icon=":material/rule:" if status in NEEDS_REVIEWER else None,
                    query_params={"campaign": campaign, "status": status},
                )
    return row


def show_alerts(alerts: Sequence[tuple[str, str]]) -> None:
    """Annotators whose work should be checked, and why."""
    if alerts:
        listed_alerts = "; ".join(f"{name}: {alert}" for name, alert in alerts[:_MAX_ALERTS])
        more = (
            gettext("; {number} more", number=format_number(len(alerts) - _MAX_ALERTS))
            if len(alerts) > _MAX_ALERTS
            else ""
        )
        st.warning(
            literal(gettext("{alerts}. See Quality below.", alerts=f"{listed_alerts}{more}")),
            icon=":material/notification_important:",
        )


def _percentage(part: int, whole: int) -> str:
    return (
        gettext(
            "{percent} % of {total}",
            percent=format_number(100 * part / whole, 1),
            total=format_number(whole),
        )
        if whole
        else gettext("of none")
    )

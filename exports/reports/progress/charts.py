"""Charts of progress: tasks done, time per task, days of work, and review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import altair as alt

from pagetrail.annotation.messages import join_messages, lazy_gettext, lazy_ngettext
from pagetrail.annotation.progress.pace import DAY_S, FinishedDay
from pagetrail.annotation.progress.summary import Counts, Line
from pagetrail.annotation.review.status import NEEDS_REVIEWER, STATUS_WORDS
from pagetrail.exports.reports.charts.style import (
    COLOURS,
    GRID,
    HEIGHT,
    INK,
    PAPER,
    WIDTH,
    chart_spec,
    distinct,
    inline_data,
    legend,
    whole_ticks,
)
from pagetrail.exports.reports.model import Chart

MOST_ROWS = 14
"""Maximum number of bars; tables have all rows."""

DAY_LABELS = 6
"""Maximum number of labelled days: all labels fit on a phone, so none is dropped."""

GAP_MS = DAY_S * 1000 // 25
"""Gap between bars. An outline would cover the axis, and bars if there are many days."""

FEWEST_DAYS = 10
"""Minimum number of days on the axis, so that no bar is wider than a tenth of it."""

ALL = lazy_gettext("All")
STATES = {
    "submitted": (lazy_gettext("submitted"), COLOURS[0]),
    "skipped": (lazy_gettext("skipped"), COLOURS[1]),
    "begun": (lazy_gettext("open"), "#8fb4d6"),
    "untouched": (lazy_gettext("not opened"), GRID),
}


def far_chart(
    parts: Mapping[str, Counts], total: Counts, *, key: Literal["batches", "people"], title: str
) -> Chart:
    """Stacked bars of progress by batch or person; if there are many, those furthest behind."""
    most_behind = sorted(
        (name for name in parts if parts[name].expected),
        key=lambda name: (parts[name].finished / parts[name].expected, name),
    )
    shown_names = [name for name in parts if name in set(most_behind[:MOST_ROWS])]
    names = distinct(shown_names)
    rows: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    for name, counts in [(ALL, total), *((names[n], parts[n]) for n in shown_names)]:
        if not counts.expected:
            continue
        start = 0.0
        for state, (words, _) in STATES.items():
            n = getattr(counts, state)
            share = n / counts.expected
            rows.append({"name": name, "state": words, "start": start, "end": start + share,
                         "n": n})  # fmt: skip
            start += share
        labels.append(
            {
                "name": name,
                "end": 1,
                "label": lazy_gettext(
                    "{finished:,} of {expected:,}",
                    finished=counts.finished,
                    expected=counts.expected,
                ),
            }
        )
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(ticks=False, domain=False))
    x = alt.X(
        "start:Q",
        title=lazy_gettext("Answers expected (%)"),
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1], grid=False),
    )
    colour = alt.Color(
        "state:N",
        sort=None,
        scale=alt.Scale(
            domain=[words for words, _ in STATES.values()], range=[c for _, c in STATES.values()]
        ),
        legend=legend([words for words, _ in STATES.values()], symbol="square"),
    )
    tips = [
        alt.Tooltip("name:N", title=lazy_gettext("Name")),
        alt.Tooltip("state:N", title=lazy_gettext("State")),
        alt.Tooltip("n:Q", title=lazy_gettext("Answers"), format=",d"),
    ]
    bars = (
        alt.Chart(inline_data(rows))
        .mark_bar(stroke=PAPER, strokeWidth=1)
        .encode(x=x, x2=alt.X2("end:Q"), y=y, color=colour, tooltip=tips)
    )
    sums = (
        alt.Chart(inline_data(labels))
        .mark_text(align="left", dx=6)
        .encode(x=alt.X("end:Q"), y=y, text=alt.Text("label:N"))
    )
    share = 100 * total.finished / total.expected if total.expected else 0
    numbers = {"finished": total.finished, "share": share, "skipped": total.skipped}
    limits = {"shown": len(shown_names), "all": len(parts)}
    caption = (
        lazy_ngettext(
            "{finished:,} of {number:,} answer is submitted or skipped, {skipped:,} of them "
            "skipped ({share:.0f} %).",
            "{finished:,} of {number:,} answers are submitted or skipped, {skipped:,} of them "
            "skipped ({share:.0f} %).",
            total.expected,
            **numbers,
        )
        if total.skipped
        else lazy_ngettext(
            "{finished:,} of {number:,} answer is submitted ({share:.0f} %).",
            "{finished:,} of {number:,} answers are submitted ({share:.0f} %).",
            total.expected,
            **numbers,
        )
    )
    only_furthest_behind = (
        lazy_gettext("Only the {shown} of {all} batches furthest behind are shown.", **limits)
        if key == "batches"
        else lazy_gettext("Only the {shown} of {all} people furthest behind are shown.", **limits)
    )
    return Chart(
        key=key,
        title=title,
        caption=join_messages(
            [caption, *([only_furthest_behind] if len(shown_names) < len(parts) else [])]
        ),
        spec=chart_spec(
            alt.layer(bars, sums, width=WIDTH - 90, height=24 * (len(shown_names) + 1)), title
        ),
    )


def time_chart(people: Mapping[str, Line], total: Line) -> Chart:
    """Median and quartiles of active time, fastest first; if there are many, both ends."""
    title = lazy_gettext("How long does a task take?")
    timed = sorted(
        (name for name in people if people[name].times.median is not None),
        key=lambda name: (people[name].times.median or 0.0, name),
    )
    half = MOST_ROWS // 2
    shown_names = timed if len(timed) <= MOST_ROWS else [*timed[:half], *timed[-half:]]
    names = distinct(shown_names)
    rows = [
        {"name": label, "median": times.median, "q1": times.q1, "q3": times.q3, "n": times.n}
        for label, times in [
            (ALL, total.times),
            *((names[name], people[name].times) for name in shown_names),
        ]
        if times.median is not None
    ]
    axis = lazy_gettext("Active time per task (s): median and interquartile range")
    base = alt.Chart(inline_data(rows)).encode(
        y=alt.Y(
            "name:N", title=None, sort=None, axis=alt.Axis(ticks=False, domain=False, grid=True)
        )
    )
    x = alt.X("median:Q", title=axis, scale=alt.Scale(zero=True))
    spans = base.mark_rule(strokeWidth=3, color="#8fb4d6").encode(
        x=alt.X("q1:Q", title=axis), x2="q3:Q"
    )
    dots = base.mark_point(filled=True, size=60, opacity=1, color=COLOURS[0]).encode(
        x=x,
        tooltip=[
            alt.Tooltip("name:N", title=lazy_gettext("Who")),
            alt.Tooltip("median:Q", title=lazy_gettext("Median (s)"), format=".1f"),
            alt.Tooltip("q1:Q", title=lazy_gettext("Lower quartile (s)"), format=".1f"),
            alt.Tooltip("q3:Q", title=lazy_gettext("Upper quartile (s)"), format=".1f"),
            alt.Tooltip("n:Q", title=lazy_gettext("Tasks"), format=",d"),
        ],
    )
    times = total.times
    only_ends = lazy_gettext(
        "Only the {half} fastest and the {half} slowest of {number} people are shown.",
        half=half,
        number=len(timed),
    )
    return Chart(
        key="time",
        title=title,
        caption=join_messages(
            [
                lazy_gettext(
                    "All annotators: median {median:.0f} s, interquartile range {q1:.0f} to "
                    "{q3:.0f} s.",
                    median=times.median or 0,
                    q1=times.q1 or 0,
                    q3=times.q3 or 0,
                ),
                *([only_ends] if len(shown_names) < len(timed) else []),
            ]
        ),
        spec=chart_spec(
            alt.layer(spans, dots, width=WIDTH, height=22 * (len(shown_names) + 1)), title
        ),
    )


def days_chart(days: Sequence[FinishedDay]) -> Chart:
    """Tasks submitted, and on top of them those skipped, by UTC day.

    Args:
        days: consecutive, not empty.
    """
    title = lazy_gettext("When was work submitted?")
    n_submitted = sum(day.submitted for day in days)
    n_skipped = sum(day.skipped for day in days)
    shown_states: list[Literal["submitted", "skipped"]] = ["submitted"]
    if n_skipped:
        shown_states.append("skipped")
    rows = [
        {
            "day": _day(day.day),
            "start": day.day * DAY_S * 1000 + GAP_MS // 2,
            "end": (day.day + 1) * DAY_S * 1000 - GAP_MS // 2,
            "state": STATES[state][0],
            "n": getattr(day, state),
            "bottom": 0 if state == "submitted" else day.submitted,
            "top": day.submitted if state == "submitted" else day.submitted + day.skipped,
        }
        for day in days
        for state in shown_states
    ]
    best = max(days, key=lambda day: day.submitted)
    most_finished = max(day.submitted + day.skipped for day in days)
    noons = [_noon(day.day) for day in days[:: -(-len(days) // DAY_LABELS)]]
    first, last = days[0].day, days[-1].day
    missing = max(0, FEWEST_DAYS - (last - first + 1))
    x = alt.X(
        "start:T",
        title=lazy_gettext("Day (UTC)"),
        scale=alt.Scale(
            type="utc",
            nice=False,
            # Not ``domain``: Vega-Lite would merge it with itself, once for x and once for x2.
            domainMin=_midnight(first - missing // 2),
            domainMax=_midnight(last + 1 + missing - missing // 2),
        ),
        axis=alt.Axis(format="%d %b", grid=False, values=noons),
    )
    y = alt.Y(
        "bottom:Q",
        title=lazy_gettext("Tasks submitted or skipped")
        if n_skipped
        else lazy_gettext("Tasks submitted"),
        axis=alt.Axis(values=whole_ticks(0, max(1, most_finished)), format=",d"),
    )
    words, colours = zip(*(STATES[state] for state in shown_states), strict=True)
    bars = (
        alt.Chart(inline_data(rows))
        .mark_bar()
        .encode(
            x=x,
            x2=alt.X2("end:T"),
            y=y,
            y2=alt.Y2("top:Q"),
            color=alt.Color(
                "state:N",
                sort=None,
                scale=alt.Scale(domain=list(words), range=list(colours)),
                legend=legend(list(words), symbol="square") if n_skipped else None,
            ),
            tooltip=[
                alt.Tooltip("day:N", title=lazy_gettext("Day")),
                alt.Tooltip("state:N", title=lazy_gettext("State")),
                alt.Tooltip("n:Q", title=lazy_gettext("Tasks"), format=",d"),
            ],
        )
    )
    submitted_sentence = lazy_ngettext(
        "{answers:,} answers submitted on one day, {day}.",
        "{answers:,} answers submitted on {number} days; the most, {most:,}, on {day}.",
        len(days),
        answers=n_submitted,
        most=best.submitted,
        day=_day(best.day),
    )
    skipped_sentence = lazy_ngettext(
        "{number:,} more was skipped.", "{number:,} more were skipped.", n_skipped
    )
    return Chart(
        key="days",
        title=title,
        caption=join_messages([submitted_sentence, *([skipped_sentence] if n_skipped else [])]),
        spec=chart_spec(bars.properties(width=WIDTH, height=HEIGHT), title),
    )


def review_chart(counts: Mapping[str, int]) -> Chart:
    """Tasks by review status, in the order of the work."""
    title = lazy_gettext("How far is review?")
    kinds = [lazy_gettext("needs a reviewer"), lazy_gettext("needs no reviewer now")]
    rows = [
        {
            "status": lazy_gettext(words),
            "n": counts.get(status, 0),
            "label": f"{counts.get(status, 0):,}",
            "who": kinds[0] if status in NEEDS_REVIEWER else kinds[1],
        }
        for status, words in STATUS_WORDS.items()
    ]
    base = alt.Chart(inline_data(rows)).encode(
        y=alt.Y("status:N", title=None, sort=None, axis=alt.Axis(ticks=False, domain=False)),
        x=alt.X(
            "n:Q",
            title=lazy_gettext("Tasks"),
            axis=alt.Axis(
                values=whole_ticks(
                    0, max([1, *(counts.get(status, 0) for status in STATUS_WORDS)])
                ),
                format=",d",
                grid=False,
            ),
        ),
    )
    bars = base.mark_bar().encode(
        color=alt.Color(
            "who:N",
            scale=alt.Scale(domain=kinds, range=[COLOURS[1], COLOURS[0]]),
            legend=legend(kinds, symbol="square"),
        )
    )
    text = base.mark_text(align="left", dx=5, color=INK).encode(text=alt.Text("label:N"))
    waiting = sum(counts.get(status, 0) for status in NEEDS_REVIEWER)
    return Chart(
        key="review",
        title=title,
        caption=lazy_ngettext(
            "{waiting:,} of {number:,} task needs a reviewer.",
            "{waiting:,} of {number:,} tasks need a reviewer.",
            sum(counts.values()),
            waiting=waiting,
        ),
        spec=chart_spec(alt.layer(bars, text, width=WIDTH, height=22 * len(rows)), title),
    )


def _date(day: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=day)


def _day(day: int) -> str:
    return _date(day).strftime("%Y-%m-%d")


def _midnight(day: int) -> alt.DateTime:
    return _date_time(day, 0)


def _noon(day: int) -> alt.DateTime:
    return _date_time(day, 12)


def _date_time(day: int, hours: int) -> alt.DateTime:
    # In parts, since Vega without code generation, as on the screen, takes no milliseconds here.
    date = _date(day)
    return alt.DateTime(year=date.year, month=date.month, date=date.day, hours=hours, utc=True)

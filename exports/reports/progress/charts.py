"""Progress as Vega-Lite: how far, how long, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import altair as alt

from pagetrail.annotation.progress.pace import DAY_S
from pagetrail.annotation.progress.summary import Counts, Line
from pagetrail.exports.reports.charts.style import (
    COLOURS,
    GRID,
    HEIGHT,
    PAPER,
    WIDTH,
    distinct,
    spec,
    values,
    whole_ticks,
)
from pagetrail.exports.reports.model import Chart

MOST_ROWS = 14
"""Bars that can be read at a look; tables have all."""

DAY_LABELS = 8
"""Days that are named below the bars, each under its own."""

ALL = "All"
STATES = {
    "submitted": ("submitted", "#115588"),
    "skipped": ("skipped", "#dd7700"),
    "begun": ("open", "#8fb4d6"),
    "untouched": ("not opened", GRID),
}


def far_chart(
    found: Mapping[str, Counts], whole: Counts, *, key: str, title: str, what: str
) -> Chart:
    """Stacked bars of how far each is; of many, those that are furthest behind.

    Args:
        found: by name.
        what: they are, in words, e.g. ``batches``.
    """
    behind = sorted(
        (name for name in found if found[name].expected),
        key=lambda name: (found[name].done / found[name].expected, name),
    )
    shown = [name for name in found if name in set(behind[:MOST_ROWS])]
    names = distinct(shown)
    rows: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    for name, counts in [(ALL, whole), *((names[n], found[n]) for n in shown)]:
        if not counts.expected:
            continue
        start = 0.0
        for state, (words, _) in STATES.items():
            n = getattr(counts, state)
            share = n / counts.expected
            rows.append({"name": name, "state": words, "start": start, "end": start + share,
                         "n": n})  # fmt: skip
            start += share
        labels.append({"name": name, "end": 1, "label": f"{counts.done:,} of {counts.expected:,}"})
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(ticks=False, domain=False))
    x = alt.X(
        "start:Q",
        title="Answers expected (%)",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1], grid=False),
    )
    colour = alt.Color(
        "state:N",
        sort=None,
        scale=alt.Scale(
            domain=[words for words, _ in STATES.values()], range=[c for _, c in STATES.values()]
        ),
        legend=alt.Legend(title=None, orient="bottom", symbolType="square"),
    )
    tips = [alt.Tooltip("name:N", title="Of"), alt.Tooltip("state:N", title="State"),
            alt.Tooltip("n:Q", title="Answers", format=",d")]  # fmt: skip
    bars = (
        alt.Chart(values(rows))
        .mark_bar(stroke=PAPER, strokeWidth=1)
        .encode(x=x, x2=alt.X2("end:Q"), y=y, color=colour, tooltip=tips)
    )
    sums = (
        alt.Chart(values(labels))
        .mark_text(align="left", dx=6)
        .encode(x=alt.X("end:Q"), y=y, text=alt.Text("label:N"))
    )
    share = 100 * whole.done / whole.expected if whole.expected else 0
    ended = "submitted"
    if whole.skipped:
        ended += f" or skipped, {whole.skipped:,} of them skipped"
    cut = f" Only the {len(shown)} of {len(found)} {what} furthest behind are shown."
    return Chart(
        key=key,
        title=title,
        caption=f"{whole.done:,} of {whole.expected:,} answers are {ended} ({share:.0f} %)."
        + (cut if len(shown) < len(found) else ""),
        spec=spec(alt.layer(bars, sums, width=WIDTH - 90, height=24 * (len(shown) + 1)), title),
    )


def time_chart(found: Mapping[str, Line], whole: Line) -> Chart:
    """Median and quartiles of active time, the quickest first; of many, both ends."""
    title = "How long does a task take?"
    known = sorted(
        (name for name in found if found[name].times.median is not None),
        key=lambda name: (found[name].times.median or 0.0, name),
    )
    half = MOST_ROWS // 2
    shown = known if len(known) <= MOST_ROWS else [*known[:half], *known[-half:]]
    names = distinct(shown)
    rows = [
        {"name": label, "median": times.median, "q1": times.q1, "q3": times.q3, "n": times.n}
        for label, times in [
            (ALL, whole.times),
            *((names[name], found[name].times) for name in shown),
        ]
        if times.median is not None
    ]
    axis = "Active time per task (s): median and interquartile range"
    base = alt.Chart(values(rows)).encode(
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
            alt.Tooltip("name:N", title="Who"),
            alt.Tooltip("median:Q", title="Median (s)", format=".1f"),
            alt.Tooltip("q1:Q", title="Lower quartile (s)", format=".1f"),
            alt.Tooltip("q3:Q", title="Upper quartile (s)", format=".1f"),
            alt.Tooltip("n:Q", title="Tasks", format=",d"),
        ],
    )
    times = whole.times
    cut = f" Only the {half} fastest and the {half} slowest of {len(known)} people are shown."
    return Chart(
        key="time",
        title=title,
        caption=f"All annotators: median {times.median or 0:.0f} s, interquartile range "
        f"{times.q1 or 0:.0f} to {times.q3 or 0:.0f} s." + (cut if len(shown) < len(known) else ""),
        spec=spec(alt.layer(spans, dots, width=WIDTH, height=22 * (len(shown) + 1)), title),
    )


def days_chart(days: Sequence[tuple[int, int]]) -> Chart:
    """Tasks submitted, by UTC day.

    Args:
        days: (day since 1970, tasks), consecutive.
    """
    title = "When was work submitted?"
    rows = [
        {"day": _day(day), "start": day * DAY_S * 1000, "end": (day + 1) * DAY_S * 1000, "n": n}
        for day, n in days
    ]
    best = max(days, key=lambda pair: pair[1])
    each = -(-len(days) // DAY_LABELS)
    noons = [_noon(day) for day, _ in days[::each]]
    made = (
        alt.Chart(values(rows))
        .mark_bar(color=COLOURS[0], stroke=PAPER, strokeWidth=1)
        .encode(
            x=alt.X("start:T", title="Day (UTC)", scale=alt.Scale(type="utc", nice=False),
                    axis=alt.Axis(format="%d %b", grid=False, values=noons, labelOverlap=True)),
            x2=alt.X2("end:T"),
            y=alt.Y("n:Q", title="Tasks submitted",
                    axis=alt.Axis(values=whole_ticks(0, max(1, best[1])), format=",d")),
            y2=alt.datum(0),
            tooltip=[alt.Tooltip("day:N", title="Day"),
                     alt.Tooltip("n:Q", title="Tasks", format=",d")],
        )
    )  # fmt: skip
    return Chart(
        key="days",
        title=title,
        caption=f"{sum(n for _, n in days):,} answers submitted on "
        + (
            f"{len(days)} days; the most, {best[1]:,}, on {_day(best[0])}."
            if len(days) > 1
            else f"one day, {_day(best[0])}."
        ),
        spec=spec(made.properties(width=WIDTH, height=HEIGHT), title),
    )


def _date(day: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=day)


def _day(day: int) -> str:
    return _date(day).strftime("%Y-%m-%d")


def _noon(day: int) -> alt.DateTime:
    # In parts: where Vega may not compile code, as on the screen, it takes no milliseconds here.
    date = _date(day)
    return alt.DateTime(year=date.year, month=date.month, date=date.day, hours=12, utc=True)

"""How a share changes over periods, with intervals: everybody together, and each person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from pagetrail.exports.reports.charts.style import (
    HEIGHT,
    QUIET,
    WIDTH,
    clean,
    distinct,
    said,
    series,
    spec,
    values,
)
from pagetrail.exports.reports.model import Chart

MOST_PEOPLE = 6
"""Lines of people that can be told apart; with more, only everybody together is drawn."""

Point = tuple[str, float, float | None, float | None, int]
"""Period, share 0–1, ends of its 95 % interval, and how many it is of."""


def share_over_time_chart(
    lines: Mapping[str, Sequence[Point]],
    periods: Sequence[str],
    *,
    key: str,
    title: str,
    axis: str,
    period: str,
    alert: float | None = None,
) -> Chart:
    """Points with their intervals, period by period.

    Args:
        lines: by name; each has at least one point.
        periods: all of them in order.
        axis, period: titles of the axes.
        alert: the share below which there is an alert.
    """
    if not lines or not all(lines.values()):
        raise ValueError("a chart needs series, and each of them points")
    names = distinct(list(lines))
    rows: list[dict[str, Any]] = [
        {
            "series": names[name],
            "period": clean(at),
            "share": round(share, 9),
            "low": None if low is None else round(low, 9),
            "high": None if high is None else round(high, 9),
            "n": n,
        }
        for name, points in lines.items()
        for at, share, low, high, n in points
    ]
    looks = series(list(names.values()))
    x = alt.X(
        "period:N",
        title=period,
        sort=None,
        scale=alt.Scale(domain=[clean(each) for each in periods], padding=0.3),
        axis=alt.Axis(labelAngle=-40 if len(periods) > 4 else 0, grid=False),
    )
    y = alt.Y(
        "share:Q",
        title=axis,
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]),
    )
    base = alt.Chart(values(rows)).encode(x=x, color=looks["color"])
    if len(lines) > 1:  # beside each other, so that no interval hides another
        base = base.encode(xOffset=alt.XOffset("series:N", sort=None))
    spans = base.transform_filter("datum.low != null").mark_rule(strokeWidth=1.6)
    dots = base.mark_point(filled=True, size=55, opacity=1).encode(
        y=y,
        shape=looks["shape"],
        tooltip=[
            alt.Tooltip("series:N", title="Who"),
            alt.Tooltip("period:N", title=period),
            alt.Tooltip("share:Q", title=axis, format=".1%"),
            alt.Tooltip("n:Q", title="Tasks"),
        ],
    )
    layers = [spans.encode(y=alt.Y("low:Q", title=axis), y2="high:Q"), dots]
    if alert is not None:
        line = alt.Chart(values([{"alert": alert}])).mark_rule(color=QUIET, strokeDash=[5, 4])
        layers.insert(0, line.encode(y="alert:Q"))
    words = " The broken line is where an alert begins." if alert is not None else ""
    return Chart(
        key=key,
        title=title,
        caption=said(
            f"Bars are 95 % intervals.{words}",
            (
                f"{names[name]}: {100 * own[0][1]:.0f} % first, {100 * own[-1][1]:.0f} % last."
                for name, own in lines.items()
            ),
        ),
        spec=spec(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT), title),
    )

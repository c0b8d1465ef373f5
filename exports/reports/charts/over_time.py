"""How a share changes over periods, with intervals: everybody together, and each person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from pagetrail.exports.reports.charts.style import (
    HEIGHT,
    QUIET,
    WIDTH,
    caption_with,
    chart_spec,
    clean,
    distinct,
    inline_data,
    percent_axis,
    series_encodings,
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
    period_title: str,
    alert: float | None = None,
) -> Chart:
    """Points with their intervals, period by period.

    Args:
        lines: by name; each has at least one point.
        periods: all of them in order.
        axis, period_title: titles of the axes.
        alert: the share below which there is an alert.
    """
    if not lines or not all(lines.values()):
        raise ValueError("a chart needs series, and each of them points")
    names = distinct(list(lines))
    rows: list[dict[str, Any]] = [
        {
            "series": names[name],
            "period": clean(period),
            "share": round(share, 9),
            "low": None if low is None else round(low, 9),
            "high": None if high is None else round(high, 9),
            "n": n,
        }
        for name, points in lines.items()
        for period, share, low, high, n in points
    ]
    encodings = series_encodings(list(names.values()))
    x = alt.X(
        "period:N",
        title=period_title,
        sort=None,
        scale=alt.Scale(domain=[clean(period) for period in periods], padding=0.3),
        axis=alt.Axis(labelAngle=-40 if len(periods) > 4 else 0, grid=False),
    )
    y = alt.Y(
        "share:Q",
        title=axis,
        scale=alt.Scale(domain=[0, 1]),
        axis=percent_axis(),
    )
    base = alt.Chart(inline_data(rows)).encode(x=x, color=encodings["color"])
    if len(lines) > 1:  # side by side, so that no interval hides another
        base = base.encode(xOffset=alt.XOffset("series:N", sort=None))
    spans = base.transform_filter("datum.low != null").mark_rule(strokeWidth=1.6)
    dots = base.mark_point(filled=True, size=55, opacity=1).encode(
        y=y,
        shape=encodings["shape"],
        tooltip=[
            alt.Tooltip("series:N", title="Who"),
            alt.Tooltip("period:N", title=period_title),
            alt.Tooltip("share:Q", title=axis, format=".1%"),
            alt.Tooltip("n:Q", title="Tasks"),
        ],
    )
    layers = [spans.encode(y=alt.Y("low:Q", title=axis), y2="high:Q"), dots]
    if alert is not None:
        line = alt.Chart(inline_data([{"alert": alert}])).mark_rule(color=QUIET, strokeDash=[5, 4])
        layers.insert(0, line.encode(y="alert:Q"))
    words = " The broken line is where an alert begins." if alert is not None else ""
    return Chart(
        key=key,
        title=title,
        caption=caption_with(
            f"Bars are 95 % intervals.{words}",
            (
                f"{names[name]}: {100 * points[0][1]:.0f} % first, "
                f"{100 * points[-1][1]:.0f} % last."
                for name, points in lines.items()
            ),
        ),
        spec=chart_spec(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT), title),
    )

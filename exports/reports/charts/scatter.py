"""Scatter plots for papers: participants with their intervals, and items by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt

from pagetrail.exports.reports.charts.style import (
    COLOURS,
    SCREEN,
    SHAPES,
    Layout,
    caption_with,
    chart_spec,
    clean,
    distinct,
    inline_data,
    legend,
    series_encodings,
)
from pagetrail.exports.reports.model import Chart


class PlottedInterval(NamedTuple):
    """A value and the ends of its interval."""

    value: float
    low: float
    high: float


def spans_magnitudes(points: Mapping[str, tuple[PlottedInterval, PlottedInterval]]) -> bool:
    """Whether x is above 0 and differs by a factor of 20 or more."""
    lows = [x.low for x, _ in points.values()]
    return min(lows) > 0 and max(x.high for x, _ in points.values()) >= 20 * min(lows)


def scatter_chart(
    points: Mapping[str, tuple[PlottedInterval, PlottedInterval]],
    *,
    key: str,
    title: str,
    x_title: str,
    y_title: str,
    x_is_share: bool = True,
    x_is_log: bool = False,
    caption: str | None = None,
    layout: Layout = SCREEN,
) -> Chart:
    """One point per participant, with its intervals.

    Args:
        points: by name, x and y; y is a share, 0–1.
        x_is_share: whether x is also a share.
        x_is_log: whether x is above 0 and shown on a logarithmic scale.
        caption: by default, both titles.
    """
    if not points:
        raise ValueError("a scatter plot needs points")
    names = distinct(list(points))
    rows = [
        {
            "series": names[name],
            **{f"x_{field}": round(end, 9) for field, end in x._asdict().items()},
            **{f"y_{field}": round(end, 9) for field, end in y._asdict().items()},
        }
        for name, (x, y) in points.items()
    ]
    encodings = series_encodings(list(names.values()), layout=layout)
    x_axis = alt.Axis(format=".0%" if x_is_share else "~g", tickCount=6)
    y_axis = alt.Axis(format=".0%", tickCount=6)
    scale = alt.Scale(zero=True, padding=8)
    x_scale = alt.Scale(type="log", padding=8) if x_is_log else scale
    x = alt.X("x_value:Q", title=x_title, axis=x_axis, scale=x_scale)
    y = alt.Y("y_value:Q", title=y_title, axis=y_axis, scale=scale)
    base = alt.Chart(inline_data(rows)).encode(color=encodings["color"])
    across = base.mark_rule(strokeWidth=1.2).encode(
        x=alt.X("x_low:Q", title=x_title, axis=x_axis, scale=x_scale), x2="x_high:Q", y=y
    )
    upright = base.mark_rule(strokeWidth=1.2).encode(
        x=x, y=alt.Y("y_low:Q", title=y_title, axis=y_axis, scale=scale), y2="y_high:Q"
    )
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=x, y=y, shape=encodings["shape"]
    )
    return Chart(
        key=key,
        title=title,
        caption=caption_with(
            caption
            or f"{y_title} against {x_title[:1].lower()}{x_title[1:]}, with 95 % intervals.",
            series=(
                f"{names[name]}: {x.value:.3f}, {y.value:.3f}." for name, (x, y) in points.items()
            ),
        ),
        spec=chart_spec(
            alt.layer(across, upright, dots, width=layout.width, height=layout.height), title
        ),
        columns=layout.columns,
    )


def group_scatter_chart(
    groups: Mapping[str, Sequence[tuple[float, float]]],
    *,
    key: str,
    title: str,
    x_title: str,
    y_title: str,
    layout: Layout = SCREEN,
) -> Chart:
    """Items by group; points that stand for several items are larger.

    Args:
        groups: by name, x and y of each item; the first group is drawn on top.
    """
    items = {name: points for name, points in groups.items() if points}
    if not items:
        raise ValueError("a scatter plot needs points")
    labels = {name: f"{clean(name)} (n = {len(points):,})" for name, points in items.items()}
    rows: list[dict[str, Any]] = [
        {"series": labels[name], "x": round(x, 9), "y": round(y, 9), "n": n}
        for name, points in reversed(items.items())
        for (x, y), n in Counter(points).items()
    ]
    positions = {name: list(groups).index(name) for name in items}
    domain = list(labels.values())
    chart_legend = legend(domain, layout)
    chart = (
        alt.Chart(inline_data(rows))
        .mark_point(filled=True, opacity=0.65)
        .encode(
            x=alt.X("x:Q", title=x_title, scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("y:Q", title=y_title, scale=alt.Scale(zero=False, nice=True)),
            size=alt.Size(
                "n:Q",
                scale=alt.Scale(domain=[0, max(10, *(row["n"] for row in rows))], range=[20, 400]),
                legend=None,
            ),
            color=alt.Color(
                "series:N",
                scale=alt.Scale(domain=domain, range=[COLOURS[n] for n in positions.values()]),
                legend=chart_legend,
            ),
            shape=alt.Shape(
                "series:N",
                scale=alt.Scale(domain=domain, range=[SHAPES[n] for n in positions.values()]),
                legend=chart_legend,
            ),
        )
    )
    return Chart(
        key=key,
        title=title,
        caption=f"{y_title} against {x_title[:1].lower()}{x_title[1:]}; larger points are several "
        f"items. {'; '.join(domain)}.",
        spec=chart_spec(chart.properties(width=layout.width, height=layout.height), title),
        columns=layout.columns,
    )

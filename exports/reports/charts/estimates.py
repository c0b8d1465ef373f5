"""Estimates as dots with their intervals: agreement by group, ranked shares, pilots' shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import altair as alt

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.exports.reports.charts.style import (
    COLOURS,
    FEW_SERIES,
    LABEL_LIMIT,
    QUIET,
    SCREEN,
    SHAPES,
    WIDTH,
    Layout,
    caption_with,
    chart_spec,
    clean,
    distinct,
    inline_data,
    legend,
    percent_axis,
)
from pagetrail.exports.reports.model import Chart

AGREEMENT_AXIS = lazy_gettext("Agreement (coefficient; 1: complete, 0: chance)")

PlottedEstimate = tuple[str, str, float, float | None, float | None]
"""Group, heading of the coefficient, value, and the ends of its interval or None."""


def agreement_chart(
    points: Sequence[PlottedEstimate],
    *,
    key: str,
    title: str,
    axis: str = AGREEMENT_AXIS,
    note: str = "",
) -> Chart:
    """Coefficients, or other measures of at most 1, of each group, with their intervals.

    Args:
        key: of the chart.
        title: a sentence or a question.
        axis: title of the axis; by default of coefficients that are 0 at chance.
        note: last sentence of the caption.
    """
    if not points:
        raise ValueError("a chart of agreement needs points")
    groups = distinct(list(dict.fromkeys(group for group, *_ in points)))
    coefficients = sorted(dict.fromkeys(name for _, name, *_ in points), key=_style_position)
    labels = {name: clean(name) for name in coefficients}
    rows: list[dict[str, Any]] = [
        {
            "name": groups[group],
            "kind": labels[name],
            "value": value,
            "low": value if low is None else low,
            "high": value if high is None else high,
        }
        for group, name, value, low, high in points
    ]
    lowest = min(0.0, *(row["low"] for row in rows))
    # AC and other measures keep their positions after alpha, even in a chart without alpha.
    kinds = {
        labels[name]: _style_position(name) if _style_position(name) < 2 else 2 + position
        for position, name in enumerate(coefficients)
    }
    layers = estimate_layers(
        rows,
        kinds,
        x=alt.X("value:Q", title=axis, scale=alt.Scale(domain=[lowest, 1], nice=lowest < 0)),
        tooltip=[
            alt.Tooltip("name:N", title=lazy_gettext("Of")),
            alt.Tooltip("kind:N", title=lazy_gettext("Measure")),
            *(alt.Tooltip(f"{end}:Q", format=".3f") for end in ("value", "low", "high")),
        ],
        side_by_side=True,
    )
    zero = (
        alt.Chart(inline_data([{"x": 0}]))
        .mark_rule(color=QUIET, strokeWidth=1.2)
        .encode(x=alt.X("x:Q"))
    )
    height = max(70, (14 * len(kinds) + 12) * len(groups))
    return Chart(
        key=key,
        title=clean(title),
        caption=caption_with(
            lazy_gettext("Points: estimates; bars: 95 % intervals."),
            series=_sentences(rows, list(kinds)),
            note=note,
        ),
        spec=chart_spec(alt.layer(zero, *layers, width=WIDTH, height=height), title),
    )


def ranked_chart(
    shares: Sequence[tuple[str, float, float, float, int]],
    *,
    key: str,
    title: str,
    axis: str,
    layout: Layout = SCREEN,
) -> Chart:
    """Shares with their intervals, one row each, in the order given, for papers.

    Args:
        shares: (name, share 0–1, low and high of its 95 % interval, number of cases).
        axis: title of the axis.
    """
    if not shares:
        raise ValueError("a chart of shares needs points")
    names = distinct([name for name, *_ in shares])
    rows = [
        {"name": names[name], "kind": axis, "value": value, "low": low, "high": high, "n": n}
        for name, value, low, high, n in shares
    ]
    layers = estimate_layers(
        rows,
        {axis: 0},
        x=alt.X("value:Q", title=axis, scale=alt.Scale(domain=[0, 1]), axis=percent_axis()),
        tooltip=[alt.Tooltip("name:N", title="Who"), alt.Tooltip("value:Q", format=".1%")],
        layout=layout,
        legend_orient=None,
    )
    sizes = [{"name": row["name"], "value": 1, "label": f"n = {row['n']:,}"} for row in rows]
    counts = (
        alt.Chart(inline_data(sizes))
        .mark_text(align="left", dx=6)
        .encode(x=alt.X("value:Q"), y=alt.Y("name:N", sort=None), text=alt.Text("label:N"))
    )
    return Chart(
        key=key,
        title=title,
        caption=caption_with(
            "Points: estimates; bars: 95 % intervals.",
            series=(f"{names[name]}: {100 * value:.1f} %." for name, value, *_ in shares),
        ),
        spec=chart_spec(
            alt.layer(*layers, counts, width=layout.width, height=max(60, 24 * len(rows))), title
        ),
        columns=layout.columns,
    )


def estimate_layers(
    rows: Sequence[dict[str, Any]],
    kinds: Mapping[str, int],
    *,
    x: alt.X,
    tooltip: Sequence[alt.Tooltip],
    side_by_side: bool = False,
    layout: Layout = SCREEN,
    legend_orient: Literal["bottom", "top"] | None = "bottom",
    label_limit: int = LABEL_LIMIT,
) -> list[Any]:
    """An interval as a line and its estimate as a dot, one row per name.

    Args:
        rows: with ``name``, ``kind``, ``value``, ``low`` and ``high``, in their order.
        kinds: label of each kind in the order of the legend → its position among the colours and
            shapes.
        x: of the value.
        side_by_side: whether a name has several kinds, each in a separate row.
        legend_orient: None for a single kind that needs no legend.
        label_limit: pixels of the longest name.
    """
    domain = list(kinds)
    chart_legend = legend(domain, layout, orient=legend_orient) if legend_orient else None
    colours, shapes = (
        alt.Scale(
            domain=domain, range=[looks[position % len(looks)] for position in kinds.values()]
        )
        for looks in (COLOURS, SHAPES)
    )
    colour = alt.Color("kind:N", scale=colours, legend=chart_legend)
    base = alt.Chart(inline_data(rows)).encode(
        y=alt.Y(
            "name:N",
            title=None,
            sort=None,
            scale=alt.Scale(paddingInner=0.35) if side_by_side else alt.Undefined,
            axis=alt.Axis(
                ticks=False, domain=False, grid=True, labelPadding=8, labelLimit=label_limit
            ),
        ),
        color=colour,
    )
    if side_by_side:
        base = base.encode(
            yOffset=alt.YOffset(
                "kind:N", sort=None, scale=alt.Scale(domain=domain, paddingOuter=0.2)
            )
        )
    ends = x.copy()
    ends.shorthand = "low:Q"
    intervals = base.mark_rule(strokeWidth=2).encode(x=ends, x2="high:Q")
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=x, shape=alt.Shape("kind:N", scale=shapes, legend=chart_legend), tooltip=list(tooltip)
    )
    return [intervals, dots]


def _style_position(coefficient: str) -> int:
    """Styles in a fixed order: alpha first, AC second, even if other measures are missing."""
    if "alpha" in coefficient.lower() or "α" in coefficient:
        return 0
    return 1 if "AC" in coefficient else 2


def _sentences(rows: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> list[str]:
    """Each estimate in words, or if there are many, the range of each coefficient."""
    if len(rows) <= FEW_SERIES:
        return [_sentence(row) for row in rows]
    sentences = []
    for kind in kinds:
        of_kind = sorted((row for row in rows if row["kind"] == kind), key=lambda row: row["value"])
        lowest, highest = of_kind[0], of_kind[-1]
        sentences.append(
            lazy_gettext(
                "{kind}: from {low:.3f} ({lowest}) to {high:.3f} ({highest}).",
                kind=kind,
                low=lowest["value"],
                lowest=lowest["name"],
                high=highest["value"],
                highest=highest["name"],
            )
        )
    return sentences


def _sentence(row: Mapping[str, Any]) -> str:
    interval = "" if row["low"] == row["high"] else f" [{row['low']:.3f}, {row['high']:.3f}]"
    return lazy_gettext(
        "{name}, {kind}: {value:.3f}{interval}.",
        name=row["name"],
        kind=row["kind"],
        value=row["value"],
        interval=interval,
    )

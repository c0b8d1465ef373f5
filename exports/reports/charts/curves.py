"""Charts of a report in Vega-Lite: effort curves, budgets, cascades, matrices, histograms.

Every function takes plain numbers and gives a ``Chart`` whose data are inline, in the order given,
so that the same numbers give the same bytes. The title is part of the spec, so that a chart taken
out of its report still says what it shows. An empty chart is a mistake of the caller and raises
``ValueError``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from pagetrail.exports.reports.charts.style import (
    FEW_SERIES,
    HEIGHT,
    QUIET,
    WIDTH,
    clean,
    distinct,
    marked,
    said,
    series,
    spec,
    values,
    whole_ticks,
)
from pagetrail.exports.reports.model import Chart

Curve = Sequence[tuple[float, float]]

EFFORTS = {
    "searches": "Effort (searches)",
    "tool_steps": "Effort (tool steps)",
    "iterations": "Effort (iterations)",
    "active_s": "Effort (active time, seconds)",
    "wall_s": "Effort (wall time, seconds)",
    "submit_s": "Effort (time to submission, seconds)",
}
"""Axis titles of the kinds of effort; any other is shown as it is named."""


def kuiper_chart(
    curves: Mapping[str, Curve], *, effort: str, everyone: Sequence[str] = ()
) -> Chart:
    """Cumulative difference D over effort, with each curve's range K beside it.

    Args:
        curves: by name, (effort, D) at the boundaries between distinct efforts, from D = 0 on.
        effort: kind of effort, a key of ``EFFORTS`` or words.
        everyone: all names of the report in order, so that each looks alike in all its charts.
    """
    names = _names(curves)
    title = "Does success depend on effort? K is the height of each curve"
    axis = EFFORTS.get(effort, f"Effort ({clean(effort)})")
    rows = _points(curves, names)
    ranges = [
        {
            "series": names[name],
            "low": min(d for _, d in curve),
            "high": max(d for _, d in curve),
            "k": round(max(d for _, d in curve) - min(d for _, d in curve), 6),
        }
        for name, curve in curves.items()
    ]
    looks = series(list(names.values()), list(distinct(everyone).values()))
    x = alt.X("x:Q", title=axis, axis=_ticks(curves), scale=alt.Scale(nice=False))
    y = alt.Y("y:Q", title="D: right answers ahead of an even pace (tasks)")
    zero = (
        alt.Chart(values([{"y": 0}])).mark_rule(color=QUIET, strokeWidth=1.2).encode(y=alt.Y("y:Q"))
    )
    main = alt.layer(zero, *_curves(rows, looks, x=x, y=y), width=WIDTH - 70, height=HEIGHT)
    return Chart(
        key=f"kuiper-{_slug(effort)}",
        title=title,
        caption=said(
            "Right answers so far, less what the mean success would give, with attempts in order "
            "of effort. A level curve means that success does not depend on effort. The bars at "
            "the right span each curve's lowest and highest point: K.",
            (f"{row['series']}: K = {row['k']:.1f}." for row in ranges),
        ),
        spec=spec(alt.hconcat(main, _range_bars(ranges, looks), spacing=12), title),
    )


def _range_bars(ranges: Sequence[dict[str, Any]], looks: Mapping[str, Any]) -> Any:
    x = alt.X(
        "series:N", title="K", sort=None, axis=alt.Axis(labels=False, ticks=False, domain=False)
    )
    y = alt.Y("low:Q", title=None, axis=alt.Axis(labels=False, ticks=False, domain=False))
    base = alt.Chart(values(ranges)).encode(x=x)
    bar = base.mark_rule(strokeWidth=3).encode(y=y, y2=alt.Y2("high:Q"), color=looks["color"])
    ends = [
        base.mark_point(filled=True, size=45, opacity=1).encode(
            y=end, color=looks["color"], shape=looks["shape"]
        )
        for end in (y, alt.Y("high:Q"))
    ]
    text = base.mark_text(dy=-10, fontSize=11 if len(ranges) <= FEW_SERIES else 9).encode(
        y=alt.Y("high:Q"), text=alt.Text("k:Q", format=".1f")
    )
    return alt.layer(
        bar,
        *ends,
        text,
        width=(36 if len(ranges) <= FEW_SERIES else 24) * len(ranges),
        height=HEIGHT,
    )


def budget_chart(series_: Mapping[str, Curve], *, unit: str, everyone: Sequence[str] = ()) -> Chart:
    """Accuracy that is reached within a budget of effort.

    Args:
        series_: by name, (budget, accuracy 0–1), budgets rising.
        unit: of the budget, e.g. ``searches``.
        everyone: as of ``kuiper_chart``.
    """
    names = _names(series_)
    words = clean(unit)
    title = f"How accurate is each within a budget of {words}?"
    looks = series(list(names.values()), list(distinct(everyone).values()))
    x = alt.X(
        "x:Q",
        title=f"Budget ({words})",
        axis=_ticks(series_),
        scale=alt.Scale(nice=False, zero=True),
    )
    y = _share("Right answers (% of tasks)")
    return Chart(
        key=f"budget-{_slug(unit)}",
        title=title,
        caption=said(
            f"Share of attempts that reach a right answer with at most so many {words}.",
            (
                f"{names[n]}: {100 * c[-1][1]:.1f} % with the whole budget."
                for n, c in series_.items()
            ),
        ),
        spec=spec(_sized(*_curves(_points(series_, names), looks, x=x, y=y)), title),
    )


def retrieval_chart(
    series_: Mapping[str, Sequence[tuple[int, float]]], *, level: str, everyone: Sequence[str] = ()
) -> Chart:
    """Share of tasks whose gold was found by the n-th query.

    Args:
        series_: by name, (query number, share found 0–1).
        level: what was found: ``document`` or ``page``.
        everyone: as of ``kuiper_chart``.
    """
    names = _names(series_)
    what = clean(level)
    title = f"By which query was a right {what} found?"
    looks = series(list(names.values()), list(distinct(everyone).values()))
    x = alt.X(
        "x:Q",
        title="Query (number within the attempt)",
        axis=_ticks(series_, lowest=1),
        scale=alt.Scale(nice=False, zero=False, padding=10),
    )
    y = _share(f"Right {what} found so far (%, weighted)")
    return Chart(
        key=f"retrieval-{_slug(level)}",
        title=title,
        caption=said(
            f"Cumulative share of attempts in which a right {what} was among the results.",
            (
                f"{names[n]}: {100 * c[0][1]:.1f} % by query {c[0][0]}, {100 * c[-1][1]:.1f} % by "
                f"query {c[-1][0]}."
                for n, c in series_.items()
            ),
        ),
        spec=spec(_sized(*_curves(_points(series_, names), looks, x=x, y=y, steps=False)), title),
    )


def overlap_chart(measured: Sequence[float], *, measure: str, bins: int = 20) -> Chart:
    """How overlaps of zones are distributed between 0 and 1, with their mean.

    Args:
        measured: one overlap a pair of zones, 0–1.
        measure: its name, e.g. ``IoU``.
        bins: of equal width; the last holds 1 too.
    """
    if not measured:
        raise ValueError("a histogram needs values")
    words = clean(measure)
    title = f"How far do two annotators mark the same region? {words} of each pair"
    counts = [0] * bins
    for value in measured:
        counts[min(int(value * bins), bins - 1)] += 1
    mean = sum(measured) / len(measured)
    rows = [{"low": i / bins, "high": (i + 1) / bins, "n": n} for i, n in enumerate(counts)]
    x = alt.X(
        "low:Q",
        bin="binned",
        title=f"{words} (0: apart, 1: the same region)",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], format=".1f", grid=False),
    )
    y = alt.Y(
        "n:Q",
        title="Pairs of zones (count)",
        axis=alt.Axis(values=whole_ticks(0, max(counts)), format=",d"),
    )
    bars = (
        alt.Chart(values(rows))
        .mark_bar(color="#115588", binSpacing=1)
        .encode(x=x, x2=alt.X2("high:Q"), y=y)
    )
    at_mean = alt.Chart(values([{"mean": mean, "label": f"mean {mean:.3f}"}])).encode(
        x=alt.X("mean:Q")
    )
    rule = at_mean.mark_rule(color="#dd7700", strokeWidth=2.5, strokeDash=[6, 3])
    label = at_mean.mark_text(
        align="right" if mean > 0.5 else "left", dx=-6 if mean > 0.5 else 6, dy=-7
    ).encode(y=alt.value(0), text=alt.Text("label:N"))
    pairs = "pair" if len(measured) == 1 else "pairs"
    return Chart(
        key=f"overlap-{_slug(measure)}",
        title=title,
        caption=f"{words} of {len(measured):,} {pairs} of zones; the broken line is the mean, "
        f"{mean:.3f}.",
        spec=spec(_sized(bars, rule, label), title),
    )


def _names(series_: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    if not series_ or not all(series_.values()):
        raise ValueError("a chart needs series, and each of them points")
    return distinct(list(series_))


def _points(
    series_: Mapping[str, Sequence[tuple[float, float]]], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    return [
        {"series": names[name], "x": x, "y": round(y, 9), "marked": place in marked(len(curve))}
        for name, curve in series_.items()
        for place, (x, y) in enumerate(curve)
    ]


def _curves(
    rows: Sequence[dict[str, Any]],
    looks: Mapping[str, Any],
    *,
    x: alt.X,
    y: alt.Y,
    steps: bool = True,
) -> list[alt.Chart]:
    base = alt.Chart(values(rows)).encode(x=x, y=y, color=looks["color"])
    line = base.mark_line(interpolate="step-after" if steps else "linear", strokeWidth=2)
    dots = base.mark_point(filled=True, size=45, opacity=1).transform_filter("datum.marked")
    tooltip = [
        alt.Tooltip("series:N", title="Who"),
        alt.Tooltip("x:Q", title=x["title"]),
        alt.Tooltip("y:Q", title=y["title"], format=".3f"),
    ]
    return [
        line.encode(strokeDash=looks["strokeDash"]),
        dots.encode(shape=looks["shape"], tooltip=tooltip),
    ]


def _ticks(series_: Mapping[str, Curve], lowest: int = 0) -> alt.Axis:
    """Ticks at whole numbers where all places are whole."""
    places = [x for curve in series_.values() for x, _ in curve]
    if not all(float(x).is_integer() for x in places):
        return alt.Axis(grid=False)
    return alt.Axis(grid=False, values=whole_ticks(lowest, max(places)), format=",d")


def _share(title: str) -> alt.Y:
    axis = alt.Axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    return alt.Y("y:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=axis)


def _sized(*layers: Any) -> Any:
    return alt.layer(*layers, width=WIDTH, height=HEIGHT)


def _slug(words: str) -> str:
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in words.lower())
    return "-".join(part for part in kept.split("-") if part) or "other"

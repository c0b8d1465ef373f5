"""Curves: cumulative difference over effort, accuracy within a budget, evidence found by query.

Every function takes plain numbers and returns a ``Chart`` whose data are inline, in the order
given, so that the same numbers give the same bytes. The title is part of the spec, so that a chart
taken out of its report still says what it shows. An empty chart is the caller's mistake and
raises ``ValueError``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import altair as alt

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.exports.reports.charts.style import (
    FEW_SERIES,
    QUIET,
    SCREEN,
    Layout,
    caption_with,
    chart_spec,
    clean,
    distinct,
    inline_data,
    marked_points,
    percent_axis,
    series_encodings,
    slug,
    whole_ticks,
)
from pagetrail.exports.reports.model import Chart

Curve = Sequence[tuple[float, float]]

Band = Sequence[tuple[float, float, float]]
"""(x, low, high) of an interval."""

EFFORTS = {
    "searches": lazy_gettext("Effort (searches)"),
    "tool_steps": lazy_gettext("Effort (tool steps)"),
    "iterations": lazy_gettext("Effort (iterations)"),
    "active_s": lazy_gettext("Effort (active time, seconds)"),
    "wall_s": lazy_gettext("Effort (wall time, seconds)"),
    "submit_s": lazy_gettext("Effort (time to submission, seconds)"),
    "fraction": lazy_gettext("Attempts by increasing effort (%)"),
}
"""Axis titles of the kinds of effort; other kinds are shown by name."""


class LevelWords(NamedTuple):
    """The words of a retrieval chart; ``axis`` is the title of its vertical axis."""

    title: str
    caption: str
    axis: str


LEVELS: Mapping[str, LevelWords] = {
    "document": LevelWords(
        lazy_gettext("By which query was a right document found?"),
        lazy_gettext(
            "Cumulative share of attempts in which a right document was among the results."
        ),
        lazy_gettext("Right document found so far (%, weighted)"),
    ),
    "page": LevelWords(
        lazy_gettext("By which query was a right page found?"),
        lazy_gettext("Cumulative share of attempts in which a right page was among the results."),
        lazy_gettext("Right page found so far (%, weighted)"),
    ),
}

_Interpolation = Literal["step-after", "linear"]


def kuiper_chart(
    curves: Mapping[str, Curve],
    *,
    effort: str,
    everyone: Sequence[str] = (),
    chance: Band = (),
    layout: Layout = SCREEN,
) -> Chart:
    """Cumulative difference D over effort, with the range K of each curve.

    Args:
        curves: by name, (effort, D) at the boundaries between distinct efforts, starting at D = 0.
        effort: kind of effort, a key of ``EFFORTS`` or words; ``fraction`` for the share of the
            attempts, 0–1, over which D is linear between the boundaries.
        everyone: all names of the report in order, so that each has the same style in all charts.
        chance: the band in which D stays if success does not depend on effort.
    """
    names = _labels(curves)
    title = lazy_gettext("Does success depend on effort? K is the height of each curve")
    is_share = effort == "fraction"
    axis = EFFORTS.get(effort, lazy_gettext("Effort ({effort})", effort=clean(effort)))
    rows = _points(curves, names)
    ranges: list[dict[str, Any]] = [
        {
            "series": names[name],
            "low": min(d for _, d in curve),
            "high": max(d for _, d in curve),
            "k": round(max(d for _, d in curve) - min(d for _, d in curve), 6),
        }
        for name, curve in curves.items()
    ]
    encodings = series_encodings(list(names.values()), list(distinct(everyone).values()), layout)
    x = alt.X(
        "x:Q",
        title=axis,
        axis=percent_axis(grid=False) if is_share else _ticks(curves, layout),
        scale=alt.Scale(nice=False),
    )
    ends = [row[end] for row in ranges for end in ("low", "high")]
    ends += [end for _, low, high in chance for end in (low, high)]
    # Explicit, so that the bars of K are level with their curves.
    scale = alt.Scale(domain=[min(ends), max(ends)], nice=True)
    y = alt.Y(
        "y:Q", title=lazy_gettext("D: right answers ahead of an even pace (tasks)"), scale=scale
    )
    zero = (
        alt.Chart(inline_data([{"y": 0}]))
        .mark_rule(color=QUIET, strokeWidth=1.2)
        .encode(y=alt.Y("y:Q"))
    )
    step: _Interpolation = "linear" if is_share else "step-after"
    band = [_chance_band(chance, x, y, step)] if chance else []
    bars = _range_bars(ranges, encodings, scale, layout)
    main = alt.layer(
        *band,
        zero,
        *_curves(rows, encodings, x=x, y=y, interpolation=step),
        width=layout.width - 70,
        height=layout.height,
    )
    chance_words = lazy_gettext("The grey band is what chance would give, point by point.")
    return Chart(
        key=f"kuiper-{slug(effort)}",
        title=title,
        caption=caption_with(
            lazy_gettext(
                "Right answers so far, less what the mean success would give, with attempts in "
                "order of effort. A level curve means that success does not depend on effort. "
                "The bars at the right span each curve's lowest and highest point: K."
            ),
            *([chance_words] if chance else []),
            series=(
                lazy_gettext("{series}: K = {k:.1f}.", series=row["series"], k=row["k"])
                for row in ranges
            ),
        ),
        spec=chart_spec(alt.hconcat(main, bars, spacing=12), title),
        columns=layout.columns,
    )


def _chance_band(chance: Band, x: alt.X, y: alt.Y, step: _Interpolation) -> alt.Chart:
    rows = [{"x": at, "low": round(low, 9), "high": round(high, 9)} for at, low, high in chance]
    area = alt.Chart(inline_data(rows)).mark_area(color=QUIET, opacity=0.18, interpolate=step)
    band: alt.Chart = area.encode(
        x=x, y=alt.Y("low:Q", title=y["title"], scale=y["scale"]), y2="high:Q"
    )
    return band


def _range_bars(
    ranges: Sequence[dict[str, Any]],
    encodings: Mapping[str, Any],
    scale: alt.Scale,
    layout: Layout,
) -> Any:
    x = alt.X(
        "series:N", title="K", sort=None, axis=alt.Axis(labels=False, ticks=False, domain=False)
    )
    axis = alt.Axis(labels=False, ticks=False, domain=False)
    y = alt.Y("low:Q", title=None, scale=scale, axis=axis)
    base = alt.Chart(inline_data(ranges)).encode(x=x)
    bar = base.mark_rule(strokeWidth=3).encode(y=y, y2=alt.Y2("high:Q"), color=encodings["color"])
    ends = [
        base.mark_point(filled=True, size=45, opacity=1).encode(
            y=end, color=encodings["color"], shape=encodings["shape"]
        )
        for end in (y, alt.Y("high:Q", title=None, scale=scale, axis=axis))
    ]
    is_few = len(ranges) <= FEW_SERIES
    text = base.mark_text(dy=-10, fontSize=11 if is_few else 9).encode(
        y=alt.Y("high:Q", title=None, scale=scale, axis=axis), text=alt.Text("k:Q", format=".1f")
    )
    width = (36 if is_few else 24) * len(ranges)
    return alt.layer(bar, *ends, text, width=width, height=layout.height)


def budget_chart(
    curves: Mapping[str, Curve],
    *,
    unit: str,
    everyone: Sequence[str] = (),
    bands: Mapping[str, Band] | None = None,
    layout: Layout = SCREEN,
) -> Chart:
    """Accuracy within a budget of effort.

    Args:
        curves: by name, (budget, accuracy 0–1) with increasing budgets.
        unit: of the budget, e.g. ``searches``.
        everyone: as of ``kuiper_chart``.
        bands: by name, (budget, ends of the 95 % interval).
    """
    names = _labels(curves)
    unit_label = clean(unit)
    title = lazy_gettext("How accurate is each within a budget of {unit}?", unit=unit_label)
    x = alt.X(
        "x:Q",
        title=lazy_gettext("Budget ({unit})", unit=unit_label),
        axis=_ticks(curves, layout),
        scale=alt.Scale(nice=False, zero=True),
    )
    return Chart(
        key=f"budget-{slug(unit)}",
        title=title,
        caption=caption_with(
            lazy_gettext(
                "Share of attempts that reach a right answer with at most so many {unit}.",
                unit=unit_label,
            ),
            *([lazy_gettext("Bands are 95 % intervals.")] if bands else []),
            series=(
                lazy_gettext(
                    "{name}: {percent:.1f} % with the whole budget.",
                    name=names[name],
                    percent=100 * curve[-1][1],
                )
                for name, curve in curves.items()
            ),
        ),
        spec=chart_spec(
            _share_curves(
                curves,
                names,
                everyone,
                bands,
                x,
                lazy_gettext("Right answers (% of tasks)"),
                layout,
            ),
            title,
        ),
        columns=layout.columns,
    )


def retrieval_chart(
    curves: Mapping[str, Sequence[tuple[int, float]]],
    *,
    level: str,
    everyone: Sequence[str] = (),
) -> Chart:
    """Share of tasks whose gold was found by the n-th query.

    Args:
        curves: by name, (query number, share found 0–1).
        level: what was found: ``document`` or ``page``.
        everyone: as of ``kuiper_chart``.
    """
    names = _labels(curves)
    words = LEVELS[level]
    title = words.title
    return Chart(
        key=f"retrieval-{slug(level)}",
        title=title,
        caption=caption_with(
            words.caption,
            series=(
                lazy_gettext(
                    "{name}: {first_percent:.1f} % by query {first_query}, "
                    "{last_percent:.1f} % by query {last_query}.",
                    name=names[name],
                    first_percent=100 * curve[0][1],
                    first_query=curve[0][0],
                    last_percent=100 * curve[-1][1],
                    last_query=curve[-1][0],
                )
                for name, curve in curves.items()
            ),
        ),
        spec=chart_spec(_retrieval_view(curves, names, words.axis, everyone, None, SCREEN), title),
    )


def retrieval_levels_chart(
    levels: Mapping[str, Mapping[str, Curve]],
    *,
    bands: Mapping[str, Mapping[str, Band]],
    everyone: Sequence[str],
    layout: Layout,
) -> Chart:
    """Charts of retrieval of several levels side by side, with intervals as bands, for papers.

    Args:
        levels: level → curves as of ``retrieval_chart``.
        bands: level → bands as of ``budget_chart``.
    """
    title = "By which query was the gold evidence found?"
    views = [
        _retrieval_view(
            curves, _labels(curves), LEVELS[level].axis, everyone, bands[level], layout, len(levels)
        )
        for level, curves in levels.items()
    ]
    return Chart(
        key="retrieval",
        title=title,
        caption="Cumulative share of attempts in which the gold evidence was among the results, "
        "with 95 % intervals as bands: " + " and ".join(map(clean, levels)) + ".",
        spec=chart_spec(alt.hconcat(*views, spacing=24), title),
        columns=layout.columns,
    )


def _retrieval_view(
    curves: Mapping[str, Curve],
    names: Mapping[str, str],
    y_title: str,
    everyone: Sequence[str],
    bands: Mapping[str, Band] | None,
    layout: Layout,
    panels: int = 1,
) -> Any:
    x = alt.X(
        "x:Q",
        title=lazy_gettext("Query (number within the attempt)"),
        axis=_ticks(curves, layout, lowest=1),
        scale=alt.Scale(nice=False, zero=False, padding=10),
    )
    return _share_curves(curves, names, everyone, bands, x, y_title, layout, panels)


def _labels(curves: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    if not curves or not all(curves.values()):
        raise ValueError("a chart needs series, and each of them points")
    return distinct(list(curves))


def _points(
    curves: Mapping[str, Sequence[tuple[float, float]]], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    return [
        {
            "series": names[name],
            "x": x,
            "y": round(y, 9),
            "marked": position in marked_points(len(curve)),
        }
        for name, curve in curves.items()
        for position, (x, y) in enumerate(curve)
    ]


def _share_curves(
    curves: Mapping[str, Curve],
    names: Mapping[str, str],
    everyone: Sequence[str],
    bands: Mapping[str, Band] | None,
    x: alt.X,
    y_title: str,
    layout: Layout,
    panels: int = 1,
) -> Any:
    """Step functions of shares, with their intervals as bands, in one of several panels."""
    encodings = series_encodings(list(names.values()), list(distinct(everyone).values()), layout)
    y = alt.Y("y:Q", title=y_title, scale=alt.Scale(domain=[0, 1]), axis=percent_axis())
    layers = _curves(_points(curves, names), encodings, x=x, y=y)
    if bands:
        rows = [
            {"series": names[name], "x": at, "low": round(low, 9), "high": round(high, 9)}
            for name, band in bands.items()
            for at, low, high in band
        ]
        areas = (
            alt.Chart(inline_data(rows))
            .mark_area(opacity=0.15 if len(bands) <= FEW_SERIES else 0.08, interpolate="step-after")
            .encode(
                x=x,
                y=alt.Y("low:Q", title=y_title, scale=y["scale"], axis=y["axis"]),
                y2="high:Q",
                color=encodings["color"],
            )
        )
        layers.insert(0, areas)
    return alt.layer(*layers, width=layout.width // panels, height=layout.height)


def _curves(
    rows: Sequence[dict[str, Any]],
    encodings: Mapping[str, Any],
    *,
    x: alt.X,
    y: alt.Y,
    interpolation: _Interpolation = "step-after",
) -> list[alt.Chart]:
    base = alt.Chart(inline_data(rows)).encode(x=x, y=y, color=encodings["color"])
    line = base.mark_line(interpolate=interpolation, strokeWidth=2)
    dots = base.mark_point(filled=True, size=45, opacity=1).transform_filter("datum.marked")
    tooltip = [
        alt.Tooltip("series:N", title=lazy_gettext("Who")),
        alt.Tooltip("x:Q", title=x["title"]),
        alt.Tooltip("y:Q", title=y["title"], format=".3f"),
    ]
    return [
        line.encode(strokeDash=encodings["strokeDash"]),
        dots.encode(shape=encodings["shape"], tooltip=tooltip),
    ]


def _ticks(curves: Mapping[str, Curve], layout: Layout, lowest: int = 0) -> alt.Axis:
    """Ticks at whole numbers if all positions are whole."""
    positions = [x for curve in curves.values() for x, _ in curve]
    if not all(float(x).is_integer() for x in positions):
        return alt.Axis(grid=False)
    n_ticks = 10 if layout.columns == 2 else 6
    return alt.Axis(grid=False, values=whole_ticks(lowest, max(positions), n_ticks), format=",d")

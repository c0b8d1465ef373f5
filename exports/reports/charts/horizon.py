"""Success over people's time per task: fitted curves with their bands, and rates in bins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.exports.reports.charts.style import (
    FEW_SERIES,
    QUIET,
    SCREEN,
    Layout,
    caption_with,
    chart_spec,
    distinct,
    inline_data,
    percent_axis,
    series_encodings,
)
from pagetrail.exports.reports.model import Chart

_MOST_TICKS = 9


class PlottedRate(NamedTuple):
    """A success rate at a time, with the ends of its interval; None without one."""

    minutes: float
    rate: float
    low: float | None
    high: float | None


def horizon_chart(
    curves: Mapping[str, Sequence[PlottedRate]],
    bins: Mapping[str, Sequence[PlottedRate]],
    *,
    sentences: Sequence[str] = (),
    everyone: Sequence[str] = (),
    layout: Layout = SCREEN,
) -> Chart:
    """Fitted success rates over people's time, with the observed rates in bins.

    Args:
        curves: by name, points of the fitted curve by time; a name may have none.
        bins: by name, observed rates.
        sentences: of the caption, one for each series.
        everyone: all names of the report in order, so that each has the same style in all charts.
    """
    if not any(bins.values()):
        raise ValueError("a chart needs series, and each of them points")
    names = distinct(list(bins))
    title = lazy_gettext("How long are the tasks in which each succeeds?")
    minutes = [p.minutes for rates in (*curves.values(), *bins.values()) for p in rates]
    x = alt.X(
        "x:Q",
        title=lazy_gettext("People's time per task (minutes, logarithmic)"),
        scale=alt.Scale(type="log", base=2, domain=[min(minutes) / 1.1, max(minutes) * 1.1]),
        axis=alt.Axis(grid=False, values=_powers(min(minutes), max(minutes)), format="~g"),
    )
    y_title = lazy_gettext("Correct answers (% of tasks)")
    scale = alt.Scale(domain=[0, 1])
    y = alt.Y("y:Q", title=y_title, scale=scale, axis=percent_axis())
    low = alt.Y("low:Q", title=y_title, scale=scale, axis=percent_axis())
    encodings = series_encodings(list(names.values()), list(distinct(everyone).values()), layout)
    half = (
        alt.Chart(inline_data([{"y": 0.5}]))
        .mark_rule(color=QUIET, strokeWidth=1, strokeDash=[3, 3])
        .encode(y=y)
    )
    curve_rows, bin_rows = _rows(curves, names), _rows(_side_by_side(bins), names)
    layers: list[Any] = [half]
    if curve_rows:
        fitted = alt.Chart(inline_data(curve_rows)).encode(x=x, color=encodings["color"])
        bands = [row for row in curve_rows if row["low"] is not None]
        if bands:
            layers.append(
                alt.Chart(inline_data(bands))
                .mark_area(opacity=0.15 if len(names) <= FEW_SERIES else 0.08)
                .encode(x=x, y=low, y2="high:Q", color=encodings["color"])
            )
        layers.append(
            fitted.mark_line(strokeWidth=2).encode(y=y, strokeDash=encodings["strokeDash"])
        )
    observed = alt.Chart(inline_data(bin_rows)).encode(x=x, color=encodings["color"])
    layers.append(
        observed.mark_rule(strokeWidth=1.2)
        .transform_filter("isValid(datum.low)")
        .encode(y=low, y2="high:Q")
    )
    tooltip = [
        alt.Tooltip("series:N", title=lazy_gettext("Who")),
        alt.Tooltip("x:Q", title=lazy_gettext("Minutes"), format=".2f"),
        alt.Tooltip("y:Q", title=y_title, format=".1%"),
    ]
    layers.append(
        observed.mark_point(filled=True, size=60, opacity=1).encode(
            y=y, shape=encodings["shape"], tooltip=tooltip
        )
    )
    return Chart(
        key="time-horizon",
        title=title,
        caption=caption_with(
            lazy_gettext(
                "Share of correct answers over the time that tasks take people. Points are rates "
                "in bins of doubling time, curves the fitted rates, bands and bars 95 % intervals."
            ),
            series=sentences,
        ),
        spec=chart_spec(alt.layer(*layers, width=layout.width, height=layout.height), title),
        columns=layout.columns,
    )


def _side_by_side(
    bins: Mapping[str, Sequence[PlottedRate]],
) -> dict[str, list[PlottedRate]]:
    """Series moved apart by 2 %, so that bars at the same time do not hide each other."""
    middle = (len(bins) - 1) / 2
    return {
        name: [point._replace(minutes=point.minutes * 1.02 ** (index - middle)) for point in rates]
        for index, (name, rates) in enumerate(bins.items())
    }


def _rows(
    rates: Mapping[str, Sequence[PlottedRate]], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    return [
        {
            "series": names[name],
            "x": round(point.minutes, 9),
            "y": round(point.rate, 9),
            "low": None if point.low is None else round(point.low, 9),
            "high": None if point.high is None else round(point.high, 9),
        }
        for name, points in rates.items()
        for point in points
    ]


def _powers(shortest: float, longest: float) -> list[float]:
    """Ticks at powers of two within the range, thinned to a readable number."""
    first, last = math.floor(math.log2(shortest / 1.1)), math.ceil(math.log2(longest * 1.1))
    step = math.ceil((last - first + 1) / _MOST_TICKS)
    return [2.0**power for power in range(first, last + 1, step)]

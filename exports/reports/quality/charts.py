"""Charts of quality: shares over time, for all annotators together and each person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import altair as alt

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.progress.quality import (
    MeanEstimate,
    Period,
    PersonWork,
    mean,
    periods,
    proportion,
)
from pagetrail.annotation.protocols.quality import QualityPart
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
from pagetrail.exports.reports.quality.reading import QualityInput
from pagetrail.exports.reports.quality.tables import ALL_ANNOTATORS

MOST_PEOPLE = 6
"""Maximum number of people with a line each; with more, only the line of all is drawn."""

Point = tuple[str, float, float | None, float | None, int]
"""(Period, share 0–1, low and high of its 95 % interval, number of cases)."""


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
            alt.Tooltip("series:N", title=lazy_gettext("Who")),
            alt.Tooltip("period:N", title=period_title),
            alt.Tooltip("share:Q", title=axis, format=".1%"),
            alt.Tooltip("n:Q", title=lazy_gettext("Tasks")),
        ],
    )
    layers = [spans.encode(y=alt.Y("low:Q", title=axis), y2="high:Q"), dots]
    if alert is not None:
        line = alt.Chart(inline_data([{"alert": alert}])).mark_rule(color=QUIET, strokeDash=[5, 4])
        layers.insert(0, line.encode(y="alert:Q"))
    alert_words = lazy_gettext("The broken line is where an alert begins.")
    return Chart(
        key=key,
        title=title,
        caption=caption_with(
            lazy_gettext("Bars are 95 % intervals."),
            *([] if alert is None else [alert_words]),
            series=(
                lazy_gettext(
                    "{name}: {first:.0f} % first, {last:.0f} % last.",
                    name=names[name],
                    first=100 * points[0][1],
                    last=100 * points[-1][1],
                )
                for name, points in lines.items()
            ),
        ),
        spec=chart_spec(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT), title),
    )


_Measure = Callable[[PersonWork], MeanEstimate]


def drift_charts(quality_input: QualityInput, by: Period, quality: QualityPart) -> list[Chart]:
    """One chart per measure with values: all people together and, if few, each person."""
    chart_specs: list[tuple[str, str, str, _Measure, float | None]] = [
        (
            "quality-gold",
            lazy_gettext("Is hidden gold answered correctly?"),
            lazy_gettext("Correct on gold (% of gold tasks)"),
            lambda person_work: proportion(person_work.gold),
            quality.alert_gold,
        ),
        (
            "quality-consistency",
            lazy_gettext("Are repeated tasks answered consistently?"),
            lazy_gettext("Self-consistent (% of repeats)"),
            lambda person_work: proportion(person_work.consistency),
            quality.alert_consistency,
        ),
        (
            "quality-agreement",
            lazy_gettext("Does agreement with others change?"),
            lazy_gettext("Agreement with others (mean)"),
            lambda person_work: mean(person_work.agreement),
            None,
        ),
    ]
    lines = _lines(quality_input, by)
    periods_in_order = _in_order([name for parts in lines.values() for name, _ in parts], by)
    charts = []
    for key, title, axis, measure, alert in chart_specs:
        points = {name: _points(parts, measure) for name, parts in lines.items()}
        position_names = {
            name: person_points for name, person_points in points.items() if person_points
        }
        if position_names:
            period_title = (
                lazy_gettext("Week (ISO, UTC)")
                if by == "week"
                else lazy_gettext("Part of the work")
            )
            charts.append(
                share_over_time_chart(
                    position_names, periods_in_order, key=f"chart-{key}", title=title, axis=axis,
                    period_title=period_title, alert=alert,
                )
            )  # fmt: skip
    return charts


def _lines(quality_input: QualityInput, by: Period) -> dict[str, list[tuple[str, PersonWork]]]:
    """Name → (period, work in it): of all together, then of each person if there are few."""
    periods_of = {
        name: list(periods(person_work, by)) for name, person_work in quality_input.people.items()
    }
    if len(periods_of) == 1:
        return periods_of
    by_period: dict[str, list[PersonWork]] = {}
    for parts in periods_of.values():
        for name, part in parts:
            by_period.setdefault(name, []).append(part)
    everybody_periods = [
        (name, PersonWork.combine(by_period[name])) for name in _in_order(list(by_period), by)
    ]
    lines = {ALL_ANNOTATORS: everybody_periods} if everybody_periods else {}
    return lines | periods_of if len(periods_of) <= MOST_PEOPLE else lines


def _in_order(names: Sequence[str], by: Period) -> list[str]:
    position_names = set(names)
    return sorted(position_names, key=(lambda name: (0, name)) if by == "week" else _number)


def _number(tenth: str) -> tuple[int, str]:
    return int(tenth.split(" ", 1)[0]), tenth


def _points(parts: Sequence[tuple[str, PersonWork]], measure: _Measure) -> list[Point]:
    points: list[Point] = []
    for period, person_work in parts:
        value = measure(person_work)
        if value.value is not None:
            points.append((period, value.value, value.low, value.high, value.n))
    return points

"""Charts of the report of quality: accuracy on gold, self-consistency and agreement over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pagetrail.annotation.progress.quality import (
    MeanEstimate,
    Period,
    PersonWork,
    mean,
    periods,
    proportion,
)
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.exports.reports.charts.over_time import MOST_PEOPLE, Point, share_over_time_chart
from pagetrail.exports.reports.model import Chart
from pagetrail.exports.reports.quality.reading import QualityInput
from pagetrail.exports.reports.quality.tables import ALL_ANNOTATORS

_Measure = Callable[[PersonWork], MeanEstimate]


def drift_charts(quality_input: QualityInput, by: Period, quality: QualityPart) -> list[Chart]:
    """A chart per measure that somebody has: everybody together, and each of a few people."""
    chart_specs: list[tuple[str, str, str, _Measure, float | None]] = [
        (
            "quality-gold",
            "Is hidden gold answered correctly?",
            "Correct on gold (% of gold tasks)",
            lambda person_work: proportion(person_work.gold),
            quality.alert_gold,
        ),
        (
            "quality-consistency",
            "Are repeated tasks answered consistently?",
            "Self-consistent (% of repeats)",
            lambda person_work: proportion(person_work.alike),
            quality.alert_consistency,
        ),
        (
            "quality-agreement",
            "Does agreement with others change?",
            "Agreement with others (mean)",
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
            period_title = "Week (ISO, UTC)" if by == "week" else "Part of the work"
            charts.append(
                share_over_time_chart(
                    position_names, periods_in_order, key=f"chart-{key}", title=title, axis=axis,
                    period_title=period_title, alert=alert,
                )
            )  # fmt: skip
    return charts


def _lines(quality_input: QualityInput, by: Period) -> dict[str, list[tuple[str, PersonWork]]]:
    """Name → (period, work in it): everybody's, then each person's where they can be told apart."""
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

"""Charts of the report of quality: accuracy on gold, self-consistency and agreement over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pagetrail.annotation.progress.quality import Found, Period, PersonWork, mean, periods, share
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.exports.reports.charts.over_time import MOST_PEOPLE, Point, share_over_time_chart
from pagetrail.exports.reports.model import Chart
from pagetrail.exports.reports.quality.reading import QualityInput
from pagetrail.exports.reports.quality.tables import EVERYBODY

_Measure = Callable[[PersonWork], Found]


def drift_charts(found: QualityInput, by: Period, quality: QualityPart) -> list[Chart]:
    """A chart per measure that somebody has: everybody together, and each of a few people."""
    wanted: list[tuple[str, str, str, _Measure, float | None]] = [
        (
            "quality-gold",
            "Is hidden gold answered correctly?",
            "Correct on gold (% of gold tasks)",
            lambda work: share(work.gold),
            quality.alert_gold,
        ),
        (
            "quality-consistency",
            "Are repeated tasks answered consistently?",
            "Self-consistent (% of repeats)",
            lambda work: share(work.alike),
            quality.alert_consistency,
        ),
        (
            "quality-agreement",
            "Does agreement with others change?",
            "Agreement with others (mean)",
            lambda work: mean(work.agreement),
            None,
        ),
    ]
    lines = _lines(found, by)
    named = _in_order([name for parts in lines.values() for name, _ in parts], by)
    charts = []
    for key, title, axis, measure, alert in wanted:
        points = {name: _points(parts, measure) for name, parts in lines.items()}
        known = {name: own for name, own in points.items() if own}
        if known:
            period_title = "Week (ISO, UTC)" if by == "week" else "Part of the work"
            charts.append(
                share_over_time_chart(
                    known, named, key=f"chart-{key}", title=title, axis=axis,
                    period_title=period_title, alert=alert,
                )
            )  # fmt: skip
    return charts


def _lines(found: QualityInput, by: Period) -> dict[str, list[tuple[str, PersonWork]]]:
    """Name → (period, work in it): everybody's, then each person's where they can be told apart."""
    each = {name: list(periods(work, by)) for name, work in found.people.items()}
    if len(each) == 1:
        return each
    together: dict[str, list[PersonWork]] = {}
    for parts in each.values():
        for name, part in parts:
            together.setdefault(name, []).append(part)
    everybody = [
        (name, PersonWork.together(together[name])) for name in _in_order(list(together), by)
    ]
    lines = {EVERYBODY: everybody} if everybody else {}
    return lines | each if len(each) <= MOST_PEOPLE else lines


def _in_order(names: Sequence[str], by: Period) -> list[str]:
    known = set(names)
    return sorted(known, key=(lambda name: (0, name)) if by == "week" else _number)


def _number(tenth: str) -> tuple[int, str]:
    return int(tenth.split(" ", 1)[0]), tenth


def _points(parts: Sequence[tuple[str, PersonWork]], measure: _Measure) -> list[Point]:
    points: list[Point] = []
    for period, work in parts:
        value = measure(work)
        if value.value is not None:
            points.append((period, value.value, value.low, value.high, value.n))
    return points

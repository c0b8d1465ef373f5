"""MADQA's figures of effort: 6 and 10 (Kuiper's curves) and 9 (accuracy within a step limit)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from pagetrail.annotation.metrics.budget import accuracy_by_budget, budget_scores
from pagetrail.annotation.metrics.effort import Kuiper, kuiper
from pagetrail.exports.papers.drawing import curves
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reports.metrics.budget import BEYOND_BUDGET, ladder
from pagetrail.exports.reports.metrics.cells import ATTEMPTS, SIDE, plain, share_cell
from pagetrail.exports.reports.metrics.effort import MADQA, efforts
from pagetrail.exports.reports.metrics.interval_notes import interval_words
from pagetrail.exports.reports.metrics.participants import Side
from pagetrail.exports.reports.model import Cell, Column, Row, Table

_CURVE = (
    SIDE,
    Column("effort", "Steps", "count", "Searches; of an attempt without any, its iterations."),
    Column("attempts", "Attempts so far", "count", "Attempts of no more steps."),
    Column("n", "n", "count", "Decided attempts with an effort above 0."),
    Column("fraction", "Fraction", "share", "Of the attempts, weighted, in order of effort."),
    Column("deviation", "D", "number", "Right so far, weighted, less what the mean would give."),
    Column("band", "Chance", "number", "95 % of D at this point if effort said nothing: ± this."),
    Column("kuiper", "K", "number", "Highest D less lowest: Kuiper's statistic."),
    Column("excluded", "Left out", "count", "Attempts without effort, or that nothing decided."),
)
_BAND = (
    "Chance: 1.96 standard errors of a sum drawn without replacement, √(k(N−k)/(N−1) · ȳ(1−ȳ)) "
    "(Cochran 1977), with k and N the weights of the attempts, in tasks; point by point, so that a "
    "whole curve leaves it more often."
)


def illustration(found: Material) -> Figure | str:
    """Figure 6: the curve of people who searched, or of the best system, or why there is none."""
    for side in [*found.people, *found.systems]:
        rows = _curve(side, found)
        if rows:
            return _figure(
                "figure-6",
                "The cumulative difference curve",
                rows,
                curves.lines("effort", "deviation", "Steps", "D (tasks)", band="band"),
            )
    return "no participant has both right and wrong answers with a known effort"


def calibration(found: Material) -> Figure | str:
    """Figure 10: the curves of all participants, or why there is none."""
    rows = [row for side in found.participants for row in _curve(side, found)]
    if not rows:
        return "no participant has both right and wrong answers with a known effort"
    return _figure(
        "figure-10",
        "Calibration of effort",
        rows,
        curves.lines(
            "fraction",
            "deviation",
            "Attempts in order of effort (%)",
            "D (tasks)",
            beside="kuiper",
        ),
    )


def _figure(key: str, title: str, rows: Sequence[Row], draw: curves.Draw) -> Figure:
    return Figure(
        Table(
            key=key,
            title=title,
            question="Does success depend on effort?",
            columns=_CURVE,
            rows=rows,
            notes=[
                "Rising: right more often than on average. Points are between distinct efforts, so "
                "that the order of attempts of equal effort cannot move them. The attempts of "
                "people at one task share a weight of 1.",
                _BAND,
            ],
        ),
        draw,
    )


def _curve(side: Side, found: Material) -> list[Row]:
    measure = kuiper(
        efforts(side.rows, MADQA, found.options),
        [row.correct for row in side.rows],
        [row.unit for row in side.rows],
        effort=MADQA,
    )
    if measure.value is None or measure.weight is None:
        return []
    n = measure.counts["n"]
    return [
        Row(
            {
                "side": plain(side.name),
                "effort": plain(point.effort),
                "attempts": plain(point.n),
                "n": plain(n),
                "fraction": plain(point.weight / measure.weight),
                "deviation": plain(point.deviation),
                "band": plain(_chance(measure, point.weight)),
                "kuiper": plain(measure.value),
                "excluded": plain(len(side.rows) - n),
            }
        )
        for point in measure.curve
    ]


def _chance(measure: Kuiper, k: float) -> float:
    n, success = measure.weight, measure.success
    assert n is not None and success is not None
    if n < 2:
        return 0.0
    # Weights are sums of quotients: at the end of the curve k may be a hair above n.
    left = max(0.0, n - k)
    return NormalDist().inv_cdf(0.975) * math.sqrt(k * left / (n - 1) * success * (1 - success))


def step_limit(found: Material) -> Figure | str:
    """Figure 9: accuracy within N searches, or why there is none."""
    sides = [side for side in found.participants if any(row.searches for row in side.decided)]
    largest = max((len(row.searches) for side in sides for row in side.decided), default=0)
    if largest == 0:
        return "nobody searched, or nothing decided the answers"
    rows = []
    for side in sides:
        for point in accuracy_by_budget(side.rows, "searches", ladder(largest)):
            scores = budget_scores(side.rows, point.budget)
            left = point.counts["left_out_undecided"]
            cell = share_cell(point, scores, found.options)
            rows.append(
                Row(
                    {
                        "side": plain(side.name),
                        "limit": plain(int(point.budget)),
                        "attempts": plain(point.counts["whole"]),
                        "within": plain(point.counts["within"]),
                        "accuracy": cell,
                        "undecided": Cell(left),
                    }
                )
            )
    return Figure(
        Table(
            key="figure-9",
            title="Accuracy within a number of searches",
            question="How much of the accuracy do N searches buy?",
            columns=(
                SIDE,
                Column("limit", "Searches", "count", "The limit N."),
                ATTEMPTS,
                Column("within", "Ended within", "count", "Attempts that needed no more."),
                Column("accuracy", "Accuracy", "share", "Weighted share right within the limit."),
                Column("undecided", "Undecided", "count", "Attempts that nothing decided."),
            ),
            rows=rows,
            notes=[BEYOND_BUDGET, interval_words(found.options.resampling)],
        ),
        curves.lines("limit", "accuracy", "Limit of searches", "Right within it (%)", share=True),
    )

"""MADQA's figures of effort: 6 and 10 (Kuiper's curves) and 9 (accuracy within a step limit)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from pagetrail.annotation.metrics.budget import accuracy_by_budget, budget_scores
from pagetrail.annotation.metrics.effort import Kuiper, kuiper
from pagetrail.exports.papers.charts import (
    Draw,
    accuracy_within_limit,
    kuiper_over_attempts,
    kuiper_over_steps,
)
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reports.metrics.budget import budget_steps
from pagetrail.exports.reports.metrics.cells import ATTEMPTS, PARTICIPANT, share_cell
from pagetrail.exports.reports.metrics.effort import MADQA, efforts
from pagetrail.exports.reports.metrics.interval_notes import interval_words
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Column, RowValues, Table

_CURVE = (
    PARTICIPANT,
    Column("effort", "Steps", "count", "Number of searches; iterations where an attempt has none."),
    Column("attempts", "Attempts so far", "count", "Attempts with at most this many steps."),
    Column("n", "n", "count", "Attempts judged correct or incorrect, with effort above 0."),
    Column(
        "fraction",
        "Fraction",
        "share",
        "Cumulative weighted share of attempts, by increasing effort.",
    ),
    Column(
        "deviation",
        "D",
        "number",
        "Weighted number of correct attempts up to this effort, minus the number expected at the "
        "participant's overall accuracy.",
    ),
    Column(
        "band",
        "Chance",
        "number",
        "Half-width of the pointwise 95 % band of D if correctness is unrelated to effort.",
    ),
    Column("kuiper", "K", "number", "Kuiper's statistic: maximum of D minus minimum of D."),
    Column("excluded", "Left out", "count", "Attempts without positive effort, or undecided."),
)
_BAND = (
    "Chance: 1.96 standard errors of a sum sampled without replacement, √(k(N−k)/(N−1) · ȳ(1−ȳ)) "
    "(Cochran 1977), where k is the cumulative weight, N the total weight and ȳ the accuracy. The "
    "band is pointwise: the probability that a curve leaves it somewhere exceeds 5 %."
)
_BEYOND_LIMIT = (
    "Attempts with more than N searches count as incorrect. At the largest N the share equals the "
    "accuracy over all attempts that were judged correct or incorrect."
)


def illustration(material: Material) -> Figure | str:
    """Figure 6: the curve of people who searched, or of the best system, or why there is none."""
    for participant in [*material.people, *material.systems]:
        rows = _curve(participant, material)
        if rows:
            return _figure(
                "figure-6",
                "The cumulative difference curve",
                rows,
                kuiper_over_steps,
            )
    return "no participant has both correct and incorrect answers of known effort"


def calibration(material: Material) -> Figure | str:
    """Figure 10: the curves of all participants, or why there is none."""
    rows = [row for participant in material.participants for row in _curve(participant, material)]
    if not rows:
        return "no participant has both correct and incorrect answers of known effort"
    return _figure(
        "figure-10",
        "Calibration of effort",
        rows,
        kuiper_over_attempts,
    )


def _figure(key: str, title: str, rows: Sequence[RowValues], draw: Draw) -> Figure:
    return Figure(
        Table.from_rows(
            key=key,
            title=title,
            question="Is correctness associated with effort?",
            columns=_CURVE,
            rows=rows,
            notes=[
                "Where D rises, accuracy exceeds the participant's mean. Attempts of equal effort "
                "form one point. Attempts of people are weighted by 1/(annotators per task).",
                _BAND,
            ],
        ),
        draw,
    )


def _curve(participant: Participant, material: Material) -> list[RowValues]:
    measure = kuiper(
        efforts(participant.rows, MADQA, material.options),
        [row.correct for row in participant.rows],
        [row.unit for row in participant.rows],
        effort=MADQA,
    )
    if measure.value is None or measure.weight is None:
        return []
    n = measure.counts["n"]
    return [
        {
            "side": participant.name,
            "effort": point.effort,
            "attempts": point.n,
            "n": n,
            "fraction": point.weight / measure.weight,
            "deviation": point.deviation,
            "band": _chance(measure, point.weight),
            "kuiper": measure.value,
            "excluded": len(participant.rows) - n,
        }
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


def step_limit(material: Material) -> Figure | str:
    """Figure 9: accuracy within N searches, or why there is none."""
    participants = [
        participant
        for participant in material.participants
        if any(row.searches for row in participant.decided)
    ]
    largest = max(
        (len(row.searches) for participant in participants for row in participant.decided),
        default=0,
    )
    if largest == 0:
        return "no attempt with a search was judged correct or incorrect"
    rows = []
    for participant in participants:
        for point in accuracy_by_budget(participant.rows, "searches", budget_steps(largest)):
            scores = budget_scores(participant.rows, point.budget)
            left = point.counts["left_out_undecided"]
            cell = share_cell(point, scores, material.options)
            rows.append(
                {
                    "side": participant.name,
                    "limit": int(point.budget),
                    "attempts": point.counts["whole"],
                    "within": point.counts["within"],
                    "accuracy": cell,
                    "undecided": left,
                }
            )
    return Figure(
        Table.from_rows(
            key="figure-9",
            title="Accuracy within a number of searches",
            question="What accuracy is reached within N searches?",
            columns=(
                PARTICIPANT,
                Column("limit", "Searches", "count", "Maximum number of searches, N."),
                ATTEMPTS,
                Column("within", "Ended within", "count", "Attempts with at most N searches."),
                Column(
                    "accuracy", "Accuracy", "share", "Weighted share correct within N searches."
                ),
                Column(
                    "undecided",
                    "Undecided",
                    "count",
                    "Attempts judged neither correct nor incorrect.",
                ),
            ),
            rows=rows,
            notes=[_BEYOND_LIMIT, interval_words(material.options.resampling)],
        ),
        accuracy_within_limit,
    )

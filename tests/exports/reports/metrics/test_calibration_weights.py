"""Weights of judged answers where two people answered each task, written out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pagetrail.annotation.metrics.judging.calibration import judge_rates
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.metrics.judging.judge import Calibration, Judge
from pagetrail.exports.reports.metrics.judging.judge_agreement import agreement_table
from pagetrail.exports.reports.metrics.judging.judge_verdicts import Verdict
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.model import Cell
from pagetrail.exports.reports.resampling import Resampling
from pagetrail.storage.campaigns.samples import SampleDesign, StoredSample
from tests.annotation.metrics.made_rows import make_row

TASKS = tuple(f"q{n}" for n in range(6))
PEOPLE = ("Ada", "Bo")
SIZES = {("gpt", "correct"): 4, ("gpt", "incorrect"): 2, ("people", "correct"): 12}
"""Answers of each stratum: who answered, and the judge's verdict."""


def rows() -> list[MeasuredAttempt]:
    """Two people and a system at each task; Ada equals the gold at q0."""
    made = [
        MeasuredAttempt.from_row(
            make_row(task, attempt=f"{name}-{task}", system=name, person=name != "gpt")
        )
        for task in TASKS
        for name in (*PEOPLE, "gpt")
    ]
    return [
        replace(row, correctness=replace(row.correctness, exact=row.attempt == "Ada-q0"))
        for row in made
    ]


JUDGED = {
    # attempt: (verdict of the judge, people's judgement)
    "gpt-q0": (1.0, 1.0),
    "gpt-q1": (1.0, 0.0),
    "gpt-q2": (0.0, 0.0),
    "Bo-q0": (1.0, 1.0),
    "Ada-q1": (1.0, 0.0),
    "Bo-q3": (1.0, 1.0),
}


def calibration(*, drawn: bool) -> Calibration:
    """The six judged answers, drawn by stratum or as they came."""
    verdicts = {row.attempt: 0.0 if row.attempt == "gpt-q2" else 1.0 for row in rows()}
    stratum_of = {
        attempt: (
            "gpt" if attempt.startswith("gpt") else "people",
            "correct" if verdict else "incorrect",
        )
        for attempt, (verdict, _) in JUDGED.items()
    }
    judged = [
        replace(
            row,
            verdict=Verdict(row.task, None, [JUDGED[row.attempt][1]]),
            stratum=stratum_of[row.attempt] if drawn else None,
        )
        if row.attempt in JUDGED
        else row
        for row in rows()
    ]
    design = SampleDesign("predictions", "c", ("who", "verdict"), "j", 7, "digest", SIZES)
    sample = StoredSample(design, {f"{key}#1": stratum for key, stratum in stratum_of.items()}, 1)
    return Calibration(Judge("j", None, verdicts), judged, sample if drawn else None)


def estimates(weight_of: dict[str, float]) -> dict[str, float]:
    """The plain estimates ``Σ w [condition] / Σ w``, and kappa of the weighted table."""

    def share(holds: Any, among: Any) -> float:
        chosen = [(weight_of[a], *JUDGED[a]) for a in JUDGED if among(*JUDGED[a])]
        return sum(w for w, v, y in chosen if holds(v, y)) / sum(w for w, _, _ in chosen)

    def every_answer(v: float, y: float) -> bool:
        return True

    agreement = share(lambda v, y: v == y, every_answer)
    judge, people = (
        share(lambda v, y: v == 1, every_answer),
        share(lambda v, y: y == 1, every_answer),
    )
    expected = judge * people + (1 - judge) * (1 - people)
    return {
        "agreement": agreement,
        "kappa": (agreement - expected) / (1 - expected),
        "sensitivity": share(lambda v, y: v == 1, lambda v, y: y == 1),
        "specificity": share(lambda v, y: v == 0, lambda v, y: y == 0),
    }


def measured(made: Calibration) -> dict[str, Cell]:
    """The cells of the table of agreement."""
    (row,) = agreement_table([made], Options("first", 120, Resampling(20, 7))).rows
    return dict(row.cells)


@pytest.mark.parametrize("drawn", [True, False])
def test_one_unit_in_coefficients_and_rates(drawn: bool) -> None:
    """A person's answer weighs 1/2 wherever two people answered, drawn by stratum or not.

    Drawn, the weight is divided by the inclusion probability: of 4 answers 2 are judged, of 2 one,
    of 12 three (Horvitz and Thompson).
    """
    expansion = {"gpt-q0": 4 / 2, "gpt-q1": 4 / 2, "gpt-q2": 2 / 1}
    weight_of = {
        attempt: (expansion.get(attempt, 12 / 3) if drawn else 1.0)
        * (1.0 if attempt.startswith("gpt") else 1 / 2)
        for attempt in JUDGED
    }
    cells = measured(calibration(drawn=drawn))
    for key, expected in estimates(weight_of).items():
        assert cells[key].value == pytest.approx(expected), key


def test_strata_have_the_unit_of_judged_answers() -> None:
    """The stratum of 12 people's answers weighs 6, with the same inclusion probability."""
    sample = calibration(drawn=True).sample
    stratum = sample.strata["people", "correct"]
    assert (stratum.size, stratum.inclusion_probability) == (6, 3 / 12)
    assert judge_rates(sample).judged == len(JUDGED)

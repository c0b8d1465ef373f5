"""Accuracy of answers of which a judge decides some, by hand and by simulation."""

from __future__ import annotations

import math
from random import Random

import pytest

from pagetrail.annotation.metrics.judging.accuracy import DecidedAnswer, judged_accuracy
from pagetrail.annotation.metrics.judging.calibration import CorrectedAccuracy
from pagetrail.annotation.statistics.wilson import wilson


def answers(*groups: tuple[int, bool | None, bool]) -> list[DecidedAnswer]:
    """So many answers with that outcome, decided by the judge or not."""
    decided = [(correct, by_judge) for n, correct, by_judge in groups for _ in range(n)]
    return [DecidedAnswer((str(i), "gpt"), *answer) for i, answer in enumerate(decided)]


def halved(share: float, n: float) -> CorrectedAccuracy:
    """A correction that halves accuracy."""
    interval = (share / 2 - 0.1, share / 2 + 0.1)
    return CorrectedAccuracy(value=share / 2, interval=interval, se=0.05)


def undefined(share: float, n: float) -> CorrectedAccuracy:
    """A correction without calibration."""
    return CorrectedAccuracy(value=None, reason="not_calibrated")


def test_exact_matches_are_not_corrected() -> None:
    """50 of 100 match exactly, 10 are empty, the judge calls 32 of 40 correct."""
    result = judged_accuracy(
        answers((50, True, False), (10, False, False), (32, True, True), (8, False, True)), halved
    )
    assert result.raw == pytest.approx(0.82)
    assert result.value == pytest.approx(0.5 + 0.4 * 0.4)
    d, s, theta = 0.6, 50 / 60, 0.4
    assert result.se == pytest.approx(
        math.sqrt(
            (s - theta) ** 2 * d * (1 - d) / 100 + d**2 * s * (1 - s) / 60 + (0.4 * 0.05) ** 2
        )
    )
    assert result.interval is not None and result.raw_interval is not None
    d_low, d_high = wilson(60, 100) or (0, 0)
    s_low, s_high = wilson(50, 60) or (0, 0)
    below = math.hypot((s - theta) * (d - d_low), d * (s - s_low), 0.4 * 0.1)
    above = math.hypot((s - theta) * (d_high - d), d * (s_high - s), 0.4 * 0.1)
    assert result.interval == pytest.approx((result.value - below, result.value + above))
    assert result.raw_interval[0] < 0.82 < result.raw_interval[1]


def test_every_answer_is_judged() -> None:
    """Then it is the correction itself."""
    result = judged_accuracy(answers((6, True, True), (4, False, True)), halved)
    assert (result.value, result.interval, result.se) == (0.3, pytest.approx((0.2, 0.4)), 0.05)
    assert result.raw_interval == wilson(6, 10)


def test_no_answer_needs_the_judge() -> None:
    """Then nothing is corrected, even without calibration."""
    result = judged_accuracy(answers((8, True, False), (2, False, False)), undefined)
    assert (result.value, result.raw, result.interval) == (0.8, 0.8, wilson(8, 10))


def test_unjudged_answers_are_like_the_judged() -> None:
    """10 exact, 10 that need the judge, of which 5 have a verdict, all correct."""
    result = judged_accuracy(answers((10, True, False), (5, True, True), (5, None, True)), halved)
    assert (result.raw, result.value) == (1.0, pytest.approx(0.75))


@pytest.mark.parametrize(
    ("groups", "reason", "raw"),
    [
        ([], "no_rows", None),
        ([(5, True, False), (5, None, True)], "not_judged", None),
        ([(5, True, False), (5, True, True)], "not_calibrated", 1.0),
    ],
)
def test_undefined(
    groups: list[tuple[int, bool | None, bool]], reason: str, raw: float | None
) -> None:
    """With the reason; raw accuracy needs no calibration."""
    result = judged_accuracy(answers(*groups), undefined)
    assert (result.value, result.reason, result.raw) == (None, reason, raw)


def test_people_share_the_weight_of_a_task() -> None:
    """Two answers to one task weigh as much as one to another."""
    decided = [
        DecidedAnswer(("q1", None), True, False),
        DecidedAnswer(("q1", None), False, False),
        DecidedAnswer(("q2", None), True, False),
    ]
    result = judged_accuracy(decided, undefined)
    assert result.value == pytest.approx(0.75)
    assert judged_accuracy(reversed(decided), undefined) == result


def test_coverage_of_the_raw_interval() -> None:
    """With a seed: it contains the true accuracy in 93 to 97 % of 2,000 samples."""
    rng = Random(5)
    outcomes = [(True, False), (False, False), (True, True), (False, True)]
    hits = 0
    for _ in range(2_000):
        drawn = rng.choices(outcomes, (0.45, 0.1, 0.3, 0.15), k=150)
        decided = [DecidedAnswer((str(i), "gpt"), *answer) for i, answer in enumerate(drawn)]
        low, high = judged_accuracy(decided, undefined).raw_interval or (1, 0)
        hits += low <= 0.75 <= high
    assert 0.93 <= hits / 2_000 <= 0.97

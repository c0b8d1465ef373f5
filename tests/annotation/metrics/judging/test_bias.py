"""Rogan–Gladen: accuracy corrected for the judge's errors."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.judging.bias import RoganGladen, rogan_gladen

# Output of MADQA's own evaluator (eval/metrics.py), which leaves the calibration sample's
# uncertainty out where q0 + q1 > 1.9.


def test_the_benchmarks_default_judge() -> None:
    """q0 = 1, q1 = 0.98: estimate, standard error and interval of the judged rows alone."""
    estimate = rogan_gladen(0.8, 500, 1.0, 0.98, 48, 152)
    assert estimate.value == pytest.approx(0.8163265306122449, abs=1e-12)
    assert estimate.se_test_only == pytest.approx(0.018253616142855426, abs=1e-12)
    assert estimate.interval_test_only == pytest.approx(
        (0.7805501003846294, 0.8521029608398605), abs=1e-9
    )


def test_the_interval_of_lee_et_al() -> None:
    """q0 + q1 = 1.9, where the evaluator takes the paper's interval."""
    estimate = rogan_gladen(0.7, 200, 0.95, 0.95, 48, 152)
    assert estimate.value == pytest.approx(0.7222222222222222, abs=1e-12)
    assert estimate.se_test_only == pytest.approx(0.03600411499115479, abs=1e-12)
    assert estimate.interval == pytest.approx((0.635039451887798, 0.7972835798910411), abs=1e-9)


def test_scores_of_one_half() -> None:
    """Eight scores of 0.5 enter as p = 0.5."""
    estimate = rogan_gladen(0.5, 8, 1.0, 0.98, 48, 152)
    assert estimate.value == pytest.approx(0.5102040816326531, abs=1e-12)
    assert estimate.se_test_only == pytest.approx(0.18038438295575193, abs=1e-12)
    assert estimate.interval_test_only == pytest.approx(
        (0.15665718766589848, 0.8637509755994077), abs=1e-9
    )


def test_a_perfect_judge_changes_nothing() -> None:
    """q0 = q1 = 1: the estimate is p, its error that of p: √(0.21 / 100)."""
    estimate = rogan_gladen(0.7, 100, 1, 1, 10_000, 10_000)
    assert estimate.value == pytest.approx(0.7, abs=1e-12)
    assert estimate.se == estimate.se_test_only == pytest.approx(math.sqrt(0.21 / 100), abs=1e-12)


def test_the_calibration_sample_makes_the_interval_wider() -> None:
    """By hand: p = 0.7, q0 = q1 = 0.9, θ = 0.6 / 0.8 = 0.75; the variance is 0.21/100 +
    0.25²·0.09/10 + 0.75²·0.09/20 over 0.8².
    """
    estimate = rogan_gladen(0.7, 100, 0.9, 0.9, 10, 20)
    assert estimate.se == pytest.approx(math.sqrt(0.0021 + 0.0005625 + 0.00253125) / 0.8, abs=1e-12)
    assert estimate.interval is not None and estimate.interval_test_only is not None
    assert width(estimate.interval) > width(estimate.interval_test_only)


def width(interval: tuple[float, float]) -> float:
    """From end to end."""
    return interval[1] - interval[0]


def test_the_estimate_is_clipped() -> None:
    """p = 0.05 under a specificity of 0.9 would be a negative accuracy."""
    estimate = rogan_gladen(0.05, 40, 0.9, 0.9, 50, 50)
    assert estimate.value == 0
    assert estimate.unclipped == pytest.approx(-0.0625, abs=1e-12)
    assert estimate.interval is not None and estimate.interval[0] == 0


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ((0.5, 0, 0.9, 0.9, 10, 10), "no_rows"),
        ((0.5, 9, 0.9, 0.9, 0, 10), "no_incorrect_in_calibration"),
        ((0.5, 9, 0.9, 0.9, 10, 0), "no_correct_in_calibration"),
        ((0.5, 9, 0.5, 0.5, 10, 10), "judge_no_better_than_chance"),
        ((0.5, 9, 0.2, 0.3, 10, 10), "judge_no_better_than_chance"),
    ],
)
def test_what_a_useless_judge_says_is_undefined(numbers: Any, reason: str) -> None:
    """No value, no interval, and why."""
    estimate = rogan_gladen(*numbers)
    assert (estimate.value, estimate.interval, estimate.se) == (None, None, None)
    assert estimate.reason == reason


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((1.5, 9, 0.9, 0.9, 10, 10), "p is 1.5"),
        ((math.nan, 9, 0.9, 0.9, 10, 10), "p is nan"),
        ((0.5, -1, 0.9, 0.9, 10, 10), "n is -1"),
        ((0.5, 9, 0.9, -0.1, 10, 10), "q1 is -0.1"),
    ],
)
def test_impossible_numbers_are_refused(numbers: Any, message: str) -> None:
    """The message names the number."""
    with pytest.raises(MeasureError, match=message):
        rogan_gladen(*numbers)


SHARES = st.floats(0, 1)
COUNTS = st.integers(0, 300)


@given(SHARES, COUNTS, SHARES, SHARES, COUNTS, COUNTS)
def test_everything_defined_lies_between_0_and_1(
    p: float, n: int, q0: float, q1: float, m0: int, m1: int
) -> None:
    """Estimate and intervals are in [0, 1], in order, and never NaN."""
    estimate = rogan_gladen(p, n, q0, q1, m0, m1)
    if estimate.value is None:
        assert estimate.reason
        return
    assert 0 <= estimate.value <= 1
    for interval in (estimate.interval, estimate.interval_test_only):
        assert interval is None or 0 <= interval[0] <= interval[1] <= 1


def test_the_interval_covers_the_truth() -> None:
    """In 2,000 simulated evaluations the 95 % interval covers the true accuracy in 93 to 99 %; the
    one without calibration uncertainty does so in less than 90 %.
    """
    truth, q0, q1, n, m0, m1 = 0.7, 0.85, 0.9, 500, 60, 60
    source = random.Random(7)

    def observed_rate(chance: float, trials: int) -> float:
        return sum(source.random() < chance for _ in range(trials)) / trials

    called_right = truth * q1 + (1 - truth) * (1 - q0)
    estimates: list[RoganGladen] = [
        rogan_gladen(
            observed_rate(called_right, n), n, observed_rate(q0, m0), observed_rate(q1, m1), m0, m1
        )
        for _ in range(2_000)
    ]
    covered = sum(covers(estimate.interval, truth) for estimate in estimates) / len(estimates)
    narrow = sum(covers(estimate.interval_test_only, truth) for estimate in estimates) / len(
        estimates
    )
    assert 0.93 <= covered <= 0.99
    assert narrow < 0.90


def covers(interval: tuple[float, float] | None, truth: float) -> bool:
    """Whether the truth is in the interval."""
    return interval is not None and interval[0] <= truth <= interval[1]

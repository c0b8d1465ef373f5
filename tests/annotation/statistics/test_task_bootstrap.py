"""Intervals over resampled tasks."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.statistics.task_bootstrap import (
    interval_of_ratio,
    mean_interval,
    replicate_counts,
    resampled_clusters,
)


def test_against_the_normal_interval() -> None:
    """Of 400 tasks with a share of 0.3, the interval is ±1.96 standard errors within a tenth."""
    scored = [(f"q{n}", float(n % 10 < 3)) for n in range(400)]
    interval = mean_interval(scored)
    se = math.sqrt(0.3 * 0.7 / 400)
    assert interval.se == pytest.approx(se, rel=0.05)
    assert interval.low == pytest.approx(0.3 - 1.96 * se, abs=0.1 * se * 2)
    assert interval.high == pytest.approx(0.3 + 1.96 * se, abs=0.1 * se * 2)
    assert (interval.n_tasks, interval.few_clusters) == (400, False)


def test_against_all_draws() -> None:
    """Three tasks of means 0, 1, 1: the draws' exact spread is that of 27 equally likely means."""
    interval = mean_interval([("a", 0), ("b", 1), ("b", 1), ("c", 1)], replicates=200_000)
    values = [0.0, 1.0, 1.0]
    means = [(x + y + z) / 3 for x in values for y in values for z in values]
    centre = sum(means) / 27
    assert interval.se == pytest.approx(
        math.sqrt(sum((mean - centre) ** 2 for mean in means) / 27), rel=0.01
    )
    # P(mean = 0) is 1/27 = 3.7 %, so it is within the 95 % interval.
    assert (interval.low, interval.high) == (0, 1)


def test_attempts_at_one_task_are_drawn_together() -> None:
    """Ten attempts at each of forty tasks, all alike, tell no more than one at each."""
    attempts = [(f"q{n}", float(n % 4 == 0)) for n in range(40)]
    assert mean_interval(attempts * 10).se == mean_interval(attempts).se
    assert mean_interval(attempts * 10, per_task=False).se == pytest.approx(
        mean_interval(attempts).se
    )


def test_every_attempt_may_weigh_the_same() -> None:
    """A task with nine right attempts and one with a wrong one: draws give 0, 0.9 and 1."""
    scored = [("a", 1.0)] * 9 + [("b", 0.0)]
    mean = mean_interval(scored, per_task=False, replicates=100_000)
    assert mean.se == pytest.approx(math.sqrt((0 + 2 * 0.81 + 1) / 4 - (2.8 / 4) ** 2), rel=0.02)


def test_the_order_does_not_matter() -> None:
    """The same attempts in any order have the same interval to the last digit."""
    scored = [(f"q{n // 2}", math.sin(n)) for n in range(60)]
    shuffled = random.Random(3).sample(scored, len(scored))
    assert mean_interval(shuffled) == mean_interval(scored)


@pytest.mark.parametrize(
    ("scored", "reason"),
    [
        ([], "no_rows"),
        ([("a", 1.0), ("a", 0.0)], "one_cluster"),
        ([("a", 1.0), ("b", 1.0)], "no_variation"),
    ],
)
def test_a_missing_interval_has_a_reason(scored: list[tuple[str, float]], reason: str) -> None:
    """Two correct tasks are not enough for an interval at 100 %."""
    interval = mean_interval(scored)
    assert (interval.low, interval.high, interval.se, interval.reason) == (None, None, None, reason)
    assert interval.few_clusters


def test_what_cannot_be_drawn_is_refused() -> None:
    """One replicate has no spread; a confidence is between 0 and 1."""
    with pytest.raises(MeasureError, match="1 replicates have no spread"):
        mean_interval([], replicates=1)
    with pytest.raises(MeasureError, match="confidence is 95"):
        mean_interval([], confidence=95)


def test_a_ratio_against_the_delta_method() -> None:
    """Of 400 tasks, costs and correct answers drawn together, within a tenth of the width."""
    generator = np.random.default_rng(5)
    correct = (generator.random(400) < 0.5).astype(np.float64)
    costs = generator.lognormal(0, 0.5, 400) + correct
    ratio = costs.sum() / correct.sum()
    se = math.sqrt(((costs - ratio * correct) ** 2).sum()) / correct.sum()
    interval = interval_of_ratio(costs, correct)
    assert interval.low == pytest.approx(ratio - 1.96 * se, abs=0.4 * se)
    assert interval.high == pytest.approx(ratio + 1.96 * se, abs=0.4 * se)
    assert (interval.se, interval.reason, interval.few_clusters) == (None, None, False)


def test_a_ratio_against_all_draws() -> None:
    """One of three tasks is correct: 8 of 27 draws have no correct answer, so it is unbounded."""
    costs, correct = np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.0])
    assert interval_of_ratio(costs, correct).reason == "unbounded"
    # Of eight tasks with one incorrect, 8⁻⁸ of the draws are: the limits are finite.
    costs, correct = np.ones(8), np.array([0.0] + [1.0] * 7)
    interval = interval_of_ratio(costs, correct)
    assert interval.low == 1.0
    assert interval.high in (8 / 5, 8 / 4)


@pytest.mark.parametrize(
    ("costs", "correct", "reason"),
    [
        ([], [], "no_rows"),
        ([1.0], [1.0], "one_cluster"),
        ([2.0, 2.0], [1.0, 1.0], "no_variation"),
        ([0.0, 0.0], [1.0, 0.5], "no_variation"),
        ([1.0, 1.0], [0.0, 0.0], "unbounded"),
    ],
)
def test_a_ratio_without_an_interval(costs: list[float], correct: list[float], reason: str) -> None:
    """With the reason."""
    interval = interval_of_ratio(np.array(costs), np.array(correct))
    assert (interval.low, interval.high, interval.reason) == (None, None, reason)


@pytest.mark.parametrize("n_clusters", [7, 300, 2_500, 70_000])
def test_kept_draws_are_those_of_the_seed(n_clusters: int) -> None:
    """Whether they are few enough to be kept, and whatever type they are kept in."""
    replicates = 300
    drawn = np.concatenate(list(resampled_clusters(n_clusters, replicates, 5)))
    expected = np.random.default_rng(5).integers(0, n_clusters, (replicates, n_clusters))
    assert np.array_equal(drawn, expected)
    counts = replicate_counts(drawn[:3], n_clusters)
    assert counts.sum(axis=1).tolist() == [n_clusters] * 3

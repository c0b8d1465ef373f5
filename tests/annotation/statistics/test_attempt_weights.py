"""Weights of attempts, and means, quantiles and sums with them."""

from __future__ import annotations

import random
from fractions import Fraction
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.statistics.attempt_weights import (
    AttemptScores,
    ScoredAttempt,
    task_means,
    weighted_mean,
    weighted_quantile,
    weighted_task_sums,
    weights,
    whole_weights,
)


def test_weights_by_hand() -> None:
    """Three attempts at one task weigh 1/3 each, also as whole numbers."""
    assert weights(["a", "a", "a", "b"]) == [1 / 3, 1 / 3, 1 / 3, 1]
    assert whole_weights(["a", "a", "a", "b", "c", "c"]) == ([2, 2, 2, 6, 3, 3], 6)
    assert whole_weights([]) == ([], 1)


def test_people_share_a_weight_and_systems_do_not() -> None:
    """Two people at a task weigh 1 together; two systems 1 each."""
    people = [ScoredAttempt("a", 1, "Ada"), ScoredAttempt("a", 0, "Bo")]
    systems = [ScoredAttempt("a", 0, name, person=False) for name in ("gpt", "llama")]
    assert weighted_mean(people) == 1 / 2
    assert weighted_mean([*people, *systems]) == (1 / 2) / 3


def test_attempts_without_a_score_share_the_weight() -> None:
    """Of two people at task a one is in the mean with 1, and both of task b: 0.5 · 1 of 1.5."""
    attempts = [
        ScoredAttempt("a", 1, "Ada"),
        ScoredAttempt("a", None, "Bo"),
        ScoredAttempt("b", 0, "Ada"),
        ScoredAttempt("b", 0, "Bo"),
    ]
    assert weighted_mean(attempts) == pytest.approx(0.5 / 1.5)
    sums = weighted_task_sums(attempts)
    assert (sums.sums.tolist(), sums.sizes.tolist()) == ([0.5, 0], [0.5, 1])
    assert task_means(attempts) == {"a": 1, "b": 0}
    assert weighted_mean([ScoredAttempt("a", None)]) is None


def test_a_quantile_by_hand() -> None:
    """1 with weight 1, 2 with weight 3: half and a quarter of the weight, and on the edge."""
    assert weighted_quantile([2, 1], [3, 1], Fraction(1, 2)) == 2
    assert weighted_quantile([2, 1], [3, 1], Fraction(1, 4)) == 1.5
    assert weighted_quantile([2, 1], [3, 1], Fraction(1, 8)) == 1


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_with_equal_weights_half_is_the_median(values: list[int]) -> None:
    """Of an odd and of an even number."""
    assert weighted_quantile(values, [1] * len(values), Fraction(1, 2)) == median(values)


ATTEMPTS = st.lists(
    st.builds(
        ScoredAttempt,
        st.sampled_from("abcd"),
        st.sampled_from([0.0, 0.25, 1.0, None]),
        st.sampled_from(["Ada", "Bo", "Cy"]),
    ),
    max_size=15,
)


@given(ATTEMPTS, st.randoms())
def test_the_order_does_not_matter(attempts: list[ScoredAttempt], chance: random.Random) -> None:
    """To the last digit."""
    shuffled = chance.sample(attempts, len(attempts))
    assert weighted_mean(shuffled) == weighted_mean(attempts)
    task_sums = weighted_task_sums(shuffled), weighted_task_sums(attempts)
    assert task_sums[0].sums.tolist() == task_sums[1].sums.tolist()


def test_sums_are_made_once() -> None:
    """For the mean and the interval; attempts that are scores already are not copied."""
    attempts = AttemptScores([ScoredAttempt("q1", 1.0), ScoredAttempt("q2", None)])
    assert AttemptScores.from_attempts(attempts) is attempts
    assert attempts.unit_sums is attempts.unit_sums
    assert weighted_mean(attempts) == weighted_mean(list(attempts)) == 1.0

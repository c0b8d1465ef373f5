"""The common form of all results."""

from __future__ import annotations

import math

import pytest

from pagetrail.annotation.metrics.result import (
    Result,
    mean,
    mean_over_tasks,
    weighted_share,
    weighted_spread,
)
from pagetrail.annotation.statistics.attempt_weights import ScoredAttempt


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_value_is_finite(value: float) -> None:
    """No measure can hand out NaN or infinity."""
    with pytest.raises(ValueError, match="finite"):
        Result(value=value)


@pytest.mark.parametrize(("value", "reason"), [(None, None), (0.5, "no_rows")])
def test_a_result_has_a_value_or_a_reason(value: float | None, reason: str | None) -> None:
    """An undefined result says why, and a defined one has nothing to say."""
    with pytest.raises(ValueError, match="a value or a reason"):
        Result(value=value, reason=reason)


def test_a_share_of_nothing_is_undefined() -> None:
    """0 of 2 is 0; 0 of 0 is undefined, with its counts."""
    assert weighted_share([ScoredAttempt(task, 0) for task in "ab"], "no_rows").value == 0
    share = weighted_share([ScoredAttempt("a", None)], "no_rows")
    assert (share.value, share.reason) == (None, "no_rows")
    assert share.counts == {"part": 0, "whole": 0}


def test_an_accuracy_with_undecided_answers_has_an_upper_end() -> None:
    """Two people at task a, one right and one undecided; b wrong: 0.5/2 to 1/2, one undecided."""
    attempts = [
        ScoredAttempt("a", 1, "Ada"),
        ScoredAttempt("a", 0, "Bo", undecided=True),
        ScoredAttempt("b", 0, "Ada"),
    ]
    share = weighted_share(attempts, "no_rows")
    assert (share.value, share.undecided, share.upper) == (0.25, 1, 0.5)
    decided = weighted_share(attempts[::2], "no_rows")
    assert (decided.value, decided.undecided, decided.upper) == (0.5, 0, None)


def test_a_mean_of_nothing_is_undefined() -> None:
    """(1 + 2 + 6) / 3 = 3; the mean of no values has a reason."""
    assert mean([1, 2, 6], "no_rows").value == 3
    assert mean([], "no_rows").reason == "no_rows"


def test_attempts_at_one_task_are_averaged_first() -> None:
    """Task a has 1 and 0, task b has 1: (0.5 + 1) / 2 = 0.75, not 2 / 3."""
    result = mean_over_tasks([("a", 1), ("a", 0), ("b", 1)], "no_rows")
    assert result.value == 0.75
    assert result.counts == {"n": 2, "attempts": 3}


def test_a_spread_by_hand() -> None:
    """1, 2, 3, 10: mean 4, median 2.5; of nothing, nothing is defined."""
    values = dict(zip("abcd", (10, 1, 3, 2), strict=True))
    spread = weighted_spread(
        [ScoredAttempt(*task_value) for task_value in values.items()], "no_rows"
    )
    assert (spread.value, spread.median, spread.lowest, spread.highest) == (4, 2.5, 1, 10)
    empty_spread = weighted_spread([], "no_rows")
    assert (empty_spread.value, empty_spread.median, empty_spread.reason) == (None, None, "no_rows")


def test_people_of_a_task_share_its_weight_in_a_spread() -> None:
    """Task a took 10 and 30, task b 40: the mean is (20 + 40) / 2 = 30, and half of the weight is
    up to 30, so the median is between 30 and 40. A system's attempts weigh 1 each.
    """
    people = [ScoredAttempt("a", 10), ScoredAttempt("a", 30), ScoredAttempt("b", 40)]
    spread = weighted_spread(people, "no_rows")
    assert (spread.value, spread.median) == (30, 35)
    systems = [
        attempt._replace(person=False, participant=name)
        for attempt, name in zip(people, "xyz", strict=True)
    ]
    system_spread = weighted_spread(systems, "no_rows")
    assert (system_spread.value, system_spread.median) == (80 / 3, 30)

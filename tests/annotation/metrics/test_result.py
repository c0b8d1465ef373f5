"""The common form of all results."""

from __future__ import annotations

import math

import pytest

from pagetrail.annotation.metrics.result import Result, mean, mean_over_tasks, share, spread


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
    """0 of 4 is 0; 0 of 0 is undefined, with its counts."""
    assert share(0, 4, "no_rows").value == 0
    nothing = share(0, 0, "no_rows")
    assert (nothing.value, nothing.reason) == (None, "no_rows")
    assert nothing.counts == {"part": 0, "whole": 0}


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
    found = spread([10, 1, 3, 2], "no_rows")
    assert (found.value, found.median, found.lowest, found.highest) == (4, 2.5, 1, 10)
    nothing = spread([], "no_rows")
    assert (nothing.value, nothing.median, nothing.reason) == (None, None, "no_rows")

"""Means over attempts with intervals over tasks, without resampling."""

from __future__ import annotations

import numpy as np
import pytest

from pagetrail.annotation.statistics.clustered_mean import clustered_mean
from pagetrail.annotation.statistics.task_bootstrap import mean_interval
from pagetrail.annotation.statistics.wilson import wilson


def test_by_hand() -> None:
    """Two tasks of two, one right and one wrong: residuals ±1, se 1/2, t(1) = 12.7062."""
    mean = clustered_mean(np.array([1.0, 1, 0, 0]), np.array([7, 7, 9, 9]))
    assert (mean.value, mean.low, mean.high) == (0.5, 0.0, 1.0)
    three = clustered_mean(np.array([0.4, 0.5, 0.6]), np.arange(3))
    reach = 4.302652729749464 * 0.1 / 3**0.5
    assert three.low == pytest.approx(0.5 - reach)
    assert three.high == pytest.approx(0.5 + reach)


def test_it_is_close_to_resampling_tasks() -> None:
    """A thousand tasks of three: the ends are those of the bootstrap within 0.4 %."""
    draw = np.random.default_rng(4)
    task = np.repeat(np.arange(1_000), 3)
    values = (draw.random(3_000) < np.repeat(draw.random(1_000), 3)).astype(np.float64)
    mean = clustered_mean(values, task)
    interval = mean_interval(zip(map(str, task), values.tolist(), strict=True), per_task=False)
    assert interval.low is not None and interval.high is not None
    assert mean.low == pytest.approx(interval.low, abs=0.004)
    assert mean.high == pytest.approx(interval.high, abs=0.004)


def test_where_nothing_varies() -> None:
    """A share of all or none has Wilson's interval over tasks; a mean has none, and says so."""
    ones = np.ones(6)
    tasks = np.array([1, 1, 2, 2, 3, 3])
    share = clustered_mean(ones, tasks, share=True)
    assert (share.low, share.high) == wilson(3, 3)
    mean = clustered_mean(ones * 0.5, tasks)
    assert (mean.value, mean.low, mean.reason) == (0.5, None, "no_variation")


def test_too_little() -> None:
    """Nothing has no value; a single task has no interval."""
    empty = clustered_mean(np.array([]), np.array([], dtype=np.intp))
    assert (empty.value, empty.reason) == (None, "no_rows")
    single_task = clustered_mean(np.array([1.0, 0.0]), np.array([5, 5]))
    assert (single_task.value, single_task.low, single_task.reason) == (0.5, None, "one_cluster")

"""Time horizons: which tasks are in a fit, what it gives, and why it may be undefined."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import statsmodels.api as sm

from pagetrail.annotation.metrics.time_horizon import (
    TimedTask,
    horizon_fit,
    shared_tasks,
    time_bins,
)
from tests.annotation.metrics.made_rows import make_row


def _tasks(n: int = 120, seed: int = 1, slope: float = -1.0) -> list[TimedTask]:
    """Tasks of 1/4 to 60 minutes; success is even at 4 minutes."""
    rng = np.random.default_rng(seed)
    minutes = 2 ** rng.uniform(-2, 6, n)
    chance = 1 / (1 + np.exp(-slope * (np.log2(minutes) - 2)))
    successes = (rng.random(n) < chance).astype(float)
    return [
        TimedTask(f"q{i:03}", float(m), True, float(s))
        for i, (m, s) in enumerate(zip(minutes, successes, strict=True))
    ]


def test_a_task_takes_the_geometric_mean_of_correct_attempts() -> None:
    people = [
        make_row("q1", True, seconds=60, system="Ada"),
        make_row("q1", True, seconds=240, system="Bo"),
        make_row("q1", False, seconds=9000, system="Cy"),
        make_row("q2", False, seconds=120, system="Ada"),
        make_row("q2", False, seconds=480, system="Bo"),
        make_row("q3", None, seconds=60),
        make_row("q4", True, active_s=None),
        make_row("q5", True),
    ]
    system = [
        *(make_row(f"q{n}", True, person=False, system="gpt") for n in (1, 3, 4)),
        make_row("q1", False, person=False, system="gpt"),
        make_row("q2", False, person=False, system="gpt"),
    ]
    shared = shared_tasks(people, system, 60)
    assert [(task.task, task.solved, task.success) for task in shared.tasks] == [
        ("q1", True, 0.5),
        ("q2", False, 0.0),
    ]
    assert [task.minutes for task in shared.tasks] == pytest.approx([2.0, 4.0])
    assert shared.left_out == {"undecided": 1, "no_times": 1}


def test_the_horizon_is_that_of_statsmodels() -> None:
    """To 1e-6, at 50 % and 80 %; an independent bootstrap gives the same interval."""
    tasks = _tasks()
    fit = horizon_fit(tasks)
    x = np.log2([task.minutes for task in tasks])
    y = np.array([task.success for task in tasks])

    def horizons(chosen: np.ndarray) -> list[float]:
        a, b = sm.Logit(y[chosen], sm.add_constant(x[chosen])).fit(disp=0, tol=1e-13).params
        return [2 ** (-a / b), 2 ** ((math.log(4) - a) / b)]

    whole = horizons(np.arange(len(x)))
    assert [horizon.minutes for horizon in fit.horizons] == pytest.approx(whole, rel=1e-6)
    assert fit.slope is not None and fit.slope < 0
    rng = np.random.default_rng(99)
    replicates = [horizons(rng.integers(0, len(x), len(x))) for _ in range(400)]
    for horizon, values in zip(fit.horizons, zip(*replicates, strict=True), strict=True):
        assert horizon.low is not None and horizon.high is not None
        ends = np.quantile(values, (0.025, 0.975))
        assert np.log2([horizon.low, horizon.high]) == pytest.approx(np.log2(ends), abs=0.25)
        assert horizon.flag is None
    assert (fit.n_tasks, fit.n_modelled, fit.undefined_replicates) == (120, 0, 0)


def test_the_order_of_tasks_changes_nothing() -> None:
    tasks = _tasks(60)
    shuffled = random.Random(4).sample(tasks, len(tasks))
    assert horizon_fit(shuffled) == horizon_fit(tasks)


def test_unsolved_tasks_are_left_out_of_the_first_fit_and_modelled_in_the_second() -> None:
    """A system that fails at tasks nobody solved looks worse once these are in the fit."""
    tasks = _tasks(100)
    unsolved = [TimedTask(f"u{i}", 8.0, False, 0.0) for i in range(20)]
    first = horizon_fit([*tasks, *unsolved])
    assert first == horizon_fit(tasks)
    second = horizon_fit([*tasks, *unsolved], with_unsolved=True)
    assert (second.n_tasks, second.n_modelled) == (120, 20)
    half_first, half_second = first.horizons[0].minutes, second.horizons[0].minutes
    assert half_first is not None and half_second is not None and half_second < half_first


def test_a_modelled_time_is_longer_than_what_people_tried() -> None:
    """Nobody solved the longest task; its time is beyond that of their attempts."""
    tasks = [*_tasks(40), TimedTask("u", 100.0, False, 0.0)]
    fit = horizon_fit(tasks, with_unsolved=True)
    assert fit.longest is not None and fit.longest > 100


@pytest.mark.parametrize(
    ("tasks", "reason"),
    [
        ([], "no_solved_task"),
        ([(1, False, 0.0)], "no_solved_task"),
        ([(1, True, 1.0), (2, True, 1.0)], "system_solved_all"),
        ([(1, True, 0.0), (2, True, 0.0)], "system_solved_none"),
        ([(2, True, 1.0), (2, True, 0.0)], "no_time_spread"),
        ([(1, True, 1.0), (2, True, 1.0), (3, True, 0.0)], "separated"),
        ([(1, True, 0.0), (2, True, 1.0), (3, True, 0.0), (4, True, 1.0)], "slope_not_negative"),
    ],
)
def test_why_it_is_undefined(tasks: list[tuple[float, bool, float]], reason: str) -> None:
    made = [TimedTask(f"q{n}", *task) for n, task in enumerate(tasks)]
    fit = horizon_fit(made)
    assert fit.reason == reason
    assert [(horizon.minutes, horizon.reason) for horizon in fit.horizons] == [(None, reason)] * 2


def test_modelled_times_need_two_times_of_solved_tasks() -> None:
    tasks = [TimedTask("q1", 1.0, True, 1.0), TimedTask("q2", 2.0, False, 0.0)]
    assert horizon_fit(tasks, with_unsolved=True).reason == "no_time_spread"


def test_a_horizon_beyond_the_tasks_is_marked() -> None:
    """Most tasks are solved even at the longest time: half is reached beyond them."""
    tasks = [task for task in _tasks(400) if task.minutes < 3]
    half, most = horizon_fit(tasks).horizons
    assert half.minutes is not None and half.minutes > 3
    assert half.extrapolated and half.flag == "extrapolated"
    assert not most.extrapolated


def test_no_interval_where_it_is_often_undefined() -> None:
    """Six tasks separate in many samples: the rest would look too certain."""
    tasks = [
        TimedTask(f"q{n}", float(n + 1), True, float(success))
        for n, success in enumerate([1, 1, 0, 1, 0, 0])
    ]
    fit = horizon_fit(tasks)
    half = fit.horizons[0]
    assert half.minutes is not None and half.low is None
    assert half.flag == "often_undefined"
    assert fit.undefined_replicates > 100
    assert fit.curve and all(point.low is None for point in fit.curve)


def test_the_curve_falls_and_its_band_holds_it() -> None:
    curve = horizon_fit(_tasks()).curve
    rates = [point.rate for point in curve]
    assert rates == sorted(rates, reverse=True)
    for point in curve:
        assert point.low is not None and point.high is not None
        assert point.low < point.rate < point.high


def test_bins_double() -> None:
    tasks = [
        TimedTask("a", 1.0, True, 1.0),
        TimedTask("b", 1.99, True, 0.0),
        TimedTask("c", 2.0, True, 0.5),
        TimedTask("d", 70.0, True, 0.0),
        TimedTask("e", 1.5, False, 0.0),
    ]
    bins = time_bins(tasks)
    assert [(entry.low, entry.high) for entry in bins] == [(1, 2), (2, 4), (64, 128)]
    assert [len(entry.tasks) for entry in bins] == [2, 1, 1]
    assert bins[0].minutes == pytest.approx(math.sqrt(1.99))

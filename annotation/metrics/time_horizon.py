"""The time that tasks take people at which a system succeeds in half of them, or in 80 %.

Kwa et al. 2025, *Measuring AI ability to complete long tasks*, arXiv 2503.14499: logistic
regression of a system's success on log2 of people's time per task, here without their penalty and
their weights of task families. Definitions in docs/metrics.md, Time horizon.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.result import Result, mean
from pagetrail.annotation.statistics.censored_normal import censored_normal_fits, mean_above
from pagetrail.annotation.statistics.logistic_regression import (
    LogisticFits,
    logistic_fits,
    overlaps,
)
from pagetrail.annotation.statistics.task_bootstrap import (
    FEW_CLUSTERS,
    REPLICATES,
    SEED,
    percentile_interval,
    replicate_counts,
    resampled_clusters,
)

Numbers = NDArray[np.float64]

SUCCESS_RATES = (0.5, 0.8)

_LARGEST_LOG2_MINUTES = 40.0
"""Two million years. Beyond it, a slope is as good as 0."""
_MOST_UNDEFINED = 0.05
"""Largest share of undefined replicates with which an interval is given."""
_CURVE_POINTS = 41
"""Points of a curve, evenly spaced in log2 minutes."""


class TimedTask(NamedTuple):
    """A task that both people and a system attempted.

    Attributes:
        minutes: geometric mean of the active time of people's correct attempts; where nobody
            solved it, of all their attempts: people need longer than that.
        solved: whether a person solved it.
        success: the system's share of correct attempts.
    """

    task: str
    minutes: float
    solved: bool
    success: float


@dataclass(frozen=True)
class SharedTasks:
    """The shared tasks of people and a system.

    Attributes:
        tasks: sorted by their id.
        left_out: reason → tasks without people's time: ``undecided`` for one of the two,
            ``no_times``.
    """

    tasks: Sequence[TimedTask]
    left_out: dict[str, int]


@dataclass(frozen=True)
class Horizon:
    """The time at which the fitted success rate is ``rate``.

    Attributes:
        minutes: None where ``reason`` says why it is undefined.
        low, high: of the 95 % interval; None without one.
        flag: why there is no interval, or a warning: ``one_cluster``, ``often_undefined`` (in more
            than 5 % of the replicates), ``extrapolated``, ``extrapolated_often_undefined``,
            ``few_clusters``.
        extrapolated: whether it is outside the times of the tasks.
    """

    rate: float
    minutes: float | None
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    flag: str | None = None
    extrapolated: bool = False


@dataclass(frozen=True)
class CurvePoint:
    """The fitted success rate at a time, with a 95 % interval; None without one."""

    minutes: float
    rate: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class HorizonFit:
    """One fit of a system's success on people's time.

    Attributes:
        n_tasks: tasks in the fit.
        n_modelled: of these, tasks that nobody solved, whose time the log-normal model gives.
        slope: change of the log odds when time doubles; None where the fit is undefined.
        reason: why the fit is undefined: ``no_shared_task``, ``no_solved_task``,
            ``no_time_spread``, ``system_solved_all``, ``system_solved_none``, ``separated``,
            ``slope_not_negative``.
        horizons: of ``SUCCESS_RATES``, undefined where the fit is or where the slope is not
            negative.
        shortest, longest: time of the tasks in the fit; None without tasks.
        curve: the fitted rate between them; empty where the fit is undefined.
        undefined_replicates: of the bootstrap, of ``replicates``: those without a time at 50 %.
    """

    n_tasks: int
    n_modelled: int
    slope: float | None
    reason: str | None
    horizons: Sequence[Horizon]
    shortest: float | None = None
    longest: float | None = None
    curve: Sequence[CurvePoint] = ()
    undefined_replicates: int = 0
    replicates: int = 0


def shared_tasks(people: Iterable[Row], system: Iterable[Row], idle_cap_s: int) -> SharedTasks:
    """The tasks that both attempted, with people's time and the system's success."""
    of_people, of_system = _by_task(people), _by_task(system)
    tasks: list[TimedTask] = []
    left_out = Counter[str]()
    for task in sorted(of_people.keys() & of_system.keys()):
        answers = [row for row in of_system[task] if row.correct is not None]
        decided = [row for row in of_people[task] if row.correct is not None]
        if not answers or not decided:
            left_out["undecided"] += 1
            continue
        solving = [row for row in decided if row.correct]
        seconds = [row.effort("active_s", idle_cap_s) for row in solving or decided]
        known = [value for value in seconds if value]
        if not known:
            left_out["no_times"] += 1
            continue
        minutes = math.exp(math.fsum(math.log(value / 60) for value in known) / len(known))
        success = sum(row.correct is True for row in answers) / len(answers)
        tasks.append(TimedTask(task, minutes, bool(solving), success))
    return SharedTasks(tasks, dict(left_out))


def horizon_fit(
    tasks: Sequence[TimedTask],
    *,
    with_unsolved: bool = False,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> HorizonFit:
    """Fit success on time, with intervals from resampled tasks.

    Args:
        with_unsolved: whether tasks that nobody solved are in the fit, at the time expected above
            that of their attempts by a log-normal model of people's times, which each replicate
            fits again; else they are left out.
    """
    tasks = [task for task in tasks if task.solved or with_unsolved]
    tasks = sorted(tasks)
    if not tasks:
        return undefined_fit(0, 0, "no_solved_task" if not with_unsolved else "no_shared_task")
    log2_minutes = np.log2([task.minutes for task in tasks])
    is_unsolved = np.array([not task.solved for task in tasks])
    success = np.array([task.success for task in tasks])
    n_modelled = int(is_unsolved.sum())
    all_once = np.ones((1, len(tasks)))
    x = _modelled_times(log2_minutes, is_unsolved, all_once)
    reason = _undefined_reason(x[0], success)
    if reason:
        return undefined_fit(len(tasks), n_modelled, reason)
    fits = logistic_fits(x, success, all_once)
    intercept, slope = float(fits.intercepts[0]), float(fits.slopes[0])
    shortest, longest = float(x.min()), float(x.max())
    grid = np.linspace(shortest, longest, _CURVE_POINTS)
    resampled = _resampled_fits(
        log2_minutes, is_unsolved, success, (intercept, slope), replicates, seed
    )
    n_undefined = int(np.isnan(_log2_horizons(SUCCESS_RATES[0], resampled)).sum())
    return HorizonFit(
        n_tasks=len(tasks),
        n_modelled=n_modelled,
        slope=slope,
        reason=None if slope < 0 else "slope_not_negative",
        horizons=[
            _horizon(rate, intercept, slope, resampled, (shortest, longest), len(tasks))
            for rate in SUCCESS_RATES
        ],
        shortest=2**shortest,
        longest=2**longest,
        curve=_curve(grid, intercept, slope, resampled),
        undefined_replicates=n_undefined,
        replicates=replicates,
    )


def _by_task(rows: Iterable[Row]) -> dict[str, list[Row]]:
    by_task: dict[str, list[Row]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row)
    return by_task


def undefined_fit(n_tasks: int, n_modelled: int, reason: str) -> HorizonFit:
    """No fit, for that reason."""
    horizons = [Horizon(rate, None, reason) for rate in SUCCESS_RATES]
    return HorizonFit(n_tasks, n_modelled, None, reason, horizons)


def _undefined_reason(x: Numbers, success: Numbers) -> str | None:
    if np.isnan(x).any():
        return "no_time_spread"
    if (success == 1).all():
        return "system_solved_all"
    if (success == 0).all():
        return "system_solved_none"
    if np.ptp(x) == 0:
        return "no_time_spread"
    return None if overlaps(x, success, np.ones((1, len(x))))[0] else "separated"


def _modelled_times(log2_minutes: Numbers, is_unsolved: NDArray[np.bool_], w: Numbers) -> Numbers:
    """Log2 times in each weighting, shape (fits, tasks); NaN where the model is undefined."""
    x = np.repeat(log2_minutes[None, :], len(w), axis=0)
    if is_unsolved.any():
        fits = censored_normal_fits(log2_minutes, is_unsolved, w)
        x[:, is_unsolved] = mean_above(log2_minutes[is_unsolved], fits)
    return x


def _resampled_fits(
    log2_minutes: Numbers,
    is_unsolved: NDArray[np.bool_],
    success: Numbers,
    start: tuple[float, float],
    replicates: int,
    seed: int,
) -> LogisticFits:
    n = len(success)
    blocks: list[LogisticFits] = []
    for drawn in resampled_clusters(n, replicates, seed):
        weights = replicate_counts(drawn, n)
        x = log2_minutes
        if is_unsolved.any():
            x = _modelled_times(log2_minutes, is_unsolved, weights)
            modelled = ~np.isnan(x).any(axis=1)
            fits = LogisticFits(np.full(len(x), np.nan), np.full(len(x), np.nan))
            if modelled.any():
                of_modelled = logistic_fits(x[modelled], success, weights[modelled], start)
                fits.intercepts[modelled], fits.slopes[modelled] = of_modelled
            blocks.append(fits)
        else:
            blocks.append(logistic_fits(x, success, weights, start))
    return LogisticFits(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def _log2_horizons(rate: float, fits: LogisticFits) -> Numbers:
    """Log2 minutes at which each fit reaches the rate; NaN unless its slope is negative.

    x = (ln(rate / (1 − rate)) − a) / b, from ln(rate / (1 − rate)) = a + b x.
    """
    log_odds = math.log(rate / (1 - rate))
    with np.errstate(divide="ignore", invalid="ignore"):
        horizons: Numbers = (log_odds - fits.intercepts) / fits.slopes
        is_defined = (fits.slopes < 0) & (np.abs(horizons) <= _LARGEST_LOG2_MINUTES)
    return np.where(is_defined, horizons, np.nan)


def _horizon(
    rate: float,
    intercept: float,
    slope: float,
    resampled: LogisticFits,
    observed: tuple[float, float],
    n_tasks: int,
) -> Horizon:
    fit = LogisticFits(np.array([intercept]), np.array([slope]))
    log2_horizon = float(_log2_horizons(rate, fit)[0])
    if math.isnan(log2_horizon):
        return Horizon(rate, None, "slope_not_negative")
    shortest, longest = observed
    is_extrapolated = not shortest <= log2_horizon <= longest
    values = _log2_horizons(rate, resampled)
    defined = values[~np.isnan(values)]
    low = high = None
    flag = "few_clusters" if n_tasks < FEW_CLUSTERS else None
    if len(defined) < (1 - _MOST_UNDEFINED) * len(values):
        flag = "often_undefined"
    else:
        (low, high), _ = percentile_interval(2**defined)
    if is_extrapolated:
        flag = "extrapolated_often_undefined" if flag == "often_undefined" else "extrapolated"
    return Horizon(rate, 2**log2_horizon, None, low, high, flag, is_extrapolated)


def _curve(
    grid: Numbers, intercept: float, slope: float, resampled: LogisticFits
) -> list[CurvePoint]:
    is_defined = ~np.isnan(resampled.slopes)
    has_band = is_defined.mean() >= 1 - _MOST_UNDEFINED
    points = []
    for x in grid.tolist():
        low = high = None
        if has_band:
            log_odds = resampled.intercepts[is_defined] + resampled.slopes[is_defined] * x
            (low, high), _ = percentile_interval(log_odds)
            low, high = _rate(low), _rate(high)
        points.append(CurvePoint(2**x, _rate(intercept + slope * x), low, high))
    return points


def _rate(log_odds: float) -> float:
    """1 / (1 + exp(−log_odds)), by tanh, which does not overflow."""
    return 0.5 * (1 + math.tanh(log_odds / 2))


class TimeBin(NamedTuple):
    """Tasks whose time is in [low, high) minutes.

    Attributes:
        minutes: geometric mean of their times.
        tasks: sorted by their id.
    """

    low: float
    high: float
    minutes: float
    tasks: Sequence[TimedTask]

    @property
    def success(self) -> Result:
        """The system's share of correct attempts, mean over the tasks."""
        return mean([task.success for task in self.tasks], "no_rows")


def time_bins(tasks: Iterable[TimedTask]) -> list[TimeBin]:
    """Solved tasks in bins that double: ½–1, 1–2, 2–4 minutes and so on, without empty ones."""
    by_power: dict[int, list[TimedTask]] = {}
    for task in sorted(tasks):
        if task.solved:
            by_power.setdefault(math.floor(math.log2(task.minutes)), []).append(task)
    return [
        TimeBin(
            2.0**power,
            2.0 ** (power + 1),
            math.exp(math.fsum(math.log(task.minutes) for task in in_bin) / len(in_bin)),
            in_bin,
        )
        for power, in_bin in sorted(by_power.items())
    ]

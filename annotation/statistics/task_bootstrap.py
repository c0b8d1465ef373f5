"""Intervals by resampling clusters: of means over attempts, and the draws behind all others.

Attempts at one task are not independent: whole tasks are drawn with replacement, as many as there
are, and the percentiles of the statistic over the draws are its interval (Efron & Tibshirani 1993,
*An Introduction to the Bootstrap*, ch. 13; Davison & Hinkley 1997, *Bootstrap Methods*, §3.8).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.errors import MeasureError

REPLICATES = 2_000
SEED = 20_261_121
FEW_CLUSTERS = 50
"""Intervals of fewer clusters than these are flagged."""

_CELLS_AT_ONCE = 2_000_000
"""Numbers of a block of draws, which bounds the memory."""

_CELLS_IN_CACHE = 65_536
"""Values gathered at once that stay in the processor's cache until they are summed."""

_CELLS_KEPT = 14_000_000
"""Numbers that are kept for further statistics; two bytes each, up to 65,536 clusters."""

ClusterNumbers = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class TaskInterval:
    """The interval of a statistic over resampled tasks.

    Attributes:
        low, high: None where ``reason`` says why there is no interval.
        se: standard deviation over the draws; None likewise.
        reason: ``no_rows``; ``one_cluster``, with a single task; ``no_variation``, where every
            task has the same value, so that resampling says nothing about its uncertainty.
        n_tasks: tasks drawn from.
        few_clusters: fewer than 50 tasks, too few to trust the interval's coverage.
    """

    low: float | None
    high: float | None
    se: float | None
    reason: str | None
    n_tasks: int
    few_clusters: bool


def resampled_clusters(n_clusters: int, replicates: int, seed: int) -> Iterator[ClusterNumbers]:
    """Numbers of the clusters drawn for each replicate, in blocks of shape (rows, n_clusters).

    The draws do not depend on how they are cut into blocks. Callers must not change a block: up to
    ``_CELLS_KEPT`` numbers are drawn once for all statistics of as many clusters.
    """
    if replicates * n_clusters > _CELLS_KEPT:
        yield from _drawn_blocks(n_clusters, replicates, seed)
        return
    drawn = _all_draws(n_clusters, replicates, seed)
    at_once = max(1, _CELLS_AT_ONCE // n_clusters)
    for start in range(0, replicates, at_once):
        yield drawn[start : start + at_once]


def replicate_counts(drawn: ClusterNumbers, n_clusters: int) -> NDArray[np.float64]:
    """How often each replicate of a block drew each cluster, shape (rows, n_clusters)."""
    counts = np.empty((len(drawn), n_clusters))
    # Row by row, whose counts fit the processor's cache: a third of the time of all rows at once.
    for row, clusters in zip(counts, drawn, strict=True):
        row[:] = np.bincount(clusters, minlength=n_clusters)
    return counts


def drawn_sums(values: NDArray[np.float64], drawn: ClusterNumbers) -> NDArray[np.float64]:
    """The sum of the drawn clusters' values in each replicate of a block, shape (rows,).

    A few replicates at a time: a third of the time of all at once, with the same digits.
    """
    at_once = max(1, _CELLS_IN_CACHE // drawn.shape[1])
    return np.concatenate(
        [
            values.take(drawn[start : start + at_once]).sum(axis=1)
            for start in range(0, len(drawn), at_once)
        ]
    )


def _drawn_blocks(n_clusters: int, replicates: int, seed: int) -> Iterator[ClusterNumbers]:
    draw = np.random.default_rng(seed)
    at_once = max(1, _CELLS_AT_ONCE // n_clusters)
    for start in range(0, replicates, at_once):
        yield draw.integers(0, n_clusters, (min(at_once, replicates - start), n_clusters))


@lru_cache(1)
def _all_draws(n_clusters: int, replicates: int, seed: int) -> ClusterNumbers:
    """All draws in the smallest type that holds them."""
    kind = np.min_scalar_type(max(0, n_clusters - 1))
    draws = np.empty((replicates, n_clusters), dtype=kind)
    start = 0
    for block in _drawn_blocks(n_clusters, replicates, seed):
        draws[start : start + len(block)] = block
        start += len(block)
    draws.flags.writeable = False
    return draws


def percentile_interval(
    values: NDArray[np.float64], confidence: float = 0.95
) -> tuple[tuple[float, float], float]:
    """Percentile interval and standard deviation of a statistic over its replicates."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, (tail, 1 - tail)).tolist()
    return (low, high), float(values.std(ddof=1))


@dataclass(frozen=True)
class TaskSums:
    """What a mean over attempts and its interval depend on; the same in whatever order they come.

    Attributes:
        sums: of the scores of each task, shape (tasks,).
        sizes: number of scores of each task, shape (tasks,); 1 where a task's mean counts once.
    """

    sums: NDArray[np.float64]
    sizes: NDArray[np.float64]


def task_sums(scored: Iterable[tuple[str, float]], *, per_task: bool = True) -> TaskSums:
    """The sums of (task, score) pairs.

    Args:
        per_task: whether attempts at one task are averaged first, as ``mean_over_tasks`` does;
            otherwise every attempt weighs the same.
    """
    by_task: dict[str, list[float]] = {}
    for task, score in scored:
        by_task.setdefault(task, []).append(score)
    # Sorted, so that the draws do not depend on the order of the attempts.
    sums = np.array([math.fsum(by_task[task]) for task in sorted(by_task)], dtype=np.float64)
    sizes = np.array([len(by_task[task]) for task in sorted(by_task)], dtype=np.float64)
    return TaskSums(sums / sizes, np.ones(len(sums))) if per_task else TaskSums(sums, sizes)


def mean_interval(
    scored: Iterable[tuple[str, float]],
    *,
    per_task: bool = True,
    replicates: int = REPLICATES,
    seed: int = SEED,
    confidence: float = 0.95,
) -> TaskInterval:
    """The interval of a mean of (task, score) pairs.

    Args:
        per_task: as of ``task_sums``.

    Raises:
        MeasureError: fewer than two replicates, or a confidence outside (0, 1).
    """
    return interval_of_sums(
        task_sums(scored, per_task=per_task),
        replicates=replicates,
        seed=seed,
        confidence=confidence,
    )


def interval_of_sums(
    tasks: TaskSums,
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
    confidence: float = 0.95,
) -> TaskInterval:
    """The interval of the mean that the sums of tasks give.

    Raises:
        MeasureError: fewer than two replicates, or a confidence outside (0, 1).
    """
    if replicates < 2:
        raise MeasureError(f"{replicates} replicates have no spread: ask for 2,000 or more.")
    if not 0 < confidence < 1:
        raise MeasureError(f"The confidence is {confidence!r}: it must be between 0 and 1.")
    sums, sizes = tasks.sums, tasks.sizes
    n = len(sums)
    reason = None
    if n < 2:
        reason = "one_cluster" if n else "no_rows"
    elif np.ptp(sums / sizes) < 1e-12:
        reason = "no_variation"
    if reason:
        return TaskInterval(None, None, None, reason, n, n < FEW_CLUSTERS)
    equal = bool((sizes == 1).all())
    values = [
        drawn_sums(sums, tasks_drawn) / (n if equal else drawn_sums(sizes, tasks_drawn))
        for tasks_drawn in resampled_clusters(n, replicates, seed)
    ]
    (low, high), se = percentile_interval(np.concatenate(values), confidence)
    return TaskInterval(low, high, se, None, n, n < FEW_CLUSTERS)


UNBOUNDED = "unbounded"
"""No upper limit: the denominator is 0 in too many draws."""


def interval_of_ratio(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> TaskInterval:
    """The interval of a ratio of two sums over tasks, without a standard error.

    A draw whose denominator is 0 counts as infinite; where the upper limit would be, the reason is
    ``unbounded``.

    Args:
        numerators, denominators: 0 or more, of each task, shape (tasks,).

    Raises:
        MeasureError: fewer than two replicates.
    """
    if replicates < 2:
        raise MeasureError(f"{replicates} replicates have no spread: ask for 2,000 or more.")
    n = len(numerators)
    if n < 2:
        return TaskInterval(None, None, None, "one_cluster" if n else "no_rows", n, True)
    totals, divisors = [], []
    for tasks_drawn in resampled_clusters(n, replicates, seed):
        totals.append(drawn_sums(numerators, tasks_drawn))
        divisors.append(drawn_sums(denominators, tasks_drawn))
    return interval_of_drawn_ratios(np.concatenate(totals), np.concatenate(divisors), n)


def interval_of_drawn_ratios(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    n_tasks: int,
) -> TaskInterval:
    """The same interval, of the draws' numerators and denominators."""
    is_positive = denominators > 0
    ratios = numerators / np.where(is_positive, denominators, 1)
    values = np.sort(np.where(is_positive, ratios, np.inf))
    few = n_tasks < FEW_CLUSTERS
    tail = (1 - 0.95) / 2
    # Between a finite value and infinity there is no quantile: the upper limit is interpolated
    # between two sorted values, and this is the higher one.
    if not np.isfinite(values[math.ceil((1 - tail) * (len(values) - 1))]):
        return TaskInterval(None, None, None, UNBOUNDED, n_tasks, few)
    low, high = np.quantile(values[np.isfinite(values)], (0, 1)).tolist()
    if high - low < 1e-12:
        return TaskInterval(None, None, None, "no_variation", n_tasks, few)
    # As np.quantile does, which gives NaN where some values are infinite.
    ranks = np.arange(len(values)) / (len(values) - 1)
    is_finite = np.isfinite(values)
    low, high = np.interp((tail, 1 - tail), ranks[is_finite], values[is_finite]).tolist()
    return TaskInterval(low, high, None, None, n_tasks, few)

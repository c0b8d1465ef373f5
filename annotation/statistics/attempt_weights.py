"""Means over attempts in which the people of a task share one weight.

The attempts of people at one task weigh 1 / (number of them) each, a system's attempt weighs 1. So
a task that many people attempted counts no more than one that a single person did, and no result
depends on who submitted first (docs/metrics.md, Weights).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pagetrail.annotation.statistics.task_bootstrap import TaskSums

Unit = tuple[str, str | None]
"""A task, and the system that attempted it; None for people."""


class ScoredAttempt(NamedTuple):
    """What an attempt contributes to a mean.

    Attributes:
        score: None where the attempt shares the weight of its task but is not in this mean, such
            as one that took longer than the time bucket allows.
        participant: the annotator or system who made it.
        person: whether that is an annotator.
    """

    task: str
    score: float | None
    participant: str = ""
    person: bool = True

    @property
    def unit(self) -> Unit:
        """The attempts of a unit share a weight of 1: those of people, or of one system."""
        return self.task, None if self.person else self.participant


def whole_weights(units: Sequence[Hashable]) -> tuple[list[int], int]:
    """The weight 1 / (attempts of the unit) of each attempt, as whole numbers, and their scale.

    >>> whole_weights(["q1", "q1", "q2"])
    ([1, 1, 2], 2)
    """
    sizes = Counter(units)
    scale = math.lcm(*sizes.values()) if sizes else 1
    return [scale // sizes[unit] for unit in units], scale


def weights(units: Sequence[Hashable]) -> list[float]:
    """The weight 1 / (attempts of the unit) of each attempt."""
    sizes = Counter(units)
    return [1 / sizes[unit] for unit in units]


def weighted_mean(attempts: Iterable[ScoredAttempt]) -> float | None:
    """The weighted mean of the scores, in whatever order; None where no attempt has one."""
    sums, sizes = _by_unit(attempts)
    return math.fsum(sums.values()) / math.fsum(sizes.values()) if sizes else None


def task_means(attempts: Iterable[ScoredAttempt]) -> dict[str, float]:
    """Task → the weighted mean of its scores."""
    by_task: dict[str, list[ScoredAttempt]] = {}
    for attempt in attempts:
        by_task.setdefault(attempt.task, []).append(attempt)
    means = {task: weighted_mean(task_values) for task, task_values in by_task.items()}
    return {task: value for task, value in means.items() if value is not None}


def weighted_task_sums(attempts: Iterable[ScoredAttempt]) -> TaskSums:
    """Weighted sum of the scores of each task, and its weight; tasks without a score are left out.

    Tasks are sorted, so that draws do not depend on the order of the attempts.
    """
    sums, sizes = _by_unit(attempts)
    by_task: dict[str, list[Unit]] = {}
    for unit in sums:
        by_task.setdefault(unit[0], []).append(unit)
    tasks = [by_task[task] for task in sorted(by_task)]
    return TaskSums(
        np.array([math.fsum(sums[unit] for unit in units) for units in tasks], dtype=np.float64),
        np.array([math.fsum(sizes[unit] for unit in units) for units in tasks], dtype=np.float64),
    )


def weighted_quantile(values: Sequence[float], counts: Sequence[int], share: Fraction) -> float:
    """The value below which that share of the weight is; between two of them, their middle.

    With equal weights and a share of ½ this is the ordinary median.

    Args:
        counts: weight of each value, as of ``whole_weights``.
    """
    ordered = sorted(zip(values, counts, strict=True))
    target = share * sum(counts)
    reached = 0
    for index, (value, weight) in enumerate(ordered):
        reached += weight
        if reached == target and index + 1 < len(ordered):
            return (value + ordered[index + 1][0]) / 2
        if reached >= target:
            return float(value)
    raise ValueError("a quantile needs values")


def _by_unit(attempts: Iterable[ScoredAttempt]) -> tuple[dict[Unit, float], dict[Unit, float]]:
    """Unit → weighted sum of its scores, and their weight; units without a score are left out."""
    all_attempts = list(attempts)
    sizes = Counter(attempt.unit for attempt in all_attempts)
    scores: dict[Unit, list[float]] = {}
    for attempt in all_attempts:
        if attempt.score is not None:
            scores.setdefault(attempt.unit, []).append(attempt.score)
    return (
        {unit: math.fsum(task_values) / sizes[unit] for unit, task_values in scores.items()},
        {unit: len(task_values) / sizes[unit] for unit, task_values in scores.items()},
    )

"""Means over attempts in which the people of a task share one weight.

The attempts of people at one task weigh 1 / (number of them) each, a system's attempt weighs 1. So
a task that many people attempted counts no more than one that a single person did, and no result
depends on who submitted first (docs/metrics.md, Weights).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
        undecided: whether the score is 0 only because nothing decided the answer, and may become 1.
    """

    task: str
    score: float | None
    participant: str = ""
    person: bool = True
    undecided: bool = False

    @property
    def unit(self) -> Unit:
        """The attempts of a unit share a weight of 1: those of people, or of one system."""
        return self.task, None if self.person else self.participant


class AttemptScores(tuple[ScoredAttempt, ...]):
    """The attempts of a mean, summed once for the mean and for its interval."""

    @classmethod
    def from_attempts(cls, attempts: Iterable[ScoredAttempt]) -> AttemptScores:
        """These attempts; the same object if they are one already."""
        return attempts if isinstance(attempts, cls) else cls(attempts)

    @cached_property
    def unit_sums(self) -> UnitSums:
        """The sums of the units with a score."""
        return _by_unit(self)

    @cached_property
    def undecided(self) -> int:
        """How many of them nothing decided."""
        return sum(attempt.undecided for attempt in self)

    def with_undecided_right(self) -> AttemptScores:
        """The same attempts if all undecided answers are right: the upper end of an accuracy."""
        return AttemptScores(
            attempt._replace(score=1.0) if attempt.undecided else attempt for attempt in self
        )


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
    units = AttemptScores.from_attempts(attempts).unit_sums
    if not units.tasks:
        return None
    return math.fsum(units.sums.tolist()) / math.fsum(units.sizes.tolist())


def upper_end(attempts: Iterable[ScoredAttempt]) -> tuple[int, float | None]:
    """How many attempts are undecided, and the weighted mean if all of them are right."""
    all_attempts = AttemptScores.from_attempts(attempts)
    if not all_attempts.undecided:
        return 0, None
    return all_attempts.undecided, weighted_mean(all_attempts.with_undecided_right())


def task_means(attempts: Iterable[ScoredAttempt]) -> dict[str, float]:
    """Task → the weighted mean of its scores."""
    tasks, totals = _by_task(attempts)
    return dict(zip(tasks, (totals.sums / totals.sizes).tolist(), strict=True))


def weighted_task_sums(attempts: Iterable[ScoredAttempt]) -> TaskSums:
    """Weighted sum of the scores of each task, and its weight; tasks without a score are left out.

    Tasks are sorted, so that draws do not depend on the order of the attempts.
    """
    return _by_task(attempts)[1]


def weighted_quantile(values: Sequence[float], counts: Sequence[int], share: Fraction) -> float:
    """The value below which that share of the weight is; between two of them, their middle.

    With equal weights and a share of ½ this is the ordinary median.

    Args:
        counts: weight of each value, as of ``whole_weights``.
    """
    ordered = sorted(zip(values, counts, strict=True))
    if not ordered:
        raise ValueError("a quantile needs values")
    reached = list(accumulate(weight for _, weight in ordered))
    target = share * reached[-1]
    index = bisect_left(reached, target)
    value = ordered[index][0]
    if reached[index] == target and index + 1 < len(ordered):
        return (value + ordered[index + 1][0]) / 2
    return float(value)


class UnitSums(NamedTuple):
    """Of each unit with a score: its task, the weighted sum of its scores, and their weight."""

    tasks: list[str]
    sums: NDArray[np.float64]
    sizes: NDArray[np.float64]


def _by_unit(attempts: Sequence[ScoredAttempt]) -> UnitSums:
    if not attempts:
        return UnitSums([], np.zeros(0), np.zeros(0))
    tasks, scores, participants, are_people, _ = zip(*attempts, strict=True)
    systems = [
        None if is_person else participant
        for participant, is_person in zip(participants, are_people, strict=True)
    ]
    units = list(zip(tasks, systems, strict=True))
    number = {unit: n for n, unit in enumerate(dict.fromkeys(units))}
    unit_of = np.fromiter(map(number.__getitem__, units), np.intp, len(units))
    sizes = np.bincount(unit_of, minlength=len(number))
    if None in scores:
        unit_of = unit_of[[score is not None for score in scores]]
        scores = tuple(score for score in scores if score is not None)
    counts = np.bincount(unit_of, minlength=len(number))
    sums = _sums_by(unit_of, np.array(scores, dtype=np.float64), len(number))
    has_score = counts > 0
    scored_tasks = [task for (task, _), has in zip(number, has_score.tolist(), strict=True) if has]
    sizes = sizes[has_score]
    return UnitSums(scored_tasks, sums[has_score] / sizes, counts[has_score] / sizes)


def _by_task(attempts: Iterable[ScoredAttempt]) -> tuple[list[str], TaskSums]:
    """The tasks with a score, sorted, and their sums."""
    units = AttemptScores.from_attempts(attempts).unit_sums
    tasks = sorted(set(units.tasks))
    number = {task: n for n, task in enumerate(tasks)}
    task_of = np.fromiter(map(number.__getitem__, units.tasks), np.intp, len(units.tasks))
    sums, sizes = (_sums_by(task_of, values, len(tasks)) for values in (units.sums, units.sizes))
    return tasks, TaskSums(sums, sizes)


def _sums_by(
    group: NDArray[np.intp], values: NDArray[np.float64], n_groups: int
) -> NDArray[np.float64]:
    """The sum of the values of each group, the same in whatever order they come."""
    order = np.lexsort((values, group))
    sums = np.bincount(group[order], weights=values[order], minlength=n_groups)
    return sums.astype(np.float64, copy=False)

"""Intervals by resampling tasks and annotators.

Resampling tasks says how results would vary with other tasks and the same people. Here annotators
are drawn with replacement as well, independently of the tasks: an attempt counts as often as its
task was drawn times as often as its annotator was (Owen 2007, "The pigeonhole bootstrap", *Annals
of Applied Statistics* 1(2)). Within a task drawn attempts share a weight of 1, as everywhere
(``attempt_weights``); a task that none of the drawn annotators attempted is not in the replicate.
Systems are not drawn. Owen shows that the variance is overestimated a little, never underestimated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pagetrail.annotation.statistics.attempt_weights import ScoredAttempt
from pagetrail.annotation.statistics.task_bootstrap import (
    FEW_CLUSTERS,
    REPLICATES,
    SEED,
    TaskInterval,
    percentiles,
    resampled,
)

FEWEST_ANNOTATORS = 5
"""Below this a resample of the annotators says too little about other annotators."""

FEW_ANNOTATORS = "few_annotators"

Numbers = NDArray[np.float64]


def mean_over_tasks_and_annotators(
    attempts: Sequence[ScoredAttempt], *, replicates: int = REPLICATES, seed: int = SEED
) -> TaskInterval:
    """The interval of ``weighted_mean`` over drawn tasks and annotators.

    Its reason is ``few_annotators`` where fewer than five people made the attempts that have a
    score; without people only tasks are drawn.
    """
    table = _AttemptTable(attempts, _annotators(attempts))
    few = _few_annotators(attempts)
    n = len(table.tasks)
    if n < 2 or few:
        reason = FEW_ANNOTATORS if few else "one_cluster" if n else "no_rows"
        return TaskInterval(None, None, None, reason, n, n < FEW_CLUSTERS)
    drawn = []
    for picked, annotators in _draws(n, len(table.annotators), replicates, seed):
        sums, sizes, _ = table.of_tasks(annotators)
        total, whole = (np.take_along_axis(x, picked, axis=1).sum(axis=1) for x in (sums, sizes))
        drawn.append(total[whole > 0] / whole[whole > 0])
    return _interval(np.concatenate(drawn), n)


def pair_over_tasks_and_annotators(
    a: Sequence[ScoredAttempt],
    b: Sequence[ScoredAttempt],
    statistic: Callable[[Numbers, Numbers, Numbers], Numbers],
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> TaskInterval:
    """The interval of a statistic of two participants who attempted the same tasks.

    Args:
        a, b: attempts with a score in [0, 1] at the same tasks. Who is in both is drawn once.
        statistic: of the means over tasks of a's score, b's score and their product, each of shape
            (replicates,); NaN where it is undefined.
    """
    annotators = _annotators([*a, *b])
    tables = _AttemptTable(a, annotators), _AttemptTable(b, annotators)
    n = len(tables[0].tasks)
    few = _few_annotators(a) or _few_annotators(b)
    if n < 2 or few:
        reason = FEW_ANNOTATORS if few else "one_cluster" if n else "no_shared_task"
        return TaskInterval(None, None, None, reason, n, n < FEW_CLUSTERS)
    drawn = []
    for picked, counts in _draws(n, len(annotators), replicates, seed):
        (sums_a, _, there_a), (sums_b, _, there_b) = (table.of_tasks(counts) for table in tables)
        there = (there_a & there_b).astype(np.float64)
        whole, mean_a, mean_b, both = (
            np.take_along_axis(x, picked, axis=1).sum(axis=1)
            for x in (there, sums_a * there, sums_b * there, sums_a * sums_b * there)
        )
        some = whole > 0
        found = statistic(*(x[some] / whole[some] for x in (mean_a, mean_b, both)))
        drawn.append(found[np.isfinite(found)])
    return _interval(np.concatenate(drawn), n)


def _interval(drawn: Numbers, n_tasks: int) -> TaskInterval:
    few = n_tasks < FEW_CLUSTERS
    if len(drawn) < 2 or np.ptp(drawn) < 1e-12:
        reason = "no_variation" if len(drawn) else "no_defined_replicate"
        return TaskInterval(None, None, None, reason, n_tasks, few)
    (low, high), se = percentiles(drawn)
    return TaskInterval(low, high, se, None, n_tasks, few)


def _draws(
    n_tasks: int, n_annotators: int, replicates: int, seed: int
) -> Iterator[tuple[NDArray[np.int64], Numbers]]:
    """Numbers of the drawn tasks, and how often each annotator was drawn; in blocks."""
    draw = np.random.default_rng((seed, 1))
    for picked in resampled(n_tasks, replicates, seed):
        counts = np.ones((len(picked), n_annotators + 1))
        if n_annotators:
            counts[:, :-1] = draw.multinomial(
                n_annotators, np.full(n_annotators, 1 / n_annotators), size=len(picked)
            )
        yield picked, counts


def _few_annotators(attempts: Sequence[ScoredAttempt]) -> bool:
    people = {each.participant for each in attempts if each.person and each.score is not None}
    return 0 < len(people) < FEWEST_ANNOTATORS


def _annotators(attempts: Sequence[ScoredAttempt]) -> dict[str, int]:
    """Annotator → number, by their attempts: neither names nor the order of work count."""
    own: dict[str, list[tuple[str, float]]] = {}
    for attempt in attempts:
        if attempt.person:
            score = -1.0 if attempt.score is None else attempt.score
            own.setdefault(attempt.participant, []).append((attempt.task, score))
    ordered = sorted(own, key=lambda name: sorted(own[name]))
    return {name: number for number, name in enumerate(ordered)}


class _AttemptTable:
    """The attempts at tasks that have a score, as sums by annotator and unit.

    Attributes:
        tasks: sorted.
        annotators: annotator → number. Systems have the number after the last of them.
    """

    def __init__(self, attempts: Sequence[ScoredAttempt], annotators: dict[str, int]) -> None:
        self.annotators = annotators
        scored_units = {each.unit for each in attempts if each.score is not None}
        used = [each for each in attempts if each.unit in scored_units]
        self.tasks = sorted({task for task, _ in scored_units})
        task_number = {task: number for number, task in enumerate(self.tasks)}
        units = sorted(scored_units, key=lambda unit: (unit[0], unit[1] or ""))
        number = {unit: place for place, unit in enumerate(units)}
        who = [annotators[each.participant] if each.person else len(annotators) for each in used]
        places = who, [number[each.unit] for each in used]

        def matrix(values: list[float]) -> csr_array:
            return csr_array((values, places), shape=(len(annotators) + 1, len(units)))

        self._scores = matrix([each.score or 0.0 for each in used])
        self._scored = matrix([float(each.score is not None) for each in used])
        self._attempts = matrix([1.0] * len(used))
        rows = list(range(len(units)))
        self._task_of_unit = csr_array(
            ([1.0] * len(units), (rows, [task_number[task] for task, _ in units])),
            shape=(len(units), len(self.tasks)),
        )

    def of_tasks(self, counts: Numbers) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
        """Weighted sums of scores, their weights, and whether there is any, by replicate and task.

        Args:
            counts: how often each annotator was drawn, shape (replicates, annotators + 1).
        """
        whole = counts @ self._attempts
        there = whole > 0
        safe = np.where(there, whole, 1.0)
        sums = (counts @ self._scores / safe) @ self._task_of_unit
        sizes = (counts @ self._scored / safe) @ self._task_of_unit
        return sums, sizes, sizes > 0

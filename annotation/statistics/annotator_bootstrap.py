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
    ClusterNumbers,
    TaskInterval,
    percentile_interval,
    resampled_clusters,
)

FEWEST_ANNOTATORS = 5
"""Fewer annotators are too few to be resampled."""

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
    too_few = _few_annotators(attempts)
    n = len(table.tasks)
    if n < 2 or too_few:
        reason = FEW_ANNOTATORS if too_few else "one_cluster" if n else "no_rows"
        return TaskInterval(None, None, None, reason, n, n < FEW_CLUSTERS)
    values = []
    for tasks_drawn, annotators in _draws(n, len(table.annotators), replicates, seed):
        sums, sizes, _ = table.of_tasks(annotators)
        total, weight = (
            np.take_along_axis(x, tasks_drawn, axis=1).sum(axis=1) for x in (sums, sizes)
        )
        values.append(total[weight > 0] / weight[weight > 0])
    return _interval(np.concatenate(values), n)


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
        a, b: attempts of one participant each (people together, or one system), all with a score
            in [0, 1], at the same tasks. Who is in both is drawn once.
        statistic: of the means over tasks of a's score, b's score and their product, each of shape
            (replicates,); NaN where it is undefined.
    """
    annotators = _annotators([*a, *b])
    tables = _AttemptTable(a, annotators), _AttemptTable(b, annotators)
    n = len(tables[0].tasks)
    too_few = _few_annotators(a) or _few_annotators(b)
    if n < 2 or too_few:
        reason = FEW_ANNOTATORS if too_few else "one_cluster" if n else "no_shared_task"
        return TaskInterval(None, None, None, reason, n, n < FEW_CLUSTERS)
    values = []
    for tasks_drawn, counts in _draws(n, len(annotators), replicates, seed):
        # A task is one unit, of which all attempts have a score: the sums are its means.
        (mean_a, _, has_a), (mean_b, _, has_b) = (table.of_tasks(counts) for table in tables)
        is_present = (has_a & has_b).astype(np.float64)
        weight, *totals = (
            np.take_along_axis(x, tasks_drawn, axis=1).sum(axis=1)
            for x in (
                is_present,
                mean_a * is_present,
                mean_b * is_present,
                mean_a * mean_b * is_present,
            )
        )
        has_weight = weight > 0
        value = statistic(*(total[has_weight] / weight[has_weight] for total in totals))
        values.append(value[np.isfinite(value)])
    return _interval(np.concatenate(values), n)


def _interval(values: Numbers, n_tasks: int) -> TaskInterval:
    too_few = n_tasks < FEW_CLUSTERS
    if len(values) < 2 or np.ptp(values) < 1e-12:
        reason = "no_variation" if len(values) else "no_defined_replicate"
        return TaskInterval(None, None, None, reason, n_tasks, too_few)
    (low, high), se = percentile_interval(values)
    return TaskInterval(low, high, se, None, n_tasks, too_few)


def _draws(
    n_tasks: int, n_annotators: int, replicates: int, seed: int
) -> Iterator[tuple[ClusterNumbers, Numbers]]:
    """Numbers of the drawn tasks, and how often each annotator was drawn; in blocks."""
    draw = np.random.default_rng((seed, 1))
    for tasks_drawn in resampled_clusters(n_tasks, replicates, seed):
        counts = np.ones((len(tasks_drawn), n_annotators + 1))
        if n_annotators:
            counts[:, :-1] = draw.multinomial(
                n_annotators, np.full(n_annotators, 1 / n_annotators), size=len(tasks_drawn)
            )
        yield tasks_drawn, counts


def _few_annotators(attempts: Sequence[ScoredAttempt]) -> bool:
    people = {
        attempt.participant for attempt in attempts if attempt.person and attempt.score is not None
    }
    return 0 < len(people) < FEWEST_ANNOTATORS


def _annotators(attempts: Sequence[ScoredAttempt]) -> dict[str, int]:
    """Annotator → number, by their attempts: neither names nor the order of work count."""
    scores_by_unit: dict[str, list[tuple[str, float]]] = {}
    for attempt in attempts:
        if attempt.person:
            score = -1.0 if attempt.score is None else attempt.score
            scores_by_unit.setdefault(attempt.participant, []).append((attempt.task, score))
    ordered = sorted(scores_by_unit, key=lambda name: sorted(scores_by_unit[name]))
    return {name: number for number, name in enumerate(ordered)}


class _AttemptTable:
    """The attempts at tasks that have a score, as sums by annotator and unit.

    Attributes:
        tasks: sorted.
        annotators: annotator → number. Systems have the number after the last of them.
    """

    def __init__(self, attempts: Sequence[ScoredAttempt], annotators: dict[str, int]) -> None:
        self.annotators = annotators
        scored_units = {attempt.unit for attempt in attempts if attempt.score is not None}
        used = [attempt for attempt in attempts if attempt.unit in scored_units]
        self.tasks = sorted({task for task, _ in scored_units})
        task_number = {task: number for number, task in enumerate(self.tasks)}
        units = sorted(scored_units, key=lambda unit: (unit[0], unit[1] or ""))
        number = {unit: index for index, unit in enumerate(units)}
        who = [
            annotators[attempt.participant] if attempt.person else len(annotators)
            for attempt in used
        ]
        cells = who, [number[attempt.unit] for attempt in used]

        def matrix(values: list[float]) -> csr_array:
            return csr_array((values, cells), shape=(len(annotators) + 1, len(units)))

        self._scores = matrix([attempt.score or 0.0 for attempt in used])
        self._scored = matrix([float(attempt.score is not None) for attempt in used])
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
        weight = counts @ self._attempts
        is_present = weight > 0
        safe = np.where(is_present, weight, 1.0)
        sums = (counts @ self._scores / safe) @ self._task_of_unit
        sizes = (counts @ self._scored / safe) @ self._task_of_unit
        return sums, sizes, sizes > 0

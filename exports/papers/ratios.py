"""Quotients of counts as table cells, with intervals over resampled tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from pagetrail.annotation.statistics.task_bootstrap import TaskSums, interval_of_sums
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.model import Cell


class TaskCount(NamedTuple):
    """What was counted at a task.

    Attributes:
        part, whole: over all attempts at it.
        attempts: among which the task's weight is divided.
    """

    part: float
    whole: float
    attempts: int = 1


def ratio_cell(
    counts: Iterable[TaskCount],
    options: Options,
    reason: str,
    excluded: Mapping[str, int] | None = None,
) -> Cell:
    """The weighted sum of the parts by that of the wholes.

    Args:
        counts: of each task; a task whose whole is 0 has no part in it.
        reason: why it is undefined where nothing has a part in it.
        excluded: reason → how many units were left out.
    """
    found = [count for count in counts if count.whole]
    if not found:
        return Cell(reason=reason)
    parts, wholes, attempts = np.array(found, dtype=np.float64).T
    parts, weighted = parts / attempts, wholes / attempts
    resampling = options.resampling
    interval = interval_of_sums(
        TaskSums(parts, weighted), replicates=resampling.replicates, seed=resampling.seed
    )
    left = {why: n for why, n in (excluded or {}).items() if n}
    return Cell(
        float(parts.sum() / weighted.sum()),
        low=interval.low,
        high=interval.high,
        se=interval.se,
        flag=interval.reason or ("few_clusters" if interval.few_clusters else None),
        n=round(wholes.sum()),
        tasks=interval.n_tasks,
        excluded=left or None,
    )

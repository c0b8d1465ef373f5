"""Quotients of counts as table cells, with intervals over resampled tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pagetrail.annotation.statistics.task_bootstrap import TaskSums, interval_of_sums
from pagetrail.exports.reports.cells import mean_cell
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.model import Cell


class TaskCount(NamedTuple):
    """A quotient at one task.

    Attributes:
        part, total: over all attempts at it.
        attempts: share the weight of the task.
    """

    part: float
    total: float
    attempts: int = 1


def ratio_cell(
    counts: Iterable[TaskCount],
    options: Options,
    reason: str,
    excluded: Mapping[str, int] | None = None,
) -> Cell:
    """The weighted sum of the parts divided by that of the totals.

    Args:
        counts: of each task; tasks whose total is 0 are ignored.
        reason: why it is undefined where nothing has a part in it.
        excluded: reason → how many units were left out.
    """
    task_counts = [count for count in counts if count.total]
    if not task_counts:
        return Cell(reason=reason)
    parts, totals, attempts = np.array(task_counts, dtype=np.float64).T
    parts, weighted = parts / attempts, totals / attempts
    resampling = options.resampling
    interval = interval_of_sums(
        TaskSums(parts, weighted), replicates=resampling.replicates, seed=resampling.seed
    )
    left_out = {excluded_reason: n for excluded_reason, n in (excluded or {}).items() if n}
    ratio = float(parts.sum() / weighted.sum())
    return replace(
        mean_cell(ratio, interval, None, n=round(totals.sum())), excluded=left_out or None
    )

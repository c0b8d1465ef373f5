"""Agreement coefficients as table cells, with their intervals and warnings."""

from __future__ import annotations

from pagetrail.annotation.agreement import Interval
from pagetrail.annotation.statistics.task_bootstrap import FEW_CLUSTERS, TaskInterval
from pagetrail.exports.reports.model import Cell

_NO_WIDTH = 1e-12


def count(n: int) -> Cell:
    """A whole number."""
    return Cell(n)


def text(words: str) -> Cell:
    """Words, such as the name of a group."""
    return Cell(words)


def value_cell(value: float | None, reason: str) -> Cell:
    """A value without an interval; ``reason`` if it is undefined."""
    return Cell(reason=reason) if value is None else Cell(value)


def coefficient(found: Interval, clusters: int) -> Cell:
    """A coefficient with its interval over resampled tasks and its analytic standard error.

    Args:
        clusters: tasks in which something was rated twice. With one of them there is no interval,
            however many tasks were rated once: draws would only repeat or miss it.
    """
    known = found.coefficient
    if known.value is None:
        return Cell(reason=known.reason or found.reason)
    if found.ci is None or clusters < 2:
        return Cell(known.value, se=known.se, flag=found.reason or "one_cluster")
    low, high = found.ci
    if high - low < _NO_WIDTH:
        # Identical draws mean that nothing varied here, not that the value is certain.
        return Cell(known.value, flag="no_variation")
    flag = "few_clusters" if clusters < FEW_CLUSTERS else None
    return Cell(known.value, low=low, high=high, se=known.se, flag=flag)


def mean_cell(value: float | None, interval: TaskInterval, reason: str) -> Cell:
    """A mean with its interval over resampled tasks."""
    if value is None:
        return Cell(reason=reason)
    if interval.reason is not None:
        return Cell(value, flag=interval.reason)
    flag = "few_clusters" if interval.few_clusters else None
    return Cell(value, low=interval.low, high=interval.high, se=interval.se, flag=flag)

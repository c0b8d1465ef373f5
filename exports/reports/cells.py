"""Cells of tables: values with intervals over resampled tasks, or reasons why undefined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from pagetrail.annotation.agreement import BootstrappedCoefficient
from pagetrail.annotation.agreement.weighted_pairs import WeightedCoefficient
from pagetrail.annotation.messages import lazy_ngettext
from pagetrail.annotation.progress.quality import MeanEstimate
from pagetrail.annotation.statistics.task_bootstrap import FEW_CLUSTERS, TaskInterval
from pagetrail.exports.reports.model import Cell, RowValues

_NO_WIDTH = 1e-12


def value_cell(value: float | None, reason: str | None) -> Cell:
    """A value without an interval; ``reason`` if it is undefined."""
    return Cell(value) if value is not None else Cell(reason=reason or "no_rows")


def corrected_notes(attempts: int) -> list[str]:
    """What is said of times where a server's clock was set during attempts."""
    if not attempts:
        return []
    return [
        lazy_ngettext(
            "During {number} attempt the server's clock was set, or nobody counted time while it "
            "restarted, which may make a time too short (event time_corrected).",
            "During {number} attempts the server's clock was set, or nobody counted time while it "
            "restarted, which may make a time too short (event time_corrected).",
            attempts,
        )
    ]


def mean_cell(
    value: float | None, interval: TaskInterval, reason: str | None, n: int | None = None
) -> Cell:
    """A mean with its interval over resampled tasks.

    Args:
        reason: why it is undefined, if it is.
        n: number of attempts, pairs or pages; None if the table states it.
    """
    if value is None:
        return Cell(reason=reason)
    return Cell(
        value,
        low=interval.low,
        high=interval.high,
        se=interval.se,
        flag=interval.reason or ("few_clusters" if interval.few_clusters else None),
        n=n,
        tasks=None if n is None else interval.n_tasks,
    )


def range_cell(cell: Cell, lower: Cell, upper: Cell, undecided: int) -> Cell:
    """The cell as a range, from the one if its undecided answers are wrong to that if right.

    An end of 0 % or 100 % in which nothing varies has no limit beyond it.
    """
    assert isinstance(lower.value, int | float) and isinstance(upper.value, int | float)
    low = lower.value if lower.low is None and lower.value == 0 else lower.low
    high = upper.value if upper.high is None and upper.value == 1 else upper.high
    flags = [end.flag for end in (lower, upper) if end.flag is not None]
    if low is not None and high is not None:
        flags = [flag for flag in flags if flag == "few_clusters"]
    return replace(
        cell,
        undecided=undecided,
        lower=float(lower.value),
        upper=float(upper.value),
        lower_low=low,
        upper_high=high,
        flag=next((flag for flag in flags if flag != "few_clusters"), flags[0] if flags else None),
    )


def estimate_cell(estimate: MeanEstimate) -> Cell:
    """A mean or share of a campaign's quality with its interval."""
    if estimate.value is None:
        return Cell(reason="no_rows", n=0)
    return Cell(estimate.value, low=estimate.low, high=estimate.high, n=estimate.n)


def coefficient_cell(interval: BootstrappedCoefficient, clusters: int) -> Cell:
    """A coefficient with its interval over resampled tasks and its analytic standard error.

    Args:
        clusters: number of tasks with something rated twice. With only one there is no interval,
            however many tasks were rated once: samples would only repeat or miss it.
    """
    coefficient = interval.coefficient
    if coefficient.value is None:
        return Cell(reason=coefficient.reason or interval.reason)
    if interval.ci is None or clusters < 2:
        return Cell(coefficient.value, se=coefficient.se, flag=interval.reason or "one_cluster")
    low, high = interval.ci
    if high - low < _NO_WIDTH:
        # Identical samples mean that nothing varied, not that the value is certain.
        return Cell(coefficient.value, flag="no_variation")
    flag = "few_clusters" if clusters < FEW_CLUSTERS else None
    return Cell(coefficient.value, low=low, high=high, se=coefficient.se, flag=flag)


def weighted_coefficient_cell(coefficient: WeightedCoefficient) -> Cell:
    """A coefficient of weighted units with its interval over resampled tasks."""
    if coefficient.value is None:
        return Cell(reason=coefficient.reason)
    if coefficient.low is None:
        reason = "one_cluster" if coefficient.n_clusters < 2 else "no_variation"
        return Cell(coefficient.value, flag=reason)
    flag = "few_clusters" if coefficient.n_clusters < FEW_CLUSTERS else None
    return Cell(coefficient.value, low=coefficient.low, high=coefficient.high, flag=flag)


def macro_cells(rows: Iterable[Mapping[str, object]], keys: Sequence[str]) -> RowValues:
    """Unweighted mean of the rows in each of these columns."""
    all_rows = list(rows)
    return {
        key: mean_of_cells(
            [cell for row in all_rows if isinstance(cell := row[key], Cell)], "no_defined_group"
        )
        for key in keys
    }


def mean_of_cells(cells: Sequence[Cell], reason: str) -> Cell:
    """Unweighted mean of the values, a range if one of them is; ``reason`` if none is defined."""
    values = [cell.value for cell in cells if isinstance(cell.value, float)]
    mean = value_cell(fmean(values) if values else None, reason)
    undecided = sum(cell.undecided or 0 for cell in cells)
    if not undecided:
        return mean
    uppers = [
        cell.value if cell.upper is None else cell.upper
        for cell in cells
        if isinstance(cell.value, float)
    ]
    return range_cell(mean, mean, Cell(fmean(uppers)), undecided)

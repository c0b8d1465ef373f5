"""What every measure returns: a number with the counts and choices behind it, or why there is none.

A measure that is undefined for its data has ``value = None`` and a machine-readable ``reason``;
no measure returns 0, 1 or NaN in its place, and none warns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median

Choice = str | int | float


@dataclass(frozen=True, kw_only=True)
class Result:
    """One number of a report.

    Attributes:
        value: the number; None where it is undefined.
        reason: why it is undefined, e.g. ``"no_rows"``; None where it is defined.
        counts: the numbers of rows, tasks or pages that it is based on, and those left out.
        choices: what shaped it, e.g. the kind of effort, a threshold, the idle cap.
    """

    value: float | None
    reason: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises ValueError: not exactly one of value and reason, or a value that is no number."""
        if (self.value is None) == (self.reason is None):
            raise ValueError(f"a result has a value or a reason: {self.value!r}, {self.reason!r}")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"a result's value is a finite number, not {self.value!r}")


@dataclass(frozen=True, kw_only=True)
class Spread(Result):
    """How values are distributed; ``value`` is their mean.

    Attributes:
        median, lowest, highest: None where there are no values.
    """

    median: float | None = None
    lowest: float | None = None
    highest: float | None = None


def share(
    part: int,
    whole: int,
    reason: str,
    *,
    counts: Mapping[str, int] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> Result:
    """``part / whole``, with both among its counts; undefined for that reason where whole is 0."""
    return Result(
        value=part / whole if whole else None,
        reason=None if whole else reason,
        counts={"part": part, "whole": whole} | dict(counts or {}),
        choices=dict(choices or {}),
    )


def mean(
    values: Iterable[float],
    reason: str,
    *,
    counts: Mapping[str, int] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> Result:
    """The arithmetic mean, whatever the order; undefined for that reason where nothing is given."""
    found = list(values)
    return Result(
        value=math.fsum(found) / len(found) if found else None,
        reason=None if found else reason,
        counts={"n": len(found)} | dict(counts or {}),
        choices=dict(choices or {}),
    )


def spread(
    values: Iterable[float],
    reason: str,
    *,
    counts: Mapping[str, int] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> Spread:
    """Mean, median and ends of the values; undefined for that reason where nothing is given."""
    found = sorted(values)
    counts = {"n": len(found)} | dict(counts or {})
    choices = dict(choices or {})
    if not found:
        return Spread(value=None, reason=reason, counts=counts, choices=choices)
    return Spread(
        value=math.fsum(found) / len(found),
        median=float(median(found)),
        lowest=float(found[0]),
        highest=float(found[-1]),
        counts=counts,
        choices=choices,
    )


def mean_over_tasks(scored: Iterable[tuple[str, float]], reason: str) -> Result:
    """The mean over tasks of (task, score) pairs; attempts at one task are averaged first.

    So a task that several people answered weighs no more than one that a single person answered.
    """
    by_task: dict[str, list[float]] = {}
    for task, score in scored:
        by_task.setdefault(task, []).append(score)
    return mean(
        [math.fsum(scores) / len(scores) for scores in by_task.values()],
        reason,
        counts={"attempts": sum(map(len, by_task.values()))},
        choices={"mean": "over tasks, attempts at one task averaged first"},
    )

"""What every measure returns: a number with the counts and choices behind it, or why there is none.

A measure that is undefined for its data has ``value = None`` and a machine-readable ``reason``;
no measure returns 0, 1 or NaN in its place, and none warns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pagetrail.annotation.statistics.attempt_weights import (
    AttemptScores,
    ScoredAttempt,
    upper_end,
    weighted_mean,
    weighted_quantile,
    whole_weights,
)

Choice = str | int | float


@dataclass(frozen=True, kw_only=True)
class Result:
    """One number of a report.

    Attributes:
        value: the number; None where it is undefined.
        reason: why it is undefined, e.g. ``"no_rows"``; None where it is defined.
        counts: the numbers of rows, tasks or pages that it is based on, and those left out.
        choices: what shaped it, e.g. the kind of effort, a threshold, the idle cap.
        undecided: of an accuracy, the attempts that are incorrect because nothing decided them.
        upper: the accuracy if all of them are right; None where none is undecided.
    """

    value: float | None
    reason: str | None = None
    undecided: int = 0
    upper: float | None = None
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


def mean(
    values: Iterable[float],
    reason: str,
    *,
    counts: Mapping[str, int] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> Result:
    """The arithmetic mean, whatever the order; undefined for that reason where nothing is given."""
    defined = list(values)
    return Result(
        value=math.fsum(defined) / len(defined) if defined else None,
        reason=None if defined else reason,
        counts={"n": len(defined)} | dict(counts or {}),
        choices=dict(choices or {}),
    )


def weighted_mean_result(
    attempts: Iterable[ScoredAttempt],
    reason: str,
    *,
    counts: Mapping[str, int] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> Result:
    """The mean of the attempts that have a score, those of people at one task sharing a weight.

    Its count ``n`` is of the attempts with a score. Undefined for that reason where there are none.
    """
    all_attempts = AttemptScores.from_attempts(attempts)
    scored = [attempt for attempt in all_attempts if attempt.score is not None]
    n_undecided, upper = upper_end(all_attempts)
    return Result(
        value=weighted_mean(all_attempts),
        reason=None if scored else reason,
        undecided=n_undecided,
        upper=upper,
        counts={"n": len(scored)} | dict(counts or {}),
        choices=dict(choices or {}),
    )


def weighted_share(
    attempts: Iterable[ScoredAttempt],
    reason: str,
    *,
    counts: Mapping[str, int] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> Result:
    """The weighted share of the attempts whose score is 1, of those whose score is 0 or 1.

    Its counts are ``part`` and ``whole``, the numbers of these attempts: the share is not their
    quotient where several people attempted some tasks.
    """
    all_attempts = AttemptScores.from_attempts(attempts)
    scores = [attempt.score for attempt in all_attempts if attempt.score is not None]
    result = weighted_mean_result(all_attempts, reason, counts=counts, choices=choices)
    return replace(
        result,
        counts={"part": round(math.fsum(scores)), "whole": len(scores)} | dict(counts or {}),
    )


def weighted_spread(
    attempts: Iterable[ScoredAttempt],
    reason: str,
    *,
    counts: Mapping[str, int] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> Spread:
    """Weighted mean, weighted median and ends of the scores; undefined where there are none."""
    scored_attempts = [attempt for attempt in attempts if attempt.score is not None]
    values = [float(attempt.score) for attempt in scored_attempts if attempt.score is not None]
    result = weighted_mean_result(scored_attempts, reason, counts=counts, choices=choices)
    if not values:
        return Spread(value=None, reason=reason, counts=result.counts, choices=result.choices)
    weights, _ = whole_weights([attempt.unit for attempt in scored_attempts])
    return Spread(
        value=result.value,
        median=weighted_quantile(values, weights, Fraction(1, 2)),
        lowest=min(values),
        highest=max(values),
        counts=result.counts,
        choices=result.choices,
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

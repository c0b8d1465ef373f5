"""Numbers of a person's work in a pilot: shares, parts, times, and what a decision rests on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.statistics.wilson import wilson
from pagetrail.annotation.timing.bulk import AttemptTime


class IntervalEstimate(BaseModel):
    """A share with its 95 % interval, or why there is none.

    Attributes:
        value: None where ``reason`` says why.
        n: tasks it rests on.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    reason: str | None = None


class PartEstimate(BaseModel):
    """One part over all judged tasks that have it.

    Attributes:
        part: ``answer``, ``outcome``, ``evidence``, ``boxes`` or a field's name.
        score: the mean share that agrees, 0–1.
        right: tasks in which it counts as right.
        n: tasks that have gold for it and where it is decided.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    part: str
    score: float
    right: int
    n: int


class Times(BaseModel):
    """Time per task, milliseconds; None where nothing was submitted.

    Attributes:
        n: tasks.
        median_active_ms, mean_active_ms: time at work, gaps up to 60 s each.
        median_wall_ms, mean_wall_ms: from the first event to the last submission.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    n: int = 0
    median_active_ms: float | None = None
    mean_active_ms: float | None = None
    median_wall_ms: float | None = None
    mean_wall_ms: float | None = None


class StoredResult(BaseModel):
    """A person's results in one batch of a pilot on the day of a decision: numbers, no answers.

    Attributes:
        protocol: the setting under which the tasks were done.
        batch: code name.
        tasks, judged, right: of the batch; of these judged; of those right in every part.
        undecided: of the judged, those that are right if their undecided answers are.
        share: right of the decided, with Wilson's interval.
        score: mean of the decided tasks' scores; None where none is decided.
        passed: by the mark, at that time; None where it was not decided.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    version: int = 1
    protocol: str
    pass_mark: float
    batch: str
    tasks: int
    judged: int
    right: int
    undecided: int = 0
    share: IntervalEstimate
    score: float | None
    passed: bool | None
    parts: tuple[PartEstimate, ...]
    times: Times


def share_estimate(right: int, n: int) -> IntervalEstimate:
    """A share with Wilson's interval; undefined where nothing was judged."""
    ends = wilson(right, n)
    if ends is None:
        return IntervalEstimate(reason="none_judged")
    return IntervalEstimate(value=right / n, low=ends[0], high=ends[1], n=n)


def part_estimates(verdicts: Iterable[Feedback]) -> tuple[PartEstimate, ...]:
    """Each part over the tasks that have it decided, in the order in which the parts come."""
    scores: dict[str, list[float]] = {}
    right: dict[str, int] = {}
    for verdict in verdicts:
        for part in verdict.parts:
            if part.undecided:
                continue
            scores.setdefault(part.part, []).append(part.score)
            right[part.part] = right.get(part.part, 0) + part.right
    return tuple(
        PartEstimate(
            part=part,
            score=math.fsum(part_scores) / len(part_scores),
            right=right[part],
            n=len(part_scores),
        )
        for part, part_scores in scores.items()
    )


def times_of(spent: Sequence[AttemptTime]) -> Times:
    """Times of tasks that were submitted; those that never were have no wall time."""
    walls = [times.wall_ms for times in spent if times.wall_ms is not None]
    active = [times.active_ms for times in spent]
    return Times(
        n=len(active),
        median_active_ms=float(median(active)) if active else None,
        mean_active_ms=sum(active) / len(active) if active else None,
        median_wall_ms=float(median(walls)) if walls else None,
        mean_wall_ms=sum(walls) / len(walls) if walls else None,
    )


def read_stored_result(stored: dict[str, Any]) -> StoredResult | None:
    """A stored result; None where there is none, or one that this program cannot read."""
    try:
        return StoredResult.model_validate(stored) if stored else None
    except ValidationError:
        return None

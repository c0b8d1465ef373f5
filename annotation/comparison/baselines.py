"""A person's results in a pilot, stored so that later work can be compared with them.

A baseline has numbers only: no answer and no gold, just a digest of the gold that it was scored
against.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from hashlib import sha256
from statistics import median
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.comparison.pairwise_agreement import IntervalEstimate, Similarity
from pagetrail.annotation.statistics.wilson import wilson
from pagetrail.annotation.timing.bulk import AttemptTime

GOLD_KEYS = ("answer_variants", "evidence", "unanswerable", "gold")


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
        median_wall_ms, mean_wall_ms: from the first event to the last submission; None also where
            it was not asked for.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    n: int = 0
    median_active_ms: float | None = None
    mean_active_ms: float | None = None
    median_wall_ms: float | None = None
    mean_wall_ms: float | None = None


class Baseline(BaseModel):
    """A person's results in one batch of a pilot, on the day they were stored.

    Attributes:
        protocol: the setting under which the tasks were done.
        gold_digest: of the gold of the batch's tasks, see ``gold_digest``.
        batch: code name.
        tasks, judged, right: of the batch; of these judged; of those right in every part.
        undecided: of the judged, those that are right if their undecided answers are.
        share: right of the decided, with Wilson's interval.
        score: mean of the decided tasks' scores; None where none is decided.
        passed: by the mark, at that time; None where it was not decided.
        agreement: with the gold.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    version: int = 1
    protocol: str
    gold_digest: str
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
    agreement: Similarity
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
    active = active_times([times.active_ms for times in spent])
    return active.model_copy(
        update={
            "median_wall_ms": float(median(walls)) if walls else None,
            "mean_wall_ms": sum(walls) / len(walls) if walls else None,
        }
    )


def active_times(active_ms: Sequence[int]) -> Times:
    """Times at work alone."""
    if not active_ms:
        return Times()
    return Times(
        n=len(active_ms),
        median_active_ms=float(median(active_ms)),
        mean_active_ms=sum(active_ms) / len(active_ms),
    )


def gold_digest(tasks: Iterable[tuple[str, dict[str, Any]]]) -> str:
    """SHA-256 over the gold of tasks given as (key, record), whatever their order.

    One line per task, sorted: its key and, as canonical JSON, what of ``GOLD_KEYS`` it has. Two
    baselines with the same digest were scored against the same gold.
    """
    lines = sorted(
        json.dumps(
            [key, {name: record[name] for name in GOLD_KEYS if record.get(name) is not None}],
            sort_keys=True,
            ensure_ascii=True,
        )
        for key, record in tasks
    )
    return sha256("\n".join(lines).encode()).hexdigest()


def read_baseline(stored: dict[str, Any]) -> Baseline | None:
    """A stored baseline; None where there is none, or one that this program cannot read."""
    try:
        return Baseline.model_validate(stored) if stored else None
    except ValidationError:
        return None

"""What people and a system achieve together on the tasks that both attempted.

``either right`` is the share that at least one of them solves, as if it were known who is right:
an upper bound. With ``checks`` the system answers first, and people answer instead where it was
most likely unsure: at the tasks that cost it most (docs/metrics.md, Time horizon).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.statistics.task_bootstrap import (
    FEW_CLUSTERS,
    REPLICATES,
    SEED,
    TaskInterval,
    percentile_interval,
    replicate_counts,
    resampled_clusters,
)

Numbers = NDArray[np.float64]

CostKind = Literal["cost_usd", "total_tokens", "steps"]
COST_KINDS: tuple[CostKind, ...] = ("cost_usd", "total_tokens", "steps")
"""In order of preference: the first that is known of every attempt of the system."""

CHECKED_SHARES = (0.1, 0.25, 0.5, 0.75)

Policy = Literal["people", "system", "either", "checks"]
_POLICIES: tuple[tuple[Policy, float], ...] = (
    ("people", 1.0),
    ("system", 0.0),
    *(("checks", share) for share in CHECKED_SHARES),
    ("either", 1.0),
)
"""Who answers, and the share that people answer."""

_CELLS_AT_ONCE = 200_000


class JointTask(NamedTuple):
    """A task that both attempted and that is decided for both.

    Attributes:
        people, system: share of correct attempts.
        cost: mean cost of the system's attempts.
        seconds: mean active time of people's attempts; None where it is unknown.
    """

    task: str
    people: float
    system: float
    cost: float
    seconds: float | None


@dataclass(frozen=True)
class JointAccuracy:
    """Accuracy under one way of working together.

    Attributes:
        checked: share of the tasks that people answer instead of the system.
        value: accuracy over tasks.
        seconds: people's mean time per task of all, 0 where they do nothing; None where a time is
            unknown.
    """

    policy: Policy
    checked: float
    value: float
    interval: TaskInterval
    seconds: float | None


def joint_tasks(
    people: Iterable[Row],
    system: Iterable[Row],
    idle_cap_s: int,
    prices: PriceTable | None = None,
) -> tuple[CostKind, list[JointTask]]:
    """The shared tasks, sorted, and what the system's cost is counted in.

    Args:
        prices: of models, for attempts that state tokens and no dollars.
    """
    of_people, of_system = _decided_by_task(people), _decided_by_task(system)
    shared = sorted(of_people.keys() & of_system.keys())
    kind = _cost_kind([row for task in shared for row in of_system[task]], prices)
    tasks = []
    for task in shared:
        times = [row.effort("active_s", idle_cap_s) for row in of_people[task]]
        known = [seconds for seconds in times if seconds is not None]
        tasks.append(
            JointTask(
                task,
                _mean([float(row.correct is True) for row in of_people[task]]),
                _mean([float(row.correct is True) for row in of_system[task]]),
                _mean([_cost(row, kind, prices) or 0.0 for row in of_system[task]]),
                _mean(known) if known else None,
            )
        )
    return kind, tasks


def joint_accuracies(
    tasks: Sequence[JointTask], *, replicates: int = REPLICATES, seed: int = SEED
) -> list[JointAccuracy]:
    """Accuracy alone, of either, and with checks, each with an interval over resampled tasks.

    Empty without tasks. Tasks of equal cost are checked in the same proportion, so that the order
    of tasks does not matter. Each replicate chooses again which tasks are checked.
    """
    if not tasks:
        return []
    by_cost = sorted(tasks, key=lambda task: (-task.cost, task.task))
    n = len(by_cost)
    people = np.array([task.people for task in by_cost])
    system = np.array([task.system for task in by_cost])
    costs = np.array([task.cost for task in by_cost])
    either = 1 - (1 - people) * (1 - system)
    starts = np.flatnonzero(np.concatenate([[True], costs[1:] < costs[:-1]]))
    all_once = np.ones((1, n))
    values = _accuracies(all_once, people, system, either, starts)[0]
    rows = max(1, _CELLS_AT_ONCE // n)
    resampled = np.concatenate(
        [
            _accuracies(
                replicate_counts(drawn[begin : begin + rows], n), people, system, either, starts
            )
            for drawn in resampled_clusters(n, replicates, seed)
            for begin in range(0, len(drawn), rows)
        ]
    )
    seconds = [task.seconds for task in by_cost]
    times = None
    if None not in seconds:
        active = np.array(seconds, dtype=np.float64)
        times = _accuracies(all_once, active, np.zeros(n), active, starts)[0]
    return [
        JointAccuracy(
            policy,
            share,
            float(values[place]),
            _interval(resampled[:, place], n),
            None if times is None else float(times[place]),
        )
        for place, (policy, share) in enumerate(_POLICIES)
    ]


def _accuracies(
    counts: Numbers, people: Numbers, system: Numbers, either: Numbers, starts: NDArray[np.int64]
) -> Numbers:
    """The mean under each of ``_POLICIES``, shape (replicates, policies).

    Args:
        counts: how often each task counts, shape (replicates, tasks), the costliest first.
        starts: where each group of equal costs begins.
    """

    def group_sums(values: Numbers) -> Numbers:
        if len(starts) == values.shape[1]:
            return values
        sums: Numbers = np.add.reduceat(values, starts, axis=1)
        return sums

    n = counts.sum(axis=1)
    sizes = group_sums(counts)
    before = np.cumsum(sizes, axis=1) - sizes
    gains = group_sums(counts * (people - system))
    by_system = counts @ system

    def total(policy: Policy, share: float) -> Numbers:
        if policy == "either":
            return np.asarray(counts @ either)
        if policy == "people":
            return np.asarray(counts @ people)
        if policy == "system":
            return np.asarray(by_system)
        checked = np.clip(((share * n)[:, None] - before) / np.maximum(sizes, 1), 0, 1)
        return np.asarray(by_system + np.einsum("rg,rg->r", checked, gains))

    return np.stack([total(policy, share) / n for policy, share in _POLICIES], axis=1)


def _interval(values: Numbers, n: int) -> TaskInterval:
    if n < 2:
        return TaskInterval(None, None, None, "one_cluster", n, True)
    if np.ptp(values) < 1e-12:
        return TaskInterval(None, None, None, "no_variation", n, n < FEW_CLUSTERS)
    (low, high), se = percentile_interval(values)
    return TaskInterval(low, high, se, None, n, n < FEW_CLUSTERS)


def _decided_by_task(rows: Iterable[Row]) -> dict[str, list[Row]]:
    by_task: dict[str, list[Row]] = {}
    for row in rows:
        if row.correct is not None:
            by_task.setdefault(row.task, []).append(row)
    return by_task


def _cost_kind(rows: Sequence[Row], prices: PriceTable | None) -> CostKind:
    for kind in COST_KINDS[:-1]:
        if all(_cost(row, kind, prices) is not None for row in rows):
            return kind
    return "steps"


def _cost(row: Row, kind: CostKind, prices: PriceTable | None) -> float | None:
    return row.cost(prices).amount if kind == "cost_usd" else row.effort(kind)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)

"""What people and a system achieve together on the tasks that both attempted, and what it costs.

``either right`` is the share that at least one of them solves, as if it were known who is right:
an upper bound. With ``checks`` the system answers first, and people answer instead where it was
most likely unsure: at the tasks that cost it most, or where it stated the least confidence
(docs/metrics.md, Time horizon).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.costs.attempt_cost import SEVERAL_CURRENCIES, AttemptCost
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.statistics.task_bootstrap import (
    FEW_CLUSTERS,
    REPLICATES,
    SEED,
    TaskInterval,
    interval_of_drawn_ratios,
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
CheckOrder = Literal["cost", "confidence"]

_CELLS_AT_ONCE = 200_000
"""Replicates × tasks of a block of draws, which bounds the memory."""


class JointTask(NamedTuple):
    """A task that both attempted and that is decided for both.

    Attributes:
        people, system: share of correct attempts.
        cost: mean cost of the system's attempts, in the unit by which tasks are checked.
        seconds: mean active time of people's attempts; None where it is unknown.
        confidence: mean over the system's attempts; None unless all attempts state it.
        pay, price: mean money of people's and of the system's attempts; None where it is unknown.
    """

    task: str
    people: float
    system: float
    cost: float
    seconds: float | None
    confidence: float | None = None
    pay: float | None = None
    price: float | None = None


class MoneyUnit(NamedTuple):
    """The currency of a participant's costs, or why they are unknown at some task."""

    currency: str | None
    reason: str | None = None


class JointTasks(NamedTuple):
    """The shared tasks, sorted, with their units.

    Attributes:
        kind: what ``JointTask.cost`` is counted in.
        pay, price: units of people's and of the system's money.
    """

    kind: CostKind
    tasks: list[JointTask]
    pay: MoneyUnit = MoneyUnit(None, "no_pay_rate")
    price: MoneyUnit = MoneyUnit(None, "no_usage")


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, or why it is undefined."""

    value: float | None
    interval: TaskInterval | None = None
    reason: str | None = None


@dataclass(frozen=True)
class JointAccuracy:
    """Accuracy and cost under one way of working together.

    Attributes:
        checked: share of the tasks that people answer instead of the system.
        value: accuracy over tasks.
        seconds: people's mean time per task of all, 0 where they do nothing; None where a time is
            unknown.
        cost: money per task of all.
        cost_per_correct: the same divided by the accuracy.
        order: by what tasks are checked; None without checks.
        confidence: the highest of a checked task, where they are checked by confidence; else None.
        currency: of the costs.
    """

    policy: Policy
    checked: float
    value: float
    interval: TaskInterval
    seconds: float | None
    cost: Estimate
    cost_per_correct: Estimate
    order: CheckOrder | None = None
    confidence: float | None = None
    currency: str | None = None


def joint_tasks(
    people: Iterable[Row],
    system: Iterable[Row],
    idle_cap_s: int,
    prices: PriceTable | None = None,
) -> JointTasks:
    """The shared tasks.

    Args:
        prices: of models, for attempts that state tokens and no dollars, and of currencies.
    """
    of_people, of_system = _decided_by_task(people), _decided_by_task(system)
    shared = sorted(of_people.keys() & of_system.keys())
    system_rows = [row for task in shared for row in of_system[task]]
    kind = _cost_kind(system_rows, prices)
    has_confidence = all(row.confidence is not None for row in system_rows)
    pays = {task: [row.cost(prices, idle_cap_s) for row in of_people[task]] for task in shared}
    run_prices = {task: [row.cost(prices) for row in of_system[task]] for task in shared}
    tasks = [
        JointTask(
            task,
            _mean([float(row.correct is True) for row in of_people[task]]),
            _mean([float(row.correct is True) for row in of_system[task]]),
            _mean([_cost(row, kind, prices) or 0.0 for row in of_system[task]]),
            _mean_of_known([row.effort("active_s", idle_cap_s) for row in of_people[task]]),
            _mean([row.confidence or 0.0 for row in of_system[task]]) if has_confidence else None,
            _mean_of_known([cost.amount for cost in pays[task]]),
            _mean_of_known([cost.amount for cost in run_prices[task]]),
        )
        for task in shared
    ]
    return JointTasks(
        kind, tasks, _money_unit(list(pays.values())), _money_unit(list(run_prices.values()))
    )


def joint_accuracies(
    joint: JointTasks, *, replicates: int = REPLICATES, seed: int = SEED
) -> list[JointAccuracy]:
    """Accuracy alone, of either, and with checks, each with an interval over resampled tasks.

    Empty without tasks. Tasks of equal cost or confidence are checked in the same proportion, so
    that the order of tasks does not matter. Each replicate chooses again which tasks are checked.
    """
    if not joint.tasks:
        return []
    tasks = sorted(joint.tasks, key=lambda task: (-task.cost, task.task))
    n = len(tasks)
    orderings = [_Ordering.from_keys("cost", [-task.cost for task in tasks])]
    confidences = [task.confidence for task in tasks if task.confidence is not None]
    if len(confidences) == n:
        orderings.append(_Ordering.from_keys("confidence", confidences))
    policies = _policies(orderings)
    people = np.array([task.people for task in tasks])
    system = np.array([task.system for task in tasks])
    pay = np.array([task.pay or 0.0 for task in tasks])
    price = np.array([task.price or 0.0 for task in tasks])
    measures = (
        _Measure.of_answers(people, system),
        # A checked task costs both: the system has answered it first.
        _Measure(pay, price, checked=price + pay, either=price + pay),
    )
    all_once = np.ones((1, n))
    (values, costs) = _means(all_once, measures, policies)[:, 0]
    rows = max(1, _CELLS_AT_ONCE // n)
    drawn_values, drawn_costs = np.concatenate(
        [
            _means(replicate_counts(block[begin : begin + rows], n), measures, policies)
            for block in resampled_clusters(n, replicates, seed)
            for begin in range(0, len(block), rows)
        ],
        axis=1,
    )
    times = None
    seconds = [task.seconds for task in tasks]
    if None not in seconds:
        active = np.array(seconds, dtype=np.float64)
        measure = _Measure(active, np.zeros(n), checked=active, either=active)
        times = _means(all_once, [measure], policies)[0, 0]
    accuracies = []
    for column, policy in enumerate(policies):
        ordering = policy.ordering
        by_confidence = ordering is not None and ordering.order == "confidence"
        currency, reason = _policy_currency(policy.name, joint.pay, joint.price)
        cost = per_correct = Estimate(None, reason=reason)
        if reason is None:
            cost = Estimate(float(costs[column]), _interval(drawn_costs[:, column], n))
            per_correct = _cost_per_correct(
                costs[column], values[column], drawn_costs[:, column], drawn_values[:, column], n
            )
        accuracies.append(
            JointAccuracy(
                policy.name,
                policy.share,
                float(values[column]),
                _interval(drawn_values[:, column], n),
                None if times is None else float(times[column]),
                cost,
                per_correct,
                None if ordering is None else ordering.order,
                ordering.last_key(policy.share) if ordering and by_confidence else None,
                currency,
            )
        )
    return accuracies


@dataclass(frozen=True)
class _Ordering:
    """The order in which tasks are checked.

    Attributes:
        positions: of the tasks, the first to be checked first.
        starts: where each group of equal tasks begins in that order.
        keys: of the groups, ascending.
    """

    order: CheckOrder
    positions: NDArray[np.int64]
    starts: NDArray[np.int64]
    keys: Numbers

    @classmethod
    def from_keys(cls, order: CheckOrder, keys: Sequence[float]) -> _Ordering:
        """Tasks in ascending order of their keys."""
        values = np.array(keys)
        positions = np.argsort(values, kind="stable")
        ascending = values[positions]
        starts = np.flatnonzero(np.concatenate([[True], ascending[1:] > ascending[:-1]]))
        return cls(order, positions, starts, ascending[starts])

    def group_sums(self, values: Numbers) -> Numbers:
        """Sums over the groups of equal tasks, of values of shape (replicates, tasks)."""
        ordered = values[:, self.positions]
        if len(self.starts) == values.shape[1]:
            return ordered
        sums: Numbers = np.add.reduceat(ordered, self.starts, axis=1)
        return sums

    def last_key(self, share: float) -> float:
        """The key of the last task checked."""
        ends = np.append(self.starts[1:], len(self.positions))
        group = int(np.searchsorted(ends, share * len(self.positions) - 1e-9))
        return float(self.keys[group])


class _PolicyShare(NamedTuple):
    """Who answers, and the share that people answer, in which order."""

    name: Policy
    share: float
    ordering: _Ordering | None = None


class _Measure(NamedTuple):
    """A value of each task if people, the system, people after the system, or both answer it.

    Each has shape (tasks,).
    """

    people: Numbers
    system: Numbers
    checked: Numbers
    either: Numbers

    @classmethod
    def of_answers(cls, people: Numbers, system: Numbers) -> _Measure:
        """Shares of correct answers; of one answer of each drawn at random, either is correct."""
        return cls(people, system, checked=people, either=1 - (1 - people) * (1 - system))

    def without_checks(self, policy: Policy) -> Numbers:
        """The values under a policy without checks."""
        return {"people": self.people, "system": self.system, "either": self.either}[policy]


class _GroupedTasks(NamedTuple):
    """The groups of equal tasks in each replicate, in the order in which they are checked.

    Attributes:
        sizes: how many drawn tasks each group has, shape (replicates, groups).
        before: how many come before each group, of the same shape.
    """

    sizes: Numbers
    before: Numbers

    @classmethod
    def from_counts(cls, ordering: _Ordering, counts: Numbers) -> _GroupedTasks:
        """The groups of replicates that count tasks this often, shape (replicates, groups)."""
        sizes = ordering.group_sums(counts)
        return cls(sizes, np.cumsum(sizes, axis=1) - sizes)

    def checked(self, n_checked: Numbers) -> Numbers:
        """The share of each group that is checked if so many tasks of each replicate are.

        Groups are checked one after the other. One that is only reached in part has the same share
        of all its tasks checked, which is the mean over all orders within it.

        Args:
            n_checked: shape (replicates,); need not be whole.

        Returns:
            Shape (replicates, groups), in [0, 1].
        """
        # A group of which nothing was drawn counts for nothing, whatever its share.
        shares: Numbers = np.clip(
            (n_checked[:, None] - self.before) / np.maximum(self.sizes, 1), 0, 1
        )
        return shares


def _policies(orderings: Sequence[_Ordering]) -> list[_PolicyShare]:
    checks = [
        _PolicyShare("checks", share, ordering)
        for ordering in orderings
        for share in CHECKED_SHARES
    ]
    return [
        _PolicyShare("people", 1.0),
        _PolicyShare("system", 0.0),
        *checks,
        _PolicyShare("either", 1.0),
    ]


def _means(
    counts: Numbers, measures: Sequence[_Measure], policies: Sequence[_PolicyShare]
) -> Numbers:
    """The mean of each measure under each policy, shape (measures, replicates, policies).

    With checks: Σ_tasks system + Σ_groups share checked · Σ_group (checked − system), over n.

    Args:
        counts: how often each task counts, shape (replicates, tasks).
    """
    n = counts.sum(axis=1)
    totals = np.empty((len(measures), len(counts), len(policies)))
    orderings = {
        policy.ordering.order: policy.ordering for policy in policies if policy.ordering is not None
    }
    checks = {
        order: _GroupedTasks.from_counts(ordering, counts) for order, ordering in orderings.items()
    }
    gains = {
        order: [
            ordering.group_sums(counts * (measure.checked - measure.system)) for measure in measures
        ]
        for order, ordering in orderings.items()
    }
    by_system = [counts @ measure.system for measure in measures]
    for column, policy in enumerate(policies):
        if policy.ordering is None:
            for number, measure in enumerate(measures):
                totals[number, :, column] = counts @ measure.without_checks(policy.name)
            continue
        order = policy.ordering.order
        checked = checks[order].checked(policy.share * n)
        for number, gain in enumerate(gains[order]):
            gained = np.einsum("rg,rg->r", checked, gain)
            totals[number, :, column] = by_system[number] + gained
    means: Numbers = totals / n[:, None]
    return means


def _interval(values: Numbers, n: int) -> TaskInterval:
    if n < 2:
        return TaskInterval(None, None, None, "one_cluster", n, True)
    if np.ptp(values) < 1e-12:
        return TaskInterval(None, None, None, "no_variation", n, n < FEW_CLUSTERS)
    (low, high), se = percentile_interval(values)
    return TaskInterval(low, high, se, None, n, n < FEW_CLUSTERS)


def _cost_per_correct(
    cost: float, accuracy: float, drawn_costs: Numbers, drawn_accuracies: Numbers, n: int
) -> Estimate:
    """Cost per correct answer."""
    if not accuracy:
        return Estimate(None, reason="none_correct")
    if n < 2:
        interval = TaskInterval(None, None, None, "one_cluster", n, True)
    else:
        interval = interval_of_drawn_ratios(drawn_costs, drawn_accuracies, n)
    return Estimate(float(cost / accuracy), interval)


def _policy_currency(
    policy: Policy, pay: MoneyUnit, price: MoneyUnit
) -> tuple[str | None, str | None]:
    """The currency of a policy's costs, and why they are unknown."""
    if policy == "people":
        return pay
    if policy == "system":
        return price
    if pay.reason or price.reason:
        return None, pay.reason or price.reason
    if pay.currency != price.currency:
        return None, SEVERAL_CURRENCIES
    return pay


def _money_unit(costs_by_task: Sequence[Sequence[AttemptCost]]) -> MoneyUnit:
    for costs in costs_by_task:
        if all(cost.amount is None for cost in costs):
            return MoneyUnit(None, costs[0].reason)
    currencies = {
        cost.currency for costs in costs_by_task for cost in costs if cost.amount is not None
    }
    if len(currencies) > 1:
        return MoneyUnit(None, SEVERAL_CURRENCIES)
    return MoneyUnit(next(iter(currencies), None))


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


def _mean_of_known(values: Iterable[float | None]) -> float | None:
    known_values = [value for value in values if value is not None]
    return _mean(known_values) if known_values else None


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)

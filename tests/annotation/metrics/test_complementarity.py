"""People and a system together: either right, and people checking the costliest tasks."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.events.agents import ModelTotal
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.complementarity import (
    CHECKED_SHARES,
    JointAccuracy,
    JointTask,
    JointTasks,
    MoneyUnit,
    joint_accuracies,
    joint_tasks,
)
from pagetrail.annotation.statistics.task_bootstrap import resampled_clusters
from tests.annotation.metrics.made_rows import make_row, query

PRICES = """name = "List"
date = 2026-11-01
[models.m]
input = 1
output = 4
"""


def test_shared_tasks_and_the_cost_that_all_attempts_state() -> None:
    people = [
        make_row("q1", True, seconds=10),
        make_row("q1", False, seconds=30),
        make_row("q2", None),
        make_row("q3", True),
    ]

    def system(usage: ModelUsage, task: str = "q1", **fields: Any) -> list[Row]:
        values = {"person": False, "system": "gpt", "usage": usage, "searches": (query(1),)}
        return [make_row(task, True, **(values | fields))]

    dollars = system(ModelUsage(cost_usd=0.5, total_tokens=9))
    joint = joint_tasks(people, [*dollars, *system(ModelUsage(), "q2")], 60)
    assert joint == JointTasks(
        "cost_usd",
        [JointTask("q1", 0.5, 1.0, 0.5, 20.0, price=0.5)],
        MoneyUnit(None, "no_pay_rate"),
        MoneyUnit("USD"),
    )
    joint = joint_tasks(people, [*dollars, *system(ModelUsage(total_tokens=7))], 60)
    assert (joint.kind, [task.cost for task in joint.tasks]) == ("total_tokens", [8.0])
    assert [task.price for task in joint.tasks] == [0.5]
    priced = ModelUsage(input_tokens=3_000_000, output_tokens=1_000_000)
    rows = system(priced, usage_by_model=(ModelTotal(model="m", usage=priced),))
    assert joint_tasks(people, rows, 60).kind == "total_tokens"
    prices = PriceTable.parse(PRICES, "prices.toml")
    joint = joint_tasks(people, rows, 60, prices)
    assert (joint.kind, [task.cost for task in joint.tasks]) == ("cost_usd", [3 * 1 + 1 * 4])
    joint = joint_tasks(people, system(ModelUsage(), "q3"), 60)
    assert (joint.kind, [task.cost for task in joint.tasks]) == ("steps", [1.0])
    assert joint.price == MoneyUnit(None, "no_usage")


def test_confidence_counts_if_all_attempts_state_it() -> None:
    people = [make_row("q1", True), make_row("q2", True)]

    def system(*confidences: float | None) -> list[Row]:
        values: dict[str, Any] = {"person": False, "system": "gpt"}
        pairs = zip(("q1", "q1", "q2"), confidences, strict=True)
        return [make_row(task, True, confidence=value, **values) for task, value in pairs]

    joint = joint_tasks(people, system(0.5, 1.0, 0.0), 60)
    assert [task.confidence for task in joint.tasks] == [0.75, 0.0]
    joint = joint_tasks(people, system(0.5, None, 0.0), 60)
    assert [task.confidence for task in joint.tasks] == [None, None]
    assert {accuracy.order for accuracy in joint_accuracies(joint)} == {None, "cost"}


def test_pay_and_prices_are_averaged_within_tasks() -> None:
    """Each currency as it is, unless the price table converts it."""
    rate = PayRate.parse("36", "hour", "EUR")
    people = [
        make_row("q1", True, seconds=10, pay_rate=rate),
        make_row("q1", True, seconds=30, pay_rate=rate),
    ]
    usage = ModelUsage(cost_usd=0.5)
    system = [make_row("q1", True, person=False, system="gpt", usage=usage)]
    joint = joint_tasks(people, system, 60)
    assert (joint.pay, joint.price) == (MoneyUnit("EUR"), MoneyUnit("USD"))
    assert [(task.pay, task.price) for task in joint.tasks] == [(pytest.approx(0.2), 0.5)]
    reasons = {accuracy.policy: accuracy.cost.reason for accuracy in joint_accuracies(joint)}
    assert reasons == {
        "people": None,
        "system": None,
        "checks": "several_currencies",
        "either": "several_currencies",
    }
    prices = PriceTable.parse(f"{PRICES}[rates]\nEUR = 1.5\n", "prices.toml")
    joint = joint_tasks(people, system, 60, prices)
    assert (joint.pay, joint.tasks[0].pay) == (MoneyUnit("USD"), pytest.approx(0.3))
    assert {accuracy.cost.reason for accuracy in joint_accuracies(joint)} == {None}


def _joint(tasks: list[JointTask], **units: MoneyUnit) -> JointTasks:
    return JointTasks("steps", tasks, **units)


def _by_policy(tasks: list[JointTask]) -> dict[tuple[str, float], tuple[float, float | None]]:
    return {
        (joint.policy, joint.checked): (joint.value, joint.seconds)
        for joint in joint_accuracies(_joint(tasks), replicates=50)
    }


CHECKED_TASKS = [
    JointTask("q1", 1, 0, 8, 100, 0.9, 10, 8),
    JointTask("q2", 1, 0, 4, 100, 0.2, 10, 4),
    JointTask("q3", 1, 1, 2, 100, 0.2, 10, 2),
    JointTask("q4", 0, 1, 1, 100, 0.1, 10, 1),
]
DOLLARS = MoneyUnit("USD")


def _checks(results: list[JointAccuracy], order: str) -> dict[float, JointAccuracy]:
    return {joint.checked: joint for joint in results if joint.order == order}


def test_people_check_what_the_system_is_least_confident_of() -> None:
    """q4 first, which people get wrong; then q2 and q3, half of each at half of the tasks."""
    results = joint_accuracies(_joint(CHECKED_TASKS), replicates=50)
    checks = _checks(results, "confidence")
    assert [joint.value for joint in checks.values()] == pytest.approx([0.4, 0.25, 0.375, 0.5])
    assert [joint.confidence for joint in checks.values()] == [0.1, 0.1, 0.2, 0.2]
    by_cost = _checks(results, "cost")
    assert [joint.value for joint in by_cost.values()] == pytest.approx([0.6, 0.75, 1, 1])
    assert {joint.confidence for joint in by_cost.values()} == {None}


def test_money_of_working_together() -> None:
    """The system is paid for at every task unless people work alone, people where they answer."""
    results = joint_accuracies(_joint(CHECKED_TASKS, pay=DOLLARS, price=DOLLARS), replicates=50)
    alone = {joint.policy: joint for joint in results if joint.order is None}
    assert [alone[name].cost.value for name in ("people", "system", "either")] == [10, 3.75, 13.75]
    checks = _checks(results, "cost")
    assert [joint.cost.value for joint in checks.values()] == pytest.approx(
        [3.75 + 1, 3.75 + 2.5, 3.75 + 5, 3.75 + 7.5]
    )
    for joint in results:
        assert joint.currency == "USD"
        assert joint.cost.value is not None and joint.cost_per_correct.value is not None
        assert joint.cost_per_correct.value == pytest.approx(joint.cost.value / joint.value)


def test_without_a_correct_answer_it_has_no_cost() -> None:
    tasks = [JointTask(f"q{n}", 0, 0, n, 1, None, 1, 1) for n in range(3)]
    for joint in joint_accuracies(_joint(tasks, pay=DOLLARS, price=DOLLARS), replicates=50):
        assert joint.cost_per_correct.value is None
        assert joint.cost_per_correct.reason == "none_correct"


def test_money_and_confidence_against_plain_loops() -> None:
    """Point values and the draws of the intervals, task by task, on 30 random tables."""
    rng = random.Random(11)
    for _ in range(30):
        n = rng.randint(3, 12)
        tasks = [
            JointTask(
                f"q{number}",
                rng.choice((0, 0.5, 1)),
                rng.choice((0, 1)),
                rng.choice((1, 2, 3)),
                1,
                rng.choice((0.2, 0.5, 0.9)),
                rng.random() + 0.1,
                rng.random(),
            )
            for number in range(n)
        ]
        joint = _joint(tasks, pay=DOLLARS, price=DOLLARS)
        by_cost = sorted(tasks, key=lambda task: (-task.cost, task.task))
        draws = np.concatenate(list(resampled_clusters(n, 40, 3)))
        for result in joint_accuracies(joint, replicates=40, seed=3):
            accuracy, cost = _by_hand(tasks, result)
            assert (result.value, result.cost.value) == pytest.approx((accuracy, cost))
            drawn = [_by_hand([by_cost[place] for place in draw], result) for draw in draws]
            expected = np.quantile([money for _, money in drawn], (0.025, 0.975))
            assert result.cost.interval is not None
            limits = result.cost.interval.low, result.cost.interval.high
            assert limits == pytest.approx(tuple(expected))


def _by_hand(tasks: list[JointTask], result: JointAccuracy) -> tuple[float, float]:
    """Accuracy and money per task, with the tasks of a group checked in equal shares."""
    checked = [float(result.policy in ("people", "either"))] * len(tasks)
    if result.order is not None:
        keys = [
            -task.cost if result.order == "cost" else float(task.confidence or 0) for task in tasks
        ]
        left = result.checked * len(tasks)
        for key in sorted(set(keys)):
            group = [place for place, other in enumerate(keys) if other == key]
            for place in group:
                checked[place] = min(1.0, left / len(group))
            left = max(0.0, left - len(group))
    correct, money = 0.0, 0.0
    for task, share in zip(tasks, checked, strict=True):
        both = 1 - (1 - task.people) * (1 - task.system)
        correct += (
            both if result.policy == "either" else share * task.people + (1 - share) * task.system
        )
        money += share * (task.pay or 0)
        money += 0 if result.policy == "people" else (task.price or 0)
    return correct / len(tasks), money / len(tasks)


def test_people_check_what_cost_most() -> None:
    """Four tasks; the system is wrong at the two costliest, people at the cheapest."""
    tasks = [
        JointTask("q1", 1, 0, 8, 100),
        JointTask("q2", 1, 0, 4, 100),
        JointTask("q3", 1, 1, 2, 100),
        JointTask("q4", 0, 1, 1, 100),
    ]
    assert _by_policy(tasks) == {
        ("people", 1.0): (0.75, 100),
        ("system", 0.0): (0.5, 0),
        ("checks", 0.1): (pytest.approx(0.6), pytest.approx(10)),
        ("checks", 0.25): (0.75, 25),
        ("checks", 0.5): (1.0, 50),
        ("checks", 0.75): (1.0, 75),
        ("either", 1.0): (1.0, 100),
    }


def test_equal_costs_are_checked_in_equal_shares() -> None:
    """Checking half of two equally costly tasks is half of each, whichever comes first."""
    tasks = [JointTask("q1", 1, 0, 3, None), JointTask("q2", 0, 0, 3, None)]
    assert _by_policy(tasks)["checks", 0.5] == (0.25, None)


def test_several_attempts_pair_with_each_other() -> None:
    tasks = [JointTask("q1", 0.5, 0.5, 1, None), JointTask("q2", 0, 1, 1, None)]
    assert _by_policy(tasks)["either", 1.0][0] == pytest.approx((0.75 + 1) / 2)


def test_intervals_resample_tasks_and_choose_checks_again() -> None:
    """The order of tasks changes nothing; without spread or a second task there is no interval."""
    rng = random.Random(5)
    tasks = [
        JointTask(f"q{n}", rng.choice((0, 0.5, 1)), rng.choice((0, 1)), rng.random(), 1)
        for n in range(80)
    ]
    results = joint_accuracies(_joint(tasks))
    assert results == joint_accuracies(_joint(rng.sample(tasks, len(tasks))))
    for joint in results:
        low, high = joint.interval.low, joint.interval.high
        assert low is not None and high is not None
        assert low < joint.value < high
    assert [joint.checked for joint in results if joint.policy == "checks"] == list(CHECKED_SHARES)
    assert {joint.interval.reason for joint in joint_accuracies(_joint(tasks[:1]))} == {
        "one_cluster"
    }
    same = [JointTask(f"q{n}", 1, 1, n, 1) for n in range(5)]
    assert {joint.interval.reason for joint in joint_accuracies(_joint(same))} == {"no_variation"}
    assert joint_accuracies(_joint([])) == []

"""People and a system together: either right, and people checking the costliest tasks."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.events.agents import ModelTotal
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.complementarity import (
    CHECKED_SHARES,
    JointTask,
    joint_accuracies,
    joint_tasks,
)
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
    kind, tasks = joint_tasks(people, [*dollars, *system(ModelUsage(), "q2")], 60)
    assert (kind, tasks) == ("cost_usd", [JointTask("q1", 0.5, 1.0, 0.5, 20.0)])
    kind, tasks = joint_tasks(people, [*dollars, *system(ModelUsage(total_tokens=7))], 60)
    assert (kind, [task.cost for task in tasks]) == ("total_tokens", [8.0])
    priced = ModelUsage(input_tokens=3_000_000, output_tokens=1_000_000)
    rows = system(priced, usage_by_model=(ModelTotal(model="m", usage=priced),))
    assert joint_tasks(people, rows, 60)[0] == "total_tokens"
    prices = PriceTable.parse(PRICES, "prices.toml")
    kind, tasks = joint_tasks(people, rows, 60, prices)
    assert (kind, [task.cost for task in tasks]) == ("cost_usd", [3 * 1 + 1 * 4])
    kind, tasks = joint_tasks(people, system(ModelUsage(), "q3"), 60)
    assert (kind, [task.cost for task in tasks]) == ("steps", [1.0])


def _by_policy(tasks: list[JointTask]) -> dict[tuple[str, float], tuple[float, float | None]]:
    return {
        (joint.policy, joint.checked): (joint.value, joint.seconds)
        for joint in joint_accuracies(tasks, replicates=50)
    }


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
    results = joint_accuracies(tasks)
    assert results == joint_accuracies(rng.sample(tasks, len(tasks)))
    for joint in results:
        low, high = joint.interval.low, joint.interval.high
        assert low is not None and high is not None
        assert low < joint.value < high
    assert [joint.checked for joint in results if joint.policy == "checks"] == list(CHECKED_SHARES)
    assert {joint.interval.reason for joint in joint_accuracies(tasks[:1])} == {"one_cluster"}
    same = [JointTask(f"q{n}", 1, 1, n, 1) for n in range(5)]
    assert {joint.interval.reason for joint in joint_accuracies(same)} == {"no_variation"}
    assert joint_accuracies([]) == []

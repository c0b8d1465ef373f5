"""Intervals over resampled tasks and annotators."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from pagetrail.annotation.statistics.annotator_bootstrap import (
    FEWEST_ANNOTATORS,
    mean_over_tasks_and_annotators,
    pair_over_tasks_and_annotators,
)
from pagetrail.annotation.statistics.attempt_weights import ScoredAttempt, weighted_task_sums
from pagetrail.annotation.statistics.task_bootstrap import interval_of_sums

PEOPLE = [f"p{n}" for n in range(FEWEST_ANNOTATORS)]


def attempts_of(skill: dict[str, float], tasks: int, seed: int = 1) -> list[ScoredAttempt]:
    """Each person at each task, right as often as skilled."""
    chance = random.Random(seed)
    return [
        ScoredAttempt(f"q{task}", float(chance.random() < rate), person)
        for task in range(tasks)
        for person, rate in skill.items()
    ]


def test_against_all_draws() -> None:
    """Two tasks and five people of whom one solves both: the spread is that of all 2² · 5⁵ draws.

    Each drawn task has the mean over the drawn people, whichever task it is.
    """
    attempts = [
        ScoredAttempt(task, float(person == "p0"), person)
        for task in ("a", "b")
        for person in PEOPLE
    ]
    values = [draw.count(0) / 5 for draw in itertools.product(range(5), repeat=5)]
    interval = mean_over_tasks_and_annotators(attempts, replicates=100_000)
    assert interval.se == pytest.approx(np.std(values), rel=0.01)
    assert interval.n_tasks == 2 and interval.few_clusters


def test_alike_people_add_nothing() -> None:
    """Where everybody does the same at a task, only tasks vary: both kinds are the same draws."""
    attempts = [
        ScoredAttempt(f"q{task:02}", float(task % 3 == 0), person)
        for task in range(30)
        for person in PEOPLE
    ]
    over_tasks = interval_of_sums(weighted_task_sums(attempts))
    over_both = mean_over_tasks_and_annotators(attempts)
    assert (over_both.low, over_both.high) == pytest.approx((over_tasks.low, over_tasks.high))
    assert over_both.se == pytest.approx(over_tasks.se)


def test_people_who_differ_make_it_wider() -> None:
    """Skills from 0 to 1: other annotators would do quite differently."""
    attempts = attempts_of({person: n / 4 for n, person in enumerate(PEOPLE)}, 100)
    over_tasks = interval_of_sums(weighted_task_sums(attempts))
    over_both = mean_over_tasks_and_annotators(attempts)
    assert over_both.se is not None and over_tasks.se is not None
    assert over_both.se > 3 * over_tasks.se


def test_fewer_than_five_annotators_have_none() -> None:
    """With the reason; systems alone are drawn by tasks."""
    attempts = attempts_of(dict.fromkeys(PEOPLE[1:], 0.5), 20)
    interval = mean_over_tasks_and_annotators(attempts)
    assert (interval.low, interval.se, interval.reason) == (None, None, "few_annotators")
    system = [attempt._replace(person=False) for attempt in attempts if attempt.participant == "p1"]
    over_tasks = interval_of_sums(weighted_task_sums(system))
    system_interval = mean_over_tasks_and_annotators(system)
    assert (system_interval.low, system_interval.high) == pytest.approx(
        (over_tasks.low, over_tasks.high)
    )


@pytest.mark.parametrize(
    ("tasks", "reason"), [(["a"], "one_cluster"), ([], "no_rows"), (["a", "b"], "no_variation")]
)
def test_a_missing_interval_has_a_reason(tasks: list[str], reason: str) -> None:
    """As over tasks."""
    attempts = [ScoredAttempt(task, 1, person) for task in tasks for person in PEOPLE]
    assert mean_over_tasks_and_annotators(attempts).reason == reason


def test_neither_order_nor_names_matter() -> None:
    """To the last digit; pseudonyms in another order give the same interval as names."""
    attempts = attempts_of({person: n / 4 for n, person in enumerate(PEOPLE)}, 20)
    other = dict(zip(PEOPLE, ["z", "y", "x", "w", "v"], strict=True))
    renamed = [attempt._replace(participant=other[attempt.participant]) for attempt in attempts]
    interval = mean_over_tasks_and_annotators(attempts)
    assert mean_over_tasks_and_annotators(renamed[::-1]) == interval


def test_a_difference_with_a_system() -> None:
    """People less a system that solves everything: their interval less 1."""
    people = attempts_of({person: n / 4 for n, person in enumerate(PEOPLE)}, 40)
    system = [ScoredAttempt(f"q{task}", 1, "gpt", person=False) for task in range(40)]
    people_interval = mean_over_tasks_and_annotators(people)
    difference = pair_over_tasks_and_annotators(people, system, lambda a, b, shared: a - b)
    assert people_interval.low is not None and people_interval.high is not None
    assert (difference.low, difference.high) == pytest.approx(
        (people_interval.low - 1, people_interval.high - 1)
    )
    undefined = pair_over_tasks_and_annotators(people[:1], system[:1], lambda a, b, shared: a - b)
    assert undefined.reason == "few_annotators"

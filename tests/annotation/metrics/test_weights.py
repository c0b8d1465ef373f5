"""No number depends on who submitted first, or on how many people did a task alike."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.budget import accuracy_by_budget, accuracy_by_time, time_spread
from pagetrail.annotation.metrics.cascade import STAGES, error_cascade
from pagetrail.annotation.metrics.effort import kuiper, wasted_effort
from pagetrail.annotation.metrics.result import weighted_mean_result
from pagetrail.annotation.metrics.search.query_sequences import queries_per_question, query_drift
from pagetrail.annotation.metrics.search.retrieval import (
    first_query_hit,
    found_by_query,
    recovery_rate,
)
from pagetrail.annotation.metrics.system_comparison import compare_two
from tests.annotation.metrics.made_rows import make_row, query

TASKS = ("q1", "q2", "q3", "q4")
PEOPLE = ("Ada", "Bo", "Cy")
GOLD = ("a.pdf", 1)


def attempt(task: str, person: str, correct: bool, searches: int, finds_gold: bool) -> Row:
    """An attempt of a person, of that many searches, the last of which may find the gold."""
    steps = tuple(
        query(n, f"word{n % 2}", *([GOLD] if finds_gold and n == searches else []))
        for n in range(1, searches + 1)
    )
    return make_row(
        task,
        correct,
        attempt=f"{task}-{person}",
        system=person,
        searches=steps,
        seconds=100 * searches,
        page=float(finds_gold),
        doc=float(finds_gold),
    )


ROWS = st.lists(
    st.builds(
        attempt,
        st.sampled_from(TASKS),
        st.sampled_from(PEOPLE),
        st.booleans(),
        st.integers(0, 4),
        st.booleans(),
    ),
    unique_by=lambda row: row.attempt,
    max_size=12,
)
SYSTEM = [
    make_row(task, n % 2 == 0, attempt=f"{task}-gpt", system="gpt", person=False)
    for n, task in enumerate(TASKS)
]


def accuracy(rows: list[Row]) -> float | None:
    """The mean within tasks, then over tasks."""
    scores = [row.scored(float(row.correct is True)) for row in rows]
    return weighted_mean_result(scores, "no_rows").value


def all_results(rows: list[Row]) -> dict[str, Any]:
    """All measures of attempts; the file-order Kuiper is MADQA's, and follows the file."""
    steps = [row.effort("searches") for row in rows]
    correct, units = [row.correct for row in rows], [row.unit for row in rows]
    curve, pair = kuiper(steps, correct, units), compare_two("people", rows, "gpt", SYSTEM)
    return {
        "accuracy": accuracy(rows),
        "kuiper": (curve.value, curve.normalised, curve.curve),
        "wasted": wasted_effort(steps, correct, units).value,
        "budgets": [point.value for point in accuracy_by_budget(rows)],
        "buckets": [bucket.value for bucket in accuracy_by_time(rows)],
        "times": time_spread(rows),
        "cascade": {name: stage.value for name, stage in error_cascade(rows).stages.items()},
        "queries": queries_per_question(rows),
        "drift": query_drift(rows).value,
        "found": [point.value for point in found_by_query(rows)],
        "first": first_query_hit(rows).value,
        "recovery": recovery_rate(rows).value,
        "kappa": pair.kappa,
        "solved": pair.solved,
        "stages": (pair.stages_a, pair.stages_b),
    }


@given(ROWS, st.randoms())
def test_the_order_of_submission_changes_nothing(rows: list[Row], chance: random.Random) -> None:
    """Attempts in any order give the same numbers to the last digit."""
    assert all_results(chance.sample(rows, len(rows))) == all_results(rows)


@given(ROWS)
def test_accuracy_is_one_number(rows: list[Row]) -> None:
    """Cascade, budgets, buckets, Kuiper and 2 × 2 tables rest on the same accuracy."""
    overall = accuracy(rows)
    if overall is None:
        return
    measures = all_results(rows)
    assert measures["cascade"]["correct"] == pytest.approx(overall)
    assert sum(measures["cascade"][stage] for stage in STAGES) == pytest.approx(1)
    assert measures["budgets"][-1] == pytest.approx(overall)
    solved, tasks = measures["solved"], {row.task for row in rows}
    assert (solved.both + solved.only_a) / len(tasks) == pytest.approx(overall)
    searched = [replace(row, searches=row.searches or (query(1),)) for row in rows]
    curve = kuiper(
        [row.effort("searches") for row in searched],
        [row.correct for row in searched],
        [row.unit for row in searched],
    )
    assert curve.success == pytest.approx(overall)


@given(ROWS, st.sampled_from(TASKS))
def test_another_attempt_alike_changes_no_accuracy(rows: list[Row], task: str) -> None:
    """A task's people have the same outcome; one's attempt again, under another name, adds none."""
    correctness = make_row("x", True).correctness
    rows_alike = [
        replace(row, correctness=correctness) if row.task == task else row for row in rows
    ]
    first_attempt = next((row for row in rows_alike if row.task == task), None)
    if first_attempt is None:
        return
    more = [*rows_alike, replace(first_attempt, system="Di", attempt=f"{task}-Di")]
    assert accuracy(more) == pytest.approx(accuracy(rows_alike))
    # Of a task that is one person's, nothing changes at all.
    single = [row for row in rows_alike if row.task != task or row is first_attempt]
    doubled = all_results([*single, replace(first_attempt, system="Di", attempt=f"{task}-Di")])
    single_results = all_results(single)
    for name in ("accuracy", "budgets", "buckets", "wasted", "first", "recovery", "drift"):
        assert doubled[name] == pytest.approx(single_results[name]), name
    assert doubled["kappa"].value == pytest.approx(single_results["kappa"].value)
    assert doubled["kuiper"][0] == pytest.approx(single_results["kuiper"][0])

"""Accuracy under a budget, by time, and the times themselves."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.budget import (
    BUCKETS,
    accuracy_by_budget,
    accuracy_by_time,
    time_bucket,
    time_spread,
)
from pagetrail.annotation.statistics.attempt_weights import weighted_mean
from tests.annotation.metrics.made_rows import make_row, query


def after(searches: int, correct: bool | None, seconds: float = 30) -> Row:
    """An attempt that took so many searches and seconds."""
    steps = tuple(query(n) for n in range(1, searches + 1))
    return make_row(f"q{searches}", correct, searches=steps, seconds=seconds)


def test_accuracy_by_budget_by_hand() -> None:
    """Right after 0 and 2 searches, wrong after 1 and 3; one row that nobody decided."""
    rows = [after(0, True), after(1, False), after(2, True), after(3, False), after(1, None)]
    points = accuracy_by_budget(rows)
    assert [(point.budget, point.value) for point in points] == [
        (0, 0.25),
        (1, 0.25),
        (2, 0.5),
        (3, 0.5),
    ]
    assert points[1].counts == {"part": 1, "whole": 4, "within": 2, "left_out_undecided": 1}


def test_budgets_may_be_seconds() -> None:
    """Doubling from a minute until all are in, or as asked; the idle cap is in the choices."""
    rows = [after(1, True, seconds=50), after(1, True, seconds=200)]
    points = accuracy_by_budget(rows, "active_s")
    assert [(point.budget, point.value) for point in points] == [(60, 0.5), (120, 0.5), (240, 1)]
    assert points[0].choices == {"effort": "active_s", "idle_cap_s": 60}
    assert [point.value for point in accuracy_by_budget(rows, "wall_s", [10, 50])] == [0, 0.5]


def test_without_a_decided_row_a_budget_is_undefined() -> None:
    """No accuracy of nothing."""
    assert accuracy_by_budget([after(1, None)])[0].reason == "no_rows"


@pytest.mark.parametrize(
    ("minutes", "bucket"),
    [(0, 0), (0.99, 0), (1, 1), (3.99, 1), (4, 2), (10, 2), (10.01, 3), (600, 3)],
)
def test_the_ends_of_the_buckets(minutes: float, bucket: int) -> None:
    """<1, 1–4, 4–10, >10 minutes."""
    assert time_bucket(minutes * 60) == BUCKETS[bucket]


def test_accuracy_by_time_by_hand() -> None:
    """Two attempts under a minute, one of them right; one right above ten; none between."""
    rows = [after(1, True, 20), after(1, False, 59), after(1, True, 700)]
    buckets = accuracy_by_time(rows)
    assert [(bucket.name, bucket.value) for bucket in buckets] == [
        ("<1 min", 0.5),
        ("1–4 min", None),
        ("4–10 min", None),
        (">10 min", 1),
    ]
    assert buckets[1].reason == "empty_bucket"


def test_mean_and_median_time() -> None:
    """10, 20 and 90 seconds: mean 40, median 20."""
    spread = time_spread([after(1, True, s) for s in (90, 10, 20)], idle_cap_s=120)
    assert (spread.value, spread.median) == (40, 20)
    assert spread.choices == {"effort": "active_s", "idle_cap_s": 120, "unit": "s"}
    assert time_spread([]).reason == "no_rows"


ROWS = st.lists(
    st.builds(after, st.integers(0, 6), st.booleans(), st.floats(0, 2_000)), min_size=1, max_size=20
)


@given(ROWS)
def test_more_budget_never_hurts(rows: list[Row]) -> None:
    """Accuracy rises with the budget and ends at the accuracy of all; buckets hold every row."""
    points = accuracy_by_budget(rows)
    values = [point.value or 0 for point in points]
    assert all(value <= next_ for value, next_ in pairwise(values))
    accuracy = weighted_mean(row.scored(float(row.correct is True)) for row in rows)
    assert values[-1] == pytest.approx(accuracy)
    assert sum(bucket.counts["whole"] for bucket in accuracy_by_time(rows)) == len(rows)


def test_people_of_a_task_share_its_weight() -> None:
    """At q1 one of two people is right after 1 search and 30 s, the other wrong after 2 and 300 s;
    at q2 one person is right after 3 and 300 s. Within 1 search 0.5 of 2 tasks; in 4–10 minutes
    0 of half a task and 1 of a whole one. Half of the weight took 30 s to 300 s.
    """

    def row(task: str, correct: bool, searches: int, seconds: float, system: str) -> Row:
        steps = tuple(query(n) for n in range(1, searches + 1))
        return make_row(task, correct, searches=steps, seconds=seconds, system=system)

    rows = [
        row("q1", True, 1, 30, "Ada"),
        row("q1", False, 2, 300, "Bo"),
        row("q2", True, 3, 300, "Ada"),
    ]
    assert [point.value for point in accuracy_by_budget(rows)] == [0, 0.25, 0.25, 0.75]
    buckets = {bucket.name: bucket.value for bucket in accuracy_by_time(rows)}
    assert (buckets["<1 min"], buckets["4–10 min"]) == (1, pytest.approx(1 / 1.5))
    times = time_spread(rows)
    assert (times.value, times.median) == ((165 + 300) / 2, 300)

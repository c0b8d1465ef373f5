"""Baselines: parts, times, and the digest of the gold."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.comparison.baselines import (
    PartEstimate,
    Times,
    active_times,
    gold_digest,
    part_estimates,
    read_baseline,
    share_estimate,
    times_of,
)
from pagetrail.annotation.comparison.pairwise_agreement import IntervalEstimate
from pagetrail.annotation.events.forms import PartScore
from pagetrail.annotation.timing.bulk import AttemptTime

TASKS: list[tuple[str, dict[str, Any]]] = [
    ("q1", {"question": "?", "answer_variants": [["42"]], "evidence": [{"page": 1}]}),
    ("q2", {"question": "!", "unanswerable": True, "gold": {"fields": {"grade": "1"}}}),
]


def verdict(**scores: float) -> Feedback:
    """A verdict with these parts; a part is right at 1."""
    parts = tuple(
        PartScore(part=part, right=score == 1, score=score) for part, score in scores.items()
    )
    return Feedback(right=all(p.right for p in parts), score=0, parts=parts)


def test_each_part_over_the_tasks_that_have_it() -> None:
    """A part that only some tasks have rests on those alone."""
    estimates = part_estimates(
        [verdict(answer=1, evidence=0.5), verdict(answer=0), verdict(boxes=1)]
    )
    assert estimates == (
        PartEstimate(part="answer", score=0.5, right=1, n=2),
        PartEstimate(part="evidence", score=0.5, right=0, n=1),
        PartEstimate(part="boxes", score=1, right=1, n=1),
    )
    assert part_estimates([]) == ()


def test_times_by_hand() -> None:
    """Median and mean of both; a task that was never submitted has no wall time."""
    times = times_of([AttemptTime(10, 100), AttemptTime(20, 400), AttemptTime(60, None)])
    assert times == Times(
        n=3, median_active_ms=20, mean_active_ms=30, median_wall_ms=250, mean_wall_ms=250
    )
    assert times_of([]) == active_times([]) == Times()


def test_a_share_of_nothing_has_no_figure() -> None:
    """Neither 0 nor 1."""
    assert share_estimate(0, 0) == IntervalEstimate(reason="none_judged")
    assert share_estimate(2, 2).value == 1.0 and share_estimate(2, 2).low == pytest.approx(
        0.342, abs=1e-3
    )


@given(st.permutations(TASKS))
def test_the_digest_is_of_the_gold_alone(tasks: list[tuple[str, dict[str, Any]]]) -> None:
    """In whatever order, and whatever else is in the record."""
    changed = [(key, {**record, "question": "other", "domain": "x"}) for key, record in tasks]
    assert gold_digest(changed) == gold_digest(TASKS)


@pytest.mark.parametrize(
    ("index", "key", "value"),
    [
        (0, "answer_variants", [["43"]]),
        (0, "evidence", [{"page": 2}]),
        (1, "unanswerable", False),
        (1, "gold", {"fields": {"grade": "0"}}),
    ],
)
def test_any_change_of_gold_changes_the_digest(index: int, key: str, value: Any) -> None:
    """Each kind of gold counts, and so does a task more or less."""
    changed = copy.deepcopy(TASKS)
    changed[index][1][key] = value
    assert gold_digest(changed) != gold_digest(TASKS)
    assert gold_digest(TASKS[:1]) != gold_digest(TASKS)


def test_what_cannot_be_read_is_no_baseline() -> None:
    """An empty row, or one of a program that is not this one."""
    assert read_baseline({}) is None
    assert read_baseline({"version": 9, "figures": "other"}) is None

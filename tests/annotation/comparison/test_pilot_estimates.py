"""Numbers of pilots: parts, times, shares, and results that earlier versions stored."""

from __future__ import annotations

import pytest

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.comparison.pilot_estimates import (
    IntervalEstimate,
    PartEstimate,
    StoredResult,
    Times,
    part_estimates,
    read_stored_result,
    share_estimate,
    times_of,
)
from pagetrail.annotation.events.forms import PartScore
from pagetrail.annotation.timing.bulk import AttemptTime


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
    assert times_of([]) == Times()


def test_a_share_of_nothing_has_no_figure() -> None:
    """Neither 0 nor 1."""
    assert share_estimate(0, 0) == IntervalEstimate(reason="none_judged")
    assert share_estimate(2, 2).value == 1.0 and share_estimate(2, 2).low == pytest.approx(
        0.342, abs=1e-3
    )


def test_what_cannot_be_read_is_no_result() -> None:
    """An empty row, or one of a program that is not this one; more than is needed is ignored."""
    assert read_stored_result({}) is None
    assert read_stored_result({"version": 9, "figures": "other"}) is None
    stored = StoredResult(
        protocol="search", pass_mark=1, batch="Aquarius", tasks=2, judged=2, right=2,
        share=share_estimate(2, 2), score=1, passed=True, parts=(), times=Times(),
    )  # fmt: skip
    earlier = {**stored.model_dump(), "gold_digest": "0", "agreement": {"tasks": 2}}
    assert read_stored_result(earlier) == stored

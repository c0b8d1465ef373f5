"""The search dynamics together."""

from __future__ import annotations

from annotation.metrics.search_dynamics import search_dynamics
from tests.annotation.metrics.made import make_row, query

A1 = ("a.pdf", 1)


def test_the_dynamics_of_a_campaign() -> None:
    """Each figure is that of its own measure, over the answerable rows alone."""
    rows = [
        make_row("q1", searches=(query(1, "otters", A1),), seconds=30),
        make_row("q2", False, searches=(query(1, "x"), query(2, "y", A1)), seconds=300),
        make_row("u1", unanswerable=True, searches=(query(1),), seconds=9_000),
    ]
    found = search_dynamics(rows)
    assert (found.attempts, found.left_out_unanswerable) == (2, 1)
    assert [point.value for point in found.pages.found_by] == [0.5, 1]
    assert found.documents.first_query_hit.value == 0.5
    assert found.pages.recovery.value == 1
    assert (found.queries.value, found.drift.value) == (1.5, 1)
    assert [point.value for point in found.by_budget] == [0, 0.5, 0.5]
    assert [each.value for each in found.by_time] == [1, None, 0, None]
    assert found.times["active_100_s"].median == 165
    assert list(found.times) == [
        "active_60_s",
        "active_100_s",
        "active_120_s",
        "wall_s",
        "submit_s",
    ]


def test_the_dynamics_of_nothing() -> None:
    """Every figure is undefined, none is 0."""
    found = search_dynamics([])
    assert (found.pages.found_by, found.by_budget[0].value) == ((), None)
    assert found.queries.value is None and found.drift.value is None
    assert all(each.value is None for each in found.times.values())

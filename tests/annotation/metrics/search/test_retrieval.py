"""What searching brought up."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.search.retrieval import (
    first_query_hit,
    found_by_query,
    recovery_rate,
)
from pagetrail.annotation.metrics.search.steps import SearchStep
from tests.annotation.metrics.made_rows import make_row, query

A1, A2, B1 = ("a.pdf", 1), ("a.pdf", 2), ("b.pdf", 1)


def attempts() -> list[Row]:
    """Gold is A1 and B1. q1 finds both at once, q2 one at a time; q3 and q4 find none, q5 does not
    search, and q6 has no gold.
    """
    two_pages = {"gold_pages": 2, "gold_documents": 2}
    return [
        make_row("q1", searches=(query(1, "x", A1, B1),), **two_pages),
        make_row("q2", searches=(query(1), query(2, "x", A1), query(3, "x", B1)), **two_pages),
        make_row("q3", searches=(query(1), query(2)), **two_pages),
        make_row("q4", searches=(query(1),), **two_pages),
        make_row("q5", **two_pages),
        make_row("q6", searches=(query(1),), gold_pages=0, gold_documents=0),
    ]


def test_found_by_query_by_hand() -> None:
    """Of the four that searched, one has found gold by query 1 and two by query 2 and 3."""
    points = found_by_query(attempts())
    assert [(point.query, point.value) for point in points] == [(1, 0.25), (2, 0.5), (3, 0.5)]
    assert points[0].counts == {
        "part": 1,
        "whole": 4,
        "left_out_no_gold_evidence": 1,
        "left_out_no_search": 1,
        "left_out_results_unknown": 0,
    }
    assert points[0].choices == {"level": "page", "need": "any", "unit": "attempts, weighted"}


def test_a_document_is_found_before_its_page() -> None:
    """A result on another page of a gold document finds the document alone."""
    rows = [make_row(searches=(SearchStep(1, "x", 5, 9, (), ("a.pdf",)),))]
    assert first_query_hit(rows, "document").value == 1
    assert first_query_hit(rows, "page").value == 0


def test_an_attempt_that_stopped_stays_as_it_was() -> None:
    """Points may be asked for beyond the last query of all."""
    points = found_by_query(attempts(), up_to=5)
    assert [point.value for point in points] == [0.25, 0.5, 0.5, 0.5, 0.5]


def test_first_hit_and_recovery_by_hand() -> None:
    """One of four hits at once; of three misses one recovers and one never tries again."""
    assert first_query_hit(attempts()).value == 0.25
    recovery = recovery_rate(attempts())
    assert recovery.value == 1 / 3
    assert (recovery.counts["part"], recovery.counts["whole"], recovery.counts["gave_up"]) == (
        1,
        3,
        1,
    )


def test_where_nobody_searched_nothing_is_defined() -> None:
    """No attempt with a search, and no attempt whose first query missed."""
    idle = [make_row("q1")]
    assert found_by_query(idle) == ()
    assert found_by_query(idle, up_to=1)[0].reason == "no_searches"
    assert first_query_hit(idle).reason == recovery_rate(idle).reason == "no_searches"
    hit = [make_row("q1", searches=(query(1, "x", A1),))]
    assert recovery_rate(hit).reason == "no_first_miss"


GOLD = st.lists(st.sampled_from([A1, A2, B1]), max_size=2)
QUERIES = st.lists(GOLD, max_size=5)


@given(st.lists(QUERIES, min_size=1, max_size=6))
def test_cumulative_shares_never_fall(attempted: list[list[list[tuple[str, int]]]]) -> None:
    """At every n documents at least as often as pages; the first point is the first-query hit, and
    recovery accounts for the rest.
    """
    rows = [
        make_row(
            f"q{n}",
            searches=tuple(query(k, "x", *gold) for k, gold in enumerate(attempt, start=1)),
            gold_pages=3,
            gold_documents=2,
        )
        for n, attempt in enumerate(attempted)
    ]
    points = {
        level: [point.value or 0 for point in found_by_query(rows, level, 5)]
        for level in ("page", "document")
    }
    for level_values in points.values():
        assert all(value <= next_ for value, next_ in pairwise(level_values))
    assert all(x <= y for x, y in zip(points["page"], points["document"], strict=True))
    first, later = first_query_hit(rows), recovery_rate(rows)
    assert points["page"][0] == (first.value or 0)
    if first.value is not None:
        n_attempts = first.counts["whole"]
        n_found = first.counts["part"] + later.counts["part"]
        assert points["page"][-1] * n_attempts == pytest.approx(n_found)


def test_people_of_a_task_share_its_weight() -> None:
    """q1: one of two people hits at once, the other recovers; q2: one hits, q3: one never does.
    First hits 0.5 + 1 + 0 of 3; of first misses, 0.5 of the weight of 0.5 + 1 recovers.
    """
    rows = [
        make_row("q1", searches=(query(1, "x", A1),), system="Ada"),
        make_row("q1", searches=(query(1), query(2, "x", A1)), system="Bo"),
        make_row("q2", searches=(query(1, "x", A1),)),
        make_row("q3", searches=(query(1),)),
    ]
    assert first_query_hit(rows).value == pytest.approx(1.5 / 3)
    assert recovery_rate(rows).value == pytest.approx(0.5 / 1.5)
    assert [point.value for point in found_by_query(rows)] == [0.5, pytest.approx(2 / 3)]

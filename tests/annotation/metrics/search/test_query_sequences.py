"""Queries per question, drift, and the vectors behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.search.query_sequences import queries_per_question, query_drift
from pagetrail.annotation.statistics.tfidf import TfIdf, words
from tests.annotation.metrics.made_rows import make_row, query


def row_of_queries(*texts: str, task: str = "q1") -> Row:
    """An attempt that ran these queries."""
    return make_row(task, searches=tuple(query(n, text) for n, text in enumerate(texts, start=1)))


def test_queries_per_question_by_hand() -> None:
    """3, 1 and 0 queries: mean 4/3, median 1."""
    queries = queries_per_question(
        [row_of_queries("a", "b", "c"), row_of_queries("a"), row_of_queries()]
    )
    assert (queries.value, queries.median, queries.lowest, queries.highest) == (4 / 3, 1, 0, 3)
    assert queries_per_question([]).reason == "no_rows"


def test_a_cosine_by_hand() -> None:
    """Queries "river otter", "river", "river map": river is in all three (weight 1), otter and map
    in one (ln(4/2) + 1 = 1.693…). Between the first and the last: 1 / (1 + 1.693…²).
    """
    vectors = TfIdf(["river otter", "river", "river map"])
    rare = math.log(2) + 1
    cosines = vectors.cosines([("river otter", "river map"), ("river", "river map")])
    assert cosines == pytest.approx([1 / (1 + rare**2), 1 / math.sqrt(1 + rare**2)], abs=1e-12)


def test_case_width_and_order_do_not_matter() -> None:
    """Words are compared as they read, in any order; a number is a word."""
    vectors = TfIdf(["Otters 2024", "２０２４ OTTERS"])
    assert vectors.cosines([("Otters 2024", "２０２４ OTTERS")]) == [1.0]
    assert words("“Lutra” AND 4.5 %") == ["lutra", "and", "4", "5"]


def test_drift_by_hand() -> None:
    """One attempt repeats its query and then asks for something else: (0 + 1) / 2; another changes
    it wholly once: 1. Over attempts (0.5 + 1) / 2.
    """
    drift = query_drift(
        [
            row_of_queries("otter", "Otter", "map"),
            row_of_queries("x", "y", task="q2"),
            row_of_queries("z"),
        ]
    )
    assert drift.value == 0.75
    assert drift.counts == {"n": 2, "pairs": 3, "left_out_no_word": 0}
    assert drift.choices == {"vectoriser": "tfidf-words"}


def test_a_query_without_a_word_has_no_direction() -> None:
    """Its pairs are left out and counted, not taken for the greatest drift."""
    drift = query_drift([row_of_queries("otter", "“ ”", "otter", "otter")])
    assert (drift.value, drift.counts["left_out_no_word"]) == (0, 2)


@pytest.mark.parametrize("rows", [[], [row_of_queries("otter")], [row_of_queries("?", "!")]])
def test_without_a_second_query_there_is_no_drift(rows: list[Row]) -> None:
    """Undefined, with the reason."""
    drift = query_drift(rows)
    assert (drift.value, drift.reason) == (None, "no_second_query")


class Lengths:
    """A vectoriser in which queries of one length are the same."""

    name = "lengths"

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """1 or 0."""
        return [float(len(left) == len(right)) for left, right in pairs]


def test_another_vectoriser_is_named() -> None:
    """Its result says whose it is."""
    drift = query_drift([row_of_queries("ab", "cd", "efg")], Lengths())
    assert (drift.value, drift.choices) == (0.5, {"vectoriser": "lengths"})


TEXTS = st.text("ab c", max_size=8)


@given(TEXTS, TEXTS, st.lists(TEXTS, max_size=4))
def test_a_cosine_has_its_bounds(left: str, right: str, texts: list[str]) -> None:
    """In [0, 1], symmetric, exactly 1 with itself, undefined only without words."""
    vectors = TfIdf([left, *texts])
    forward, reverse, with_itself = vectors.cosines([(left, right), (right, left), (left, left)])
    assert forward == reverse
    assert (with_itself == 1.0) if words(left) else (with_itself is None)
    assert forward is None or 0 <= forward <= 1

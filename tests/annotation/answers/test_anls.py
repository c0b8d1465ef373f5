"""ANLS* by compiled code: the values of the package ``anls-star``, and the limits on size."""

from __future__ import annotations

import time

import pytest
from anls_star import anls_score
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.answers.anls import anls_of_lists, too_long
from pagetrail.annotation.metrics.correctness import anls_star, decide
from tests.support.randomness import examples

TEXT = st.one_of(
    st.text(max_size=12),
    st.text("ab \tÄßİ\u0301😀", max_size=12),
    st.text("ab", max_size=4),
    st.text("ab", min_size=60, max_size=200),
)
GENEROUS_S = 20.0
"""Seconds; before, one comparison of answers of this size took minutes."""


def _reference(left: list[str], right: list[str]) -> float:
    return float(anls_score(left, right, return_gt=False, return_key_scores=False))


@given(TEXT, TEXT)
@examples(400)
def test_two_texts_score_as_in_the_reference(left: str, right: str) -> None:
    """To the last bit, over any characters."""
    assert anls_of_lists([left], [right]) == _reference([left], [right])


@given(st.lists(TEXT, max_size=7), st.lists(TEXT, min_size=1, max_size=7))
@examples(400)
def test_lists_score_as_in_the_reference(left: list[str], right: list[str]) -> None:
    """But for the order in which an equally good matching is summed."""
    expected = pytest.approx(_reference(left, right), abs=1e-12)
    assert anls_of_lists(left, right) == expected
    assert anls_of_lists(right, left) == expected


def test_five_hundred_lines_and_long_prose_take_seconds_at_most() -> None:
    """The longest answers that people can submit."""
    start_s = time.perf_counter()
    answer = [f"{n} {'lorem ipsum dolor ' * 2}"[:39] for n in range(500)]
    gold = [f"{'dolor ipsum lorem ' * 2}{n}"[:39] for n in range(500)]
    assert anls_star(answer, [gold]).value is not None
    assert anls_star("ab" * 10_000, ["ba" * 10_000]).value == pytest.approx(0.9999)
    assert time.perf_counter() - start_s < GENEROUS_S


@pytest.mark.parametrize(
    ("left", "right"),
    [(["a"] * 501, ["b"] * 500), (["a" * 40_001], ["b" * 40_000])],
    ids=["texts", "characters"],
)
def test_beyond_its_limits_it_is_undefined_and_says_so(left: list[str], right: list[str]) -> None:
    """Neither compared nor called wrong; an exact match still counts."""
    assert too_long(left, right)
    assert not too_long([text[:40_000] for text in left[:500]], right)
    for score in (anls_star(left, [right]), anls_star(right, [left])):
        assert (score.value, score.reason) == (None, "answer_too_long")
    undecided = decide(left, [right], rule="anls_star")
    assert (undecided.correct, undecided.reason) == (None, "answer_too_long")
    assert decide(left, [left]).correct is True

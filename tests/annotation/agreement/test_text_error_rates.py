"""Character and word error rates, against edit distances by plain loops."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.agreement.text_error_rates import text_difference


def edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """Wagner and Fischer's table, row by row."""
    previous = list(range(len(right) + 1))
    for i, item in enumerate(left, start=1):
        current = [i]
        for j, other in enumerate(right, start=1):
            current.append(
                min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (item != other))
            )
        previous = current
    return previous[-1]


TEXTS = st.text(alphabet="abé\u0301ß \n\t字*|", max_size=25)


@given(TEXTS, TEXTS)
def test_counts_equal_plain_loops(left: str, right: str) -> None:
    words, other_words = (unicodedata.normalize("NFC", text).split() for text in (left, right))
    characters, other_characters = " ".join(words), " ".join(other_words)
    difference = text_difference(left, right)
    assert difference.characters == (
        edit_distance(characters, other_characters),
        len(characters),
        len(other_characters),
    )
    assert difference.words == (edit_distance(words, other_words), len(words), len(other_words))


@given(TEXTS, TEXTS)
def test_rates_are_symmetric_and_bounded(left: str, right: str) -> None:
    difference, reverse = text_difference(left, right), text_difference(right, left)
    for count, reversed_count in zip(difference, reverse, strict=True):
        assert count.rate == reversed_count.rate
        assert count.rate is None or 0 <= count.rate <= 1


@pytest.mark.parametrize(
    ("left", "right", "characters", "words"),
    [
        ("the otter swims", "the otters swim", (2, 15, 15), (2, 3, 3)),
        ("a\n\nb", " a b ", (0, 3, 3), (0, 2, 2)),
        ("caf\u00e9", "cafe\u0301", (0, 4, 4), (0, 1, 1)),
        ("Otter", "otter", (1, 5, 5), (1, 1, 1)),
        ("**Otter**", "Otter", (4, 9, 5), (1, 1, 1)),
        ("", "otter", (5, 0, 5), (1, 0, 1)),
        # No composed form: the letter and its mark are two code points.
        ("x\u0301", "x", (1, 2, 1), (1, 1, 1)),
    ],
)
def test_what_counts_as_an_edit(
    left: str, right: str, characters: tuple[int, int, int], words: tuple[int, int, int]
) -> None:
    assert text_difference(left, right) == (characters, words)


def test_two_empty_texts_have_no_rate() -> None:
    difference = text_difference(" \n", "")
    assert difference.characters.rate is None and difference.words.rate is None

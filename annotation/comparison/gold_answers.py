"""When the answer to a pilot task is right, and when two people's answers are variants of one.

Scores take an answer for right from ANLS* 0.5 on (docs/metrics.md, Correctness). That lets a third
of a list be missing, and a digit of a number be wrong. A pilot decides who may work, so here the
threshold applies to each item by itself, and numbers have to be the same. Guidelines ask for a
number with its unit, so gold without one also accepts it with a unit. Review goes by the same
likeness, but for units, when it asks whether gold could accept two answers side by side.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from pagetrail.annotation.answers.answer_matching import Token, agreement, normalised
from pagetrail.annotation.metrics.correctness import ANLS_THRESHOLD, anls_star
from pagetrail.annotation.statistics.set_overlap import Overlap

MOST_ITEMS = 50
"""Longer lists are compared item by item as they are: likeness is slow to work out."""
UNIT_WORDS = 5
"""“million tonnes of CO₂ equivalent” has five."""
_DIGITS_OF_WORDS = re.compile(r"(?<=[^\W\d_])\d+")


class _Read(NamedTuple):
    """A text, its words, and the numbers among them."""

    text: str
    words: tuple[Token, ...]
    numbers: Counter[Decimal]

    @classmethod
    def of(cls, text: str) -> _Read:
        words = normalised(text)
        return cls(text, words, Counter(word for word in words if isinstance(word, Decimal)))

    def alike(self, other: _Read) -> bool:
        if self.words and self.words == other.words:
            return True
        if self.numbers != other.numbers:
            return False
        likeness = anls_star(self.text, [other.text]).value
        return likeness is not None and likeness >= ANLS_THRESHOLD

    def says(self, gold: _Read) -> bool:
        """Whether it says what an item of the gold says."""
        return self.alike(gold) or adds_unit(self.text, gold.text)

    def is_variant(self, other: _Read) -> bool:
        """Whether they are alike, or one is a shorter form: “Fenhallow” of “Sir Fenhallow”."""
        return self.alike(other) or self._shortens(other) or other._shortens(self)

    def _shortens(self, other: _Read) -> bool:
        size = len(self.words)
        return (
            self.numbers == other.numbers
            and any(isinstance(word, str) and word.isalpha() for word in self.words)
            and any(
                other.words[start : start + size] == self.words
                for start in range(len(other.words) - size + 1)
            )
        )


def alike(left: str, right: str) -> bool:
    """Whether two answers say the same, but for spelling or a few letters more."""
    return _Read.of(left).alike(_Read.of(right))


def says(answer: str, gold: str) -> bool:
    """Whether an answer says what the gold says, but for spelling, a few letters more or a unit."""
    return _Read.of(answer).says(_Read.of(gold))


def adds_unit(answer: str, gold: str) -> bool:
    """Whether gold is nothing but a number, and the answer is that number with a unit.

    A unit is at most ``UNIT_WORDS`` words or signs, before or behind it, without another number;
    the digit of “m²” or “CO2” is part of its word.
    """
    number = normalised(gold)
    if len(number) != 1 or not isinstance(number[0], Decimal):
        return False
    said = normalised(_DIGITS_OF_WORDS.sub("", unicodedata.normalize("NFKC", answer)))
    unit = [word for word in said if not isinstance(word, Decimal)]
    numbers = [word for word in said if isinstance(word, Decimal)]
    return numbers == [number[0]] and 1 <= len(unit) <= UNIT_WORDS


def answer_score(answer: Sequence[str], variants: Sequence[Sequence[str]]) -> float:
    """The best F1 over the variants, of items that are alike one to one; 1 is right."""
    return max((_score(answer, variant) for variant in variants), default=0.0)


def _score(answer: Sequence[str], variant: Sequence[str]) -> float:
    exact = agreement(answer, [variant])
    if exact == 1 or max(len(answer), len(variant)) > MOST_ITEMS or not answer:
        return exact
    return Overlap(_matched(answer, variant, _Read.says), len(answer), len(variant)).f1 or 0.0


def are_variants(
    mine: Sequence[str], theirs: Sequence[str], accepted: Sequence[Sequence[str]] = ()
) -> bool:
    """Whether gold could accept both: they say what accepted answers say, or the same item by item.

    An item may be a shorter form of the other's, with the same numbers.

    Args:
        accepted: the answers that the task came with.
    """
    if all(agreement(answer, accepted) == 1 for answer in (mine, theirs)):
        return True
    if len(mine) != len(theirs) or len(mine) > MOST_ITEMS:
        return False
    return _matched(mine, theirs, _Read.is_variant) == len(mine)


def _matched(
    mine: Sequence[str], theirs: Sequence[str], fits: Callable[[_Read, _Read], bool]
) -> int:
    """How many items of one list fit one of the other's, each taken once."""
    left, right = ([_Read.of(text) for text in each] for each in (mine, theirs))
    return _pairs([[fits(one, other) for other in right] for one in left])


def _pairs(likes: list[list[bool]]) -> int:
    """The size of a largest matching between rows and columns that are alike."""
    taken: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, fits in enumerate(likes[row]):
            if fits and column not in tried:
                tried.add(column)
                if column not in taken or place(taken[column], tried):
                    taken[column] = row
                    return True
        return False

    return sum(place(row, set()) for row in range(len(likes)))

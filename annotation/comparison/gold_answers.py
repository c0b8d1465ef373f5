"""When the answer to a pilot task is right.

Scores take an answer for right from ANLS* 0.5 on (docs/metrics.md, Correctness). That lets a third
of a list be missing, and a digit of a number be wrong. A pilot decides who may work, so here the
threshold applies to each item by itself, and numbers have to be the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from pagetrail.annotation.metrics.answer_matching import Token, agreement, normalised
from pagetrail.annotation.metrics.correctness import ANLS_THRESHOLD, anls_star
from pagetrail.annotation.statistics.set_overlap import Overlap

MOST_ITEMS = 50
"""Longer lists are compared item by item as they are: likeness is slow to work out."""


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


def alike(left: str, right: str) -> bool:
    """Whether two answers say the same, but for spelling or a few letters more."""
    return _Read.of(left).alike(_Read.of(right))


def answer_score(answer: Sequence[str], variants: Sequence[Sequence[str]]) -> float:
    """The best F1 over the variants, of items that are alike one to one; 1 is right."""
    return max((_score(answer, variant) for variant in variants), default=0.0)


def _score(answer: Sequence[str], variant: Sequence[str]) -> float:
    exact = agreement(answer, [variant])
    if exact == 1 or max(len(answer), len(variant)) > MOST_ITEMS or not answer:
        return exact
    mine, theirs = ([_Read.of(text) for text in each] for each in (answer, variant))
    likes = [[one.alike(other) for other in theirs] for one in mine]
    return Overlap(_pairs(likes), len(answer), len(variant)).f1 or 0.0


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

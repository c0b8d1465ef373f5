"""How alike two queries are: the cosine of their TF-IDF vectors.

Source: Salton and Buckley 1988 (Inf. Process. Manag. 24), raw term counts. The inverse document
frequency is ln((1 + N) / (1 + df)) + 1, so that a word of every query still counts.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

_WORD = re.compile(r"\w+")


class Vectoriser(Protocol):
    """What makes vectors of queries. Its name is part of every result it affects."""

    @property
    def name(self) -> str:
        """Unique among vectorisers, with whatever shapes the vectors."""
        ...

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float | None]:
        """The cosine of each pair; None where a text has no vector."""
        ...


class TfIdf:
    """TF-IDF over words, without regard to case, fitted on all queries that are compared.

    Queries are what a document is in retrieval: each one counts, a repeated one again.
    """

    name = "tfidf-words"

    def __init__(self, queries: Iterable[str]) -> None:
        self._n = 0
        self._df: Counter[str] = Counter()
        for query in queries:
            self._n += 1
            self._df.update(set(words(query)))

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        """The cosine of each pair, in [0, 1]; None where a query has no word."""
        # A query in the middle of an attempt is in two pairs.
        vectors = {text: self._vector(text) for text in {text for pair in pairs for text in pair}}
        return [self._cosine(vectors[left], vectors[right]) for left, right in pairs]

    def _vector(self, text: str) -> dict[str, float]:
        return {word: n * self._idf(word) for word, n in Counter(words(text)).items()}

    def _idf(self, word: str) -> float:
        return math.log((1 + self._n) / (1 + self._df[word])) + 1

    @staticmethod
    def _cosine(left: dict[str, float], right: dict[str, float]) -> float | None:
        if not left or not right:
            return None
        dot = math.fsum(weight * right[word] for word, weight in left.items() if word in right)
        squares = [math.fsum(weight**2 for weight in vector.values()) for vector in (left, right)]
        # One root of the product, so that equal vectors give exactly 1.
        return min(1.0, dot / math.sqrt(squares[0] * squares[1]))


def words(text: str) -> list[str]:
    """The words and numbers of a text, without case, width and accents' spelling."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())

"""The words of an index with their frequencies, in memory: what a pattern stands for."""

from __future__ import annotations

import fnmatch
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np
from whoosh import query as wq

from pagetrail.storage.search.arrays import Array

_WILDCARDS = frozenset("*?[")


class Lexicon:
    """The sorted words of one field.

    Attributes:
        terms: all words, in code point order (which is also the order of their UTF-8 bytes).
        df: number of pages that each word is on.
        tf: mean number of times that each word is on such a page.
    """

    def __init__(self, terms: list[str], pages: Array, counts: Array) -> None:
        """``pages`` has the number of pages of each word, ``counts`` how often it is on them."""
        self.terms = terms
        # Plain numbers: indexing an array of numpy makes an object of its own type each time.
        self.df = array("I", pages.astype(np.uint32).tobytes())
        self.tf = array("d", (counts / np.maximum(pages, 1)).tobytes())

    def __contains__(self, term: str) -> bool:
        return self._find(term) is not None

    def frequency(self, term: str) -> tuple[int, float]:
        """Pages that have the word, and its mean count on them; zeros if there are none."""
        place = self._find(term)
        return (0, 0.0) if place is None else (self.df[place], self.tf[place])

    def matching(self, query: Any) -> tuple[list[int], int]:
        """The places of the words that a prefix, wildcard or range stands for.

        Returns:
            Places in ``terms``, and the number of words that the engine looks at to find them.
        """
        if isinstance(query, wq.Prefix):
            low, high = self._prefix(query.text)
            return list(range(low, high)), high - low
        if isinstance(query, wq.Wildcard):
            low, high = self._prefix(_literal(query.text))
            fits = re.compile(fnmatch.translate(query.text)).match
            return [i for i in range(low, high) if fits(self.terms[i])], high - low
        if isinstance(query, wq.TermRange):
            places = list(self._range(query))
            return places, len(places)
        raise TypeError(f"not a pattern: {query!r}")

    def _find(self, term: str) -> int | None:
        place = bisect_left(self.terms, term)
        found = place < len(self.terms) and self.terms[place] == term
        return place if found else None

    def _prefix(self, prefix: str) -> tuple[int, int]:
        if not prefix:
            return 0, len(self.terms)
        low = bisect_left(self.terms, prefix)
        size = len(prefix)
        return low, bisect_right(self.terms, prefix, low, key=lambda term: term[:size])

    def _range(self, query: Any) -> Iterator[int]:
        low = 0 if query.start is None else bisect_left(self.terms, query.start)
        high = len(self.terms) if query.end is None else bisect_right(self.terms, query.end)
        for place in range(low, high):
            if query.startexcl and self.terms[place] == query.start:
                continue
            if query.endexcl and self.terms[place] == query.end:
                break
            yield place


def _literal(pattern: str) -> str:
    for place, char in enumerate(pattern):
        if char in _WILDCARDS:
            return pattern[:place]
    return pattern

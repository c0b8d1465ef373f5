"""The words of an index with their frequencies, in memory; expands patterns."""

from __future__ import annotations

import fnmatch
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np
from cachetools import LRUCache, cachedmethod
from whoosh import query as wq

from pagetrail.storage.search.arrays import Array

_WILDCARDS = frozenset("*?[")
_CACHED_PATTERNS = 16


class Lexicon:
    """The sorted words of one field.

    Attributes:
        terms: all words, in code point order (which is also the order of their UTF-8 bytes).
        df: number of pages with each word.
        tf: mean number of occurrences of each word on these pages.
    """

    def __init__(self, terms: list[str], pages: Array, counts: Array) -> None:
        """``pages`` has each word's number of pages, ``counts`` its number of occurrences."""
        self.terms = terms
        # Plain numbers: indexing a numpy array creates a numpy scalar each time.
        self.df = array("I", pages.astype(np.uint32).tobytes())
        self.tf = array("d", (counts / np.maximum(pages, 1)).tobytes())
        self._cache: LRUCache[str, tuple[list[int], int]] = LRUCache(_CACHED_PATTERNS)

    def __contains__(self, term: str) -> bool:
        return self._find(term) is not None

    def frequency(self, term: str) -> tuple[int, float]:
        """Number of pages with the word, and its mean count on them; zeros if there are none."""
        index = self._find(term)
        return (0, 0.0) if index is None else (self.df[index], self.tf[index])

    @cachedmethod(lambda self: self._cache, key=lambda _self, query: repr(query))
    def matching(self, query: Any) -> tuple[list[int], int]:
        """Indexes of the words that match a prefix, wildcard or range.

        Returns:
            Indexes in ``terms``, and the number of words that the engine examines to find them.
        """
        if isinstance(query, wq.Prefix):
            low, high = self._prefix(query.text)
            return list(range(low, high)), high - low
        if isinstance(query, wq.Wildcard):
            low, high = self._prefix(_literal(query.text))
            match = re.compile(fnmatch.translate(query.text)).match
            # Most words do not contain the longest part that is written out.
            parts = [""] if "[" in query.text else re.split("[*?]", query.text)
            part, terms = max(parts, key=len), self.terms
            matches = [i for i in range(low, high) if part in terms[i] and match(terms[i])]
            return matches, high - low
        if isinstance(query, wq.TermRange):
            matches = list(self._range(query))
            return matches, len(matches)
        raise TypeError(f"not a pattern: {query!r}")

    def _find(self, term: str) -> int | None:
        index = bisect_left(self.terms, term)
        is_known = index < len(self.terms) and self.terms[index] == term
        return index if is_known else None

    def _prefix(self, prefix: str) -> tuple[int, int]:
        if not prefix:
            return 0, len(self.terms)
        low = bisect_left(self.terms, prefix)
        size = len(prefix)
        return low, bisect_right(self.terms, prefix, low, key=lambda term: term[:size])

    def _range(self, query: Any) -> Iterator[int]:
        low = 0 if query.start is None else bisect_left(self.terms, query.start)
        high = len(self.terms) if query.end is None else bisect_right(self.terms, query.end)
        for index in range(low, high):
            if query.startexcl and self.terms[index] == query.start:
                continue
            if query.endexcl and self.terms[index] == query.end:
                break
            yield index


def _literal(pattern: str) -> str:
    for index, char in enumerate(pattern):
        if char in _WILDCARDS:
            return pattern[:index]
    return pattern

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
    """

    def __init__(self, terms: list[str], pages: Array) -> None:
        """``pages`` has each word's number of pages."""
        self.terms = terms
        # Plain numbers: indexing a numpy array creates a numpy scalar each time.
        self.df = array("I", pages.astype(np.uint32).tobytes())
        self._cache: LRUCache[str, list[int]] = LRUCache(_CACHED_PATTERNS)

    def __contains__(self, term: str) -> bool:
        return self._find(term) is not None

    def frequency(self, term: str) -> int:
        """Number of pages with the word."""
        index = self._find(term)
        return 0 if index is None else self.df[index]

    def count(self, query: Any) -> int:
        """Number of postings of the words that match a prefix, wildcard or range."""
        return sum(map(self.df.__getitem__, self.matching(query)))

    @cachedmethod(lambda self: self._cache, key=lambda _self, query: repr(query))
    def matching(self, query: Any) -> list[int]:
        """Indexes of the words that match a prefix, wildcard or range."""
        if isinstance(query, wq.Prefix):
            return list(range(*self._prefix(query.text)))
        if isinstance(query, wq.Wildcard):
            low, high = self._prefix(_literal(query.text))
            match = re.compile(fnmatch.translate(query.text)).match
            # Most words do not contain the longest part that is written out.
            parts = [""] if "[" in query.text else re.split("[*?]", query.text)
            part, terms = max(parts, key=len), self.terms
            return [i for i in range(low, high) if part in terms[i] and match(terms[i])]
        if isinstance(query, wq.TermRange):
            return list(self._range(query))
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

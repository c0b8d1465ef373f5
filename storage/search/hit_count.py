"""Counts matching pages exactly, without running the query a second time.

The engine's ``len(results)`` searches again; here the pages of a word are bits of an integer,
cached for later queries.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from cachetools import LRUCache, cachedmethod
from whoosh import query as wq

from pagetrail.storage.search.lexicon import Lexicon
from pagetrail.storage.search.postings import ListMatcher

_CACHE_BYTES = 64_000_000


class HitCounter:
    """Counts hits in one index. Not thread-safe, like the searcher."""

    def __init__(self, searcher: Any, lexicons: dict[str, Lexicon]) -> None:
        self._searcher = searcher
        self._lexicons = lexicons
        self._pages: int = searcher.doc_count_all()
        self._all_bits: int = (1 << self._pages) - 1
        cache_size = max(256, _CACHE_BYTES // (self._pages // 8 + 64))
        self._pages_of_words: LRUCache[tuple[str, str], int] = LRUCache(cache_size)

    def count(self, query: Any, results: Any) -> int:
        """Number of pages that match a query with these results."""
        if results.has_exact_length() or not _is_set_logic(query):
            return int(len(results))  # noqa: RUF046 - typed Any
        return self._bits(query).bit_count()

    def _bits(self, query: Any) -> int:
        match query:
            case wq.Term():
                return self._term(query)
            case wq.Prefix() | wq.Wildcard() | wq.TermRange() if query.fieldname in self._lexicons:
                lexicon = self._lexicons[query.fieldname]
                words = (lexicon.terms[index] for index in lexicon.matching(query)[0])
                terms = (wq.Term(query.fieldname, word) for word in words if word)
                return _union(map(self._term, terms))
            case wq.Or():
                return _union(map(self._bits, query.subqueries))
            case wq.And():
                bits = self._all_bits
                for part in query.subqueries:
                    bits &= self._bits(part)
                return bits
        return self._count_query(query)

    @cachedmethod(
        lambda self: self._pages_of_words, key=lambda _self, query: (query.fieldname, query.text)
    )
    def _term(self, query: Any) -> int:
        return self._count_query(query)

    def _count_query(self, query: Any) -> int:
        context = self._searcher.boolean_context()
        matcher = query.matcher(self._searcher, context)
        if isinstance(matcher, ListMatcher):
            pages = matcher.postings.pages
        else:
            pages = np.fromiter(matcher.all_ids(), dtype=np.int64)
        if not pages.size:
            return 0
        flags = np.zeros(self._pages, dtype=np.uint8)
        flags[pages] = 1
        return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _union(parts: Iterable[int]) -> int:
    bits = 0
    for part in parts:
        bits |= part
    return bits


def _is_set_logic(query: Any) -> bool:
    """Whether set logic gives the engine's count: its NOT, ANDNOT and REQUIRE do not follow it."""
    if isinstance(query, wq.And | wq.Or):
        return all(map(_is_set_logic, query.subqueries))
    return not isinstance(query, wq.Not | wq.AndNot | wq.AndMaybe | wq.Require)

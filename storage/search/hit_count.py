"""The number of pages that match, exactly, without running the query a second time.

``len(results)`` of the engine searches again; here the pages of a word are bits of an integer,
kept for the next query.
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
    """Counts for one index. Not thread-safe, as the searcher is not."""

    def __init__(self, searcher: Any, lexicons: dict[str, Lexicon]) -> None:
        self._searcher = searcher
        self._lexicons = lexicons
        self._pages: int = searcher.doc_count_all()
        self._every: int = (1 << self._pages) - 1
        most = max(256, _CACHE_BYTES // (self._pages // 8 + 64))
        self._pages_of_words: LRUCache[tuple[str, str], int] = LRUCache(most)

    def count(self, query: Any, results: Any) -> int:
        """Pages that match a query whose results are given."""
        if results.has_exact_length() or not _by_sets(query):
            return int(len(results))  # noqa: RUF046 - typed Any
        return self._bits(query).bit_count()

    def _bits(self, query: Any) -> int:
        match query:
            case wq.Term():
                return self._term(query)
            case wq.Prefix() | wq.Wildcard() | wq.TermRange() if query.fieldname in self._lexicons:
                lexicon = self._lexicons[query.fieldname]
                words = (lexicon.terms[place] for place in lexicon.matching(query)[0])
                terms = (wq.Term(query.fieldname, word) for word in words if word)
                return _union(map(self._term, terms))
            case wq.Or():
                return _union(map(self._bits, query.subqueries))
            case wq.And():
                bits = self._every
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
            places = matcher.postings.pages
        else:
            places = np.fromiter(matcher.all_ids(), dtype=np.int64)
        if not places.size:
            return 0
        flags = np.zeros(self._pages, dtype=np.uint8)
        flags[places] = 1
        return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _union(parts: Iterable[int]) -> int:
    bits = 0
    for part in parts:
        bits |= part
    return bits


def _by_sets(query: Any) -> bool:
    """Whether set logic gives the engine's count: its NOT, ANDNOT and REQUIRE do not follow it."""
    if isinstance(query, wq.And | wq.Or):
        return all(map(_by_sets, query.subqueries))
    return not isinstance(query, wq.Not | wq.AndNot | wq.AndMaybe | wq.Require)

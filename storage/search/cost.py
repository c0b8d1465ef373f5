"""Estimates the cost of a query before it runs.

The engine's time depends little on the number of results. A pattern (``con*``) becomes one posting
list per word. Fewer than 1,024 are merged as a tree, which Whoosh visits completely at each
matching page; for more (and in small collections) it adds up scores in an array. The unit costs
below were measured on 20,108 pages, in milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf
from typing import Any

from whoosh import query as wq

from pagetrail.storage.search.lexicon import Lexicon

MAX_COST_MS = 1000.0
MAX_POSTINGS = 1_000_000
_SMALL_COLLECTION = 5000  # up to here Whoosh uses the array for more than two lists
_TREE_BELOW = 1024
_OPEN_LIST = 0.06
_POSTING = 0.0025
_ARRAY_POSTING = 0.001
_TREE_VISIT = 0.0006
_TREE_POSTING = 0.0015
_SPAN = 0.0006
_PHRASE_PAGE = 0.008
_SCANNED_WORD = 0.006
_RANGE_POSTING = 0.008


@dataclass(frozen=True)
class Cost:
    """Estimated cost of a part of a query.

    Attributes:
        start_ms: time before the first page.
        run_ms: time for all pages; less if other words restrict them.
        pages: approximate number of matching pages.
        lists: number of posting lists visited at each page.
        postings: their total length.
    """

    start_ms: float = 0.0
    run_ms: float = 0.0
    pages: float = 0.0
    lists: int = 0
    postings: int = 0

    @property
    def ms(self) -> float:
        """Total time."""
        return self.start_ms + self.run_ms


class CostModel:
    """Estimates costs of queries of one index."""

    def __init__(self, lexicons: dict[str, Lexicon], pages: int) -> None:
        self._lexicons = lexicons
        self._pages = pages

    def estimate(self, query: Any) -> Cost:
        """The estimate for a parsed query."""
        match query:
            case wq.Term():
                return self._term(query)
            case wq.Phrase():
                return self._phrase(query)
            case wq.Prefix() | wq.Wildcard() | wq.TermRange():
                return self._pattern(query)
            case wq.Every():
                return self._every(query)
            case wq.NumericRange():
                return Cost(run_ms=_RANGE_POSTING * self._pages, pages=self._pages, lists=1)
            case wq.Not():
                part = self.estimate(query.query)
                run = part.run_ms + _POSTING * self._pages
                return Cost(part.start_ms, run, self._pages, part.lists + 1, part.postings)
            case wq.Or():
                return self._union([self.estimate(part) for part in query.subqueries])
            case wq.AndNot() | wq.AndMaybe() | wq.Require():
                parts = [self.estimate(part) for part in query.subqueries]
                return _sum(parts, pages=parts[0].pages)
            case wq.And():
                return _intersection([self.estimate(part) for part in query.subqueries])
        children = list(query.children())
        if children:
            return _sum([self.estimate(part) for part in children], pages=self._pages)
        return Cost()

    def _term(self, query: Any) -> Cost:
        lexicon = self._lexicons.get(query.fieldname)
        if lexicon is None or not isinstance(query.text, str):
            df = self._pages if lexicon is None else 0
        else:
            df, _ = lexicon.frequency(query.text)
        return Cost(_OPEN_LIST, _POSTING * df, df, 1, df)

    def _pattern(self, query: Any) -> Cost:
        lexicon = self._lexicons.get(query.fieldname)
        if lexicon is None:
            return Cost(run_ms=_RANGE_POSTING * self._pages, pages=self._pages, lists=1)
        matches, scanned = lexicon.matching(query)
        frequencies = map(lexicon.df.__getitem__, matches)
        merged = self._union([Cost(_OPEN_LIST, _POSTING * df, df, 1, df) for df in frequencies])
        start = merged.start_ms + _SCANNED_WORD * scanned
        return Cost(start, merged.run_ms, merged.pages, merged.lists, merged.postings)

    def _every(self, query: Any) -> Cost:
        lexicon = self._lexicons.get(query.fieldname) if query.fieldname else None
        if lexicon is None:
            return Cost(run_ms=_POSTING * self._pages, pages=self._pages, lists=1)
        # The engine reads every posting of the field into a set first.
        postings = sum(lexicon.df)
        start = _OPEN_LIST * len(lexicon.terms) + _POSTING * postings
        return Cost(start, _POSTING * self._pages, self._pages, 1, postings)

    def _union(self, parts: Sequence[Cost]) -> Cost:
        # As if the words occurred on pages independently of each other.
        pages = self._pages * (1 - exp(-sum(part.pages for part in parts) / max(1, self._pages)))
        total = _sum(parts, pages=pages)
        if len(parts) < 2:
            return total
        tree = len(parts) < _TREE_BELOW and (self._pages > _SMALL_COLLECTION or len(parts) == 2)
        if tree:
            run = total.run_ms + _TREE_VISIT * total.lists * pages + _TREE_POSTING * total.postings
            return Cost(total.start_ms, run, pages, total.lists, total.postings)
        # The array is filled in blocks, regardless of the query's other words.
        start = total.ms + _ARRAY_POSTING * total.postings
        return Cost(start, _POSTING * pages, pages, 1, total.postings)

    def _phrase(self, query: Any) -> Cost:
        lexicon = self._lexicons.get(query.fieldname)
        if lexicon is None:
            return Cost()
        words = [lexicon.frequency(str(word)) for word in query.words]
        pages = min((df for df, _ in words), default=0)
        if not pages:
            return Cost(_OPEN_LIST * len(words))
        # Spans so far, and the comparisons that each further word needs within the slop.
        spans = words[0][1]
        compared = spans
        for _, tf in words[1:]:
            comparisons = min(tf, query.slop + 1.0)
            compared += tf + spans * comparisons
            spans = min(spans * comparisons, words[0][1] * tf)
        run = pages * len(words) * _PHRASE_PAGE + pages * compared * _SPAN
        postings = sum(df for df, _ in words)
        start = _OPEN_LIST * len(words)
        return Cost(start, run + _POSTING * postings, pages, len(words), postings)


def _sum(parts: Sequence[Cost], *, pages: float) -> Cost:
    return Cost(
        sum(part.start_ms for part in parts),
        sum(part.run_ms for part in parts),
        pages,
        sum(part.lists for part in parts),
        sum(part.postings for part in parts),
    )


def _intersection(parts: Sequence[Cost]) -> Cost:
    fewest = min((part.pages for part in parts), default=inf)
    start = sum(part.start_ms for part in parts)
    run = 0.0
    for part in parts:
        # A list is entered at most twice for each page of the shortest one.
        share = min(1.0, (2 * fewest + 1) / part.pages) if part.pages else 0.0
        run += part.run_ms * share
    lists = sum(part.lists for part in parts)
    return Cost(start, run, fewest, lists, sum(part.postings for part in parts))

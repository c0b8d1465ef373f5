"""Patterns of many words and ranges of numbers, whose pages are computed at once."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from whoosh import query as wq
from whoosh.matching import ArrayUnionMatcher, NullMatcherClass, WrappingMatcher

from pagetrail.storage.search.array_matches import all_pages
from pagetrail.storage.search.lexicon import Lexicon
from pagetrail.storage.search.postings import ListMatcher, PageList
from pagetrail.storage.search.word_union import WordTree, WordUnion

_SMALL_COLLECTION = 5000  # pages, up to which the engine reads more than two lists into an array


def expand_from(lexicon: Lexicon, pattern: Any) -> None:
    """Let a parsed prefix, wildcard or range of words find its words in the lexicon.

    Otherwise the engine decodes and compares every word of the index, and reads their lists posting
    by posting.
    """
    pattern._btexts = lambda _reader: [
        lexicon.terms[index].encode() for index in lexicon.matching(pattern)[0]
    ]
    pattern.estimate_size = lambda _reader: sum(
        map(lexicon.df.__getitem__, lexicon.matching(pattern)[0])
    )
    pattern.matcher = partial(_matcher, pattern, lexicon)


def list_pages_at_once(number_range: wq.NumericRange) -> None:
    """Let a parsed range of numbers compute its pages as an array."""
    number_range.matcher = partial(_range_matcher, number_range)


def _range_matcher(number_range: Any, searcher: Any, context: Any = None) -> Any:
    compiled = number_range._compile_query(searcher.reader())
    if not isinstance(compiled, wq.ConstantScoreQuery) or context is None or context.needs_current:
        return compiled.matcher(searcher, context)
    matcher = compiled.child.matcher(searcher, context)
    if isinstance(matcher, NullMatcherClass):
        return matcher
    pages = all_pages(matcher, searcher.doc_count_all())
    return PageList(pages, compiled.score, matcher.term())


def _matcher(pattern: Any, lexicon: Lexicon, searcher: Any, context: Any = None) -> Any:
    indexes = lexicon.matching(pattern)[0]
    pages = searcher.doc_count_all()

    def open_list(index: int) -> Any:
        return wq.Term(pattern.fieldname, lexicon.terms[index]).matcher(searcher, context)

    if len(indexes) < 3 or context is None or context.needs_current:
        return type(pattern).matcher(pattern, searcher, context)
    if len(indexes) >= wq.Or.TOO_MANY_CLAUSES or pages <= _SMALL_COLLECTION:
        return PatternMatcher([open_list(index) for index in indexes], pages)
    tree = getattr(pattern, "word_tree", None)
    if tree is None:
        terms = searcher.reader()._terms
        tree = pattern.word_tree = WordTree(
            indexes, terms.arrays, terms.length_bytes, searcher.weighting, open_list, terms.jumps
        )
    union = WordUnion(tree, len(tree.spans) - 1)
    return union if pattern.boost == 1.0 else WrappingMatcher(union, boost=pattern.boost)


class PatternMatcher(ArrayUnionMatcher):  # type: ignore[misc]
    """The engine's matcher for a pattern of many words, which scores 1 on each page.

    The engine reads a part of the collection at a time; its limits affect which pages it skips.
    """

    _docnum: int
    _doccount: int
    _partsize: int

    def __init__(self, lists: list[ListMatcher], page_count: int) -> None:
        self._is_page = np.zeros(page_count, dtype=bool)
        self._is_page[np.concatenate([matcher.postings.pages for matcher in lists])] = True
        self._pages = np.flatnonzero(self._is_page)
        self._read_up_to = 0
        self._supports_block_quality: bool = all(m.supports_block_quality() for m in lists)
        self._greatest_quality: float = max(m.max_quality() for m in lists)
        super().__init__(lists, page_count, scored=False)

    def _min_id(self) -> int:
        index = int(np.searchsorted(self._pages, self._read_up_to))
        return int(self._pages[index]) if index < len(self._pages) else self._doccount

    def _read_part(self) -> None:
        self._offset = self._docnum
        self._limit = min(self._docnum + self._partsize, self._doccount)
        self._read_up_to = max(self._read_up_to, self._limit)
        self._a = self._is_page[self._offset : self._limit]

    def _find_next(self) -> None:
        following = self._a[self._docnum - self._offset :]
        step = int(following.argmax()) if len(following) else 0
        if len(following) and following[step]:
            self._docnum += step
        else:
            self._docnum = self._min_id()
            self._read_part()

    def supports_block_quality(self) -> bool:
        return self._supports_block_quality

    def max_quality(self) -> float:
        return self._greatest_quality

    def block_quality(self) -> float:
        return float(self._a.any())

    def score(self) -> float:
        return float(self._a[self._docnum - self._offset])

    def skip_to(self, docnum: int) -> None:
        """Go to the first page from ``docnum`` on."""
        if self._offset <= docnum < self._limit:
            self._docnum = docnum
            self._find_next()
        elif docnum >= self._limit:
            self._read_up_to = docnum
            self._docnum = self._min_id()
            self._read_part()

    def all_ids(self) -> Any:
        """The remaining pages."""
        return iter(self._pages[np.searchsorted(self._pages, self._docnum) :].tolist())

"""Finds pages with a phrase in the sorted positions of its words."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
from whoosh import query as wq
from whoosh.matching import IntersectionMatcher, NullMatcher, WrappingMatcher
from whoosh.util import make_binary_tree

from pagetrail.storage.search.arrays import Array
from pagetrail.storage.search.postings import ListMatcher


class ArrayPhrase(wq.Phrase):  # type: ignore[misc]
    """The engine's phrase, matched over the arrays."""

    def matcher(self, searcher: Any, context: Any = None) -> Any:
        """The engine's tree of words, with the pages of the phrase."""
        terms = [wq.Term(self.fieldname, word) for word in self.words]
        words = [term.matcher(searcher, context) for term in terms]
        if not all(type(w) is ListMatcher and w.postings.start is not None for w in words):
            return super().matcher(searcher, context) if words else NullMatcher()
        matcher = PhraseMatcher(make_binary_tree(IntersectionMatcher, words), words, self.slop)
        return matcher if self.boost == 1.0 else WrappingMatcher(matcher, boost=self.boost)


class PhraseMatcher(WrappingMatcher):  # type: ignore[misc]
    """The engine's ``SpanNear2Matcher`` for words, with its pages computed in advance.

    As in the engine, a skip to a block of better quality may end at a page with all the words but
    not the phrase, which is listed all the same.
    """

    def __init__(self, child: Any, words: list[ListMatcher], slop: int) -> None:
        """``child`` matches the pages with all the words."""
        super().__init__(child)
        candidates = reduce(common_pages, sorted((word.postings.pages for word in words), key=len))
        self.pages = pages_with(words, slop, candidates)
        self._last_candidate = int(candidates[-1]) if len(candidates) else 0
        self._find_next()

    def _find_next(self) -> None:
        child = self.child
        if not child.is_active():
            return
        index = int(np.searchsorted(self.pages, child.id()))
        if index < len(self.pages):
            child.skip_to(int(self.pages[index]))
            return
        # How far each word is read at the end affects the engine's result for a NOT around this.
        child.skip_to(self._last_candidate)
        while child.is_active():
            child.next()

    def replace(self, minquality: float = 0) -> Any:
        """Like the engine's: the words are not replaced."""
        return self if self.is_active() else NullMatcher()

    def next(self) -> None:
        """Go to the next page with the phrase."""
        self.child.next()
        self._find_next()

    def skip_to(self, id: int) -> None:
        """Go to the first page with the phrase from this one on."""
        self.child.skip_to(id)
        self._find_next()

    def all_ids(self) -> Any:
        """The pages that have the phrase."""
        return iter(self.pages.tolist())


def pages_with(words: list[ListMatcher], slop: int, pages: Array) -> Array:
    """Pages where each word is 1 to ``slop`` tokens after the previous one.

    ``pages`` are those with all words, sorted.
    """
    if not len(pages):
        return pages
    # One number for a page and a position; the gap is wider than any slop.
    step = 1 + slop + int(np.iinfo(words[0].positions.dtype).max)
    ends = _tokens(words[0], pages, step)
    for word in words[1:]:
        tokens = _tokens(word, pages, step)
        before = np.searchsorted(ends, tokens) - 1
        is_near = (before >= 0) & (tokens - ends[np.maximum(before, 0)] <= slop)
        ends = tokens[is_near]
        if not len(ends):
            break
    return np.asarray(pages[np.unique(ends // step)])


def common_pages(a: Array, b: Array) -> Array:
    """The pages of both lists."""
    if not len(b):
        return b
    indexes = np.minimum(np.searchsorted(b, a), len(b) - 1)
    return np.asarray(a[b[indexes] == a])


def _tokens(word: ListMatcher, pages: Array, step: int) -> Array:
    """Positions of the word: index of the page times ``step``, plus the position on it."""
    start = word.postings.start
    assert start is not None
    indexes = np.searchsorted(word.postings.pages, pages)
    begins = start[indexes].astype(np.int64)
    counts = start[indexes + 1].astype(np.int64) - begins
    offsets = np.cumsum(counts) - counts
    tokens = np.arange(int(counts.sum())) + np.repeat(begins - offsets, counts)
    encoded = np.repeat(np.arange(len(pages)) * step, counts) + word.positions[tokens]
    return np.asarray(encoded)

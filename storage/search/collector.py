"""Collects the best pages of a query like the engine, without stepping from page to page.

The engine's collector visits every match. Between those that change its state this one reads the
matches from arrays (``storage.search.array_matches`` says where these are the same). Why the lists
are equal:

* A page changes the list only if it scores above the last one listed. There the engine's own
  matchers run, and where a block is entered whose bound is too low: skipping blocks is part of the
  engine's ranking, since it loses pages that a full search would list.
* ``replace`` is called for every tenth match and for each new minimum score. What it does depends
  on this score and on the parts that have ended. While neither changes, calls are left out, except
  for the last one before a match that has an effect: it drops words that have ended, which decides
  what later calls give.
* Each move leaves the matchers where repeated ``next`` would (``move``).

Ties: of pages with equal scores, the one earlier in the index is first; that order is decided in
``storage.corpus.documents`` (``Corpus.pages``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np
from whoosh import query as wq
from whoosh.collectors import TopCollector
from whoosh.matching import (
    AndMaybeMatcher,
    AndNotMatcher,
    IntersectionMatcher,
    InverseMatcher,
    UnionMatcher,
)

from pagetrail.storage.search.array_matches import (
    Matches,
    State,
    all_pages,
    array_begin,
    matches,
)
from pagetrail.storage.search.arrays import Array
from pagetrail.storage.search.phrases import PhraseMatcher, common_pages
from pagetrail.storage.search.postings import ListMatcher, PageList
from pagetrail.storage.search.word_union import AnyWord, WordUnion


class ArrayCollector(TopCollector):  # type: ignore[misc]
    """The engine's ``TopCollector``, reading matches from arrays where possible."""

    matcher: Any

    def count(self) -> int:
        """Number of matching pages, without reading those of array matchers one by one."""
        if self.computes_count():
            return int(self.total)
        # What the engine's ``docs`` of the query lists.
        query = self.q
        while isinstance(query, wq.AndMaybe):
            query = query.a
        return len(self._pages(wq.And(query.subqueries) if type(query) is wq.Require else query))

    def _pages(self, query: Any) -> Array:
        if type(query) is wq.And:
            # In the engine the pages that the parts list by themselves, too.
            return reduce(common_pages, map(self._pages, query.subqueries))
        searcher = self.top_searcher
        matcher = query.matcher(searcher, searcher.boolean_context())
        return all_pages(matcher)

    def matches(self) -> Iterator[int]:
        """The matches one by one, without those that have no effect.

        The loop is that of ``ScoredCollector.matches``.
        """
        words = filter(_counts_jumps, self.matcher.term_matchers())
        jumps = next((word.jumps for word in words), [0])
        look_ahead = _LookAhead(jumps)
        minscore = self.minscore
        matcher = self.matcher
        usequality = self._use_block_quality()
        replacecounter = replaced_at = 0
        is_settled = False
        checkquality = True
        while matcher.is_active():
            if replacecounter == 0 or self.minscore != minscore:
                self.matcher = matcher.replace(minscore or 0)
                is_settled = self.matcher is matcher and self.minscore == minscore
                matcher = self.matcher
                if not matcher.is_active():
                    break
                replaced_at = matcher.id()
                usequality = self._use_block_quality()
                replacecounter = self.replace
                if self.minscore != minscore:
                    checkquality = True
                    minscore = self.minscore
            replacecounter -= 1
            if usequality and checkquality:
                before = look_ahead.jumps[0]
                matcher.skip_to_quality(minscore)
                is_settled = is_settled and before == look_ahead.jumps[0]
                if not matcher.is_active():
                    break
            page = matcher.id()
            yield page
            view = look_ahead.look(matcher, page, minscore)
            if view is None:
                checkquality = matcher.next()
                continue
            window, at = view
            is_settled = is_settled and not look_ahead.is_new
            end = at + 1
            if self.minscore == minscore and len(self.items) == self.limit:
                due = end + replacecounter
                if is_settled:
                    # Until a part of the query ends, ``replace`` changes nothing.
                    wait = window.change_after(replaced_at) - due
                    due += max(0, math.ceil(wait / self.replace)) * self.replace
                end = window.first_of_effect(
                    end, due, self.items[0][0], minscore if usequality else None
                )
            passed = end - at - 1
            if passed > replacecounter:
                # The last ``replace`` on the way is not left out: it drops what has ended.
                passed -= (passed - replacecounter) % self.replace
                replacecounter = passed
            replacecounter -= passed
            self.total += passed
            end = at + 1 + passed
            checkquality = window.crosses[end - 1]
            move(matcher, int(window.pages[end]))


class _LookAhead:
    """The next matches, read again after skipped blocks or a change of the tree."""

    def __init__(self, jumps: list[int]) -> None:
        """``jumps`` counts skipped blocks."""
        self.jumps = jumps
        self.is_new = True
        self._matcher: Any = None
        self._begin = math.inf
        self._words: list[WordUnion] = []
        self._limit = math.inf
        self._jumps = jumps[0]
        self._matches: Matches | None = None

    def look(self, matcher: Any, page: int, minscore: float) -> tuple[Matches, int] | None:
        """The matches and the index of ``page`` among them, if another match follows."""
        if matcher is not self._matcher or self._jumps != self.jumps[0]:
            self._matcher, self._jumps = matcher, self.jumps[0]
            self._begin = array_begin(matcher)
            self._matches = None
            self._find_words(matcher, is_renewed=True)
        if page < self._begin:
            return None
        # A ``WordUnion`` may have become a ``UnionMatcher`` since (``WordUnion._hand_over``).
        has_grown = any(
            type(words) is not WordUnion or words.expects_more(minscore) for words in self._words
        )
        self.is_new = self._matches is None or has_grown or page >= self._limit
        if self._matches is None or self.is_new:
            self._find_words(matcher, is_renewed=False)
            state = State(page, minscore, [])
            following = matches(matcher, state)
            self._limit = min(state.limits, default=math.inf)
            self._matches = following.before(self._limit)
        at = int(np.searchsorted(self._matches.pages, page))
        is_known = at + 1 < len(self._matches.pages) and self._matches.pages[at] == page
        return (self._matches, at) if is_known else None

    def _find_words(self, matcher: Any, *, is_renewed: bool) -> None:
        self._words = [word for word in matcher.term_matchers() if type(word) is WordUnion]
        for words in self._words:
            words.is_renewed = is_renewed


def _counts_jumps(word: Any) -> bool:
    return type(word) in (ListMatcher, AnyWord, WordUnion)


def move(matcher: Any, page: int) -> None:
    """Move a matcher to one of its pages, in the state that repeated ``next`` would give it."""
    if not matcher.is_active() or matcher.id() >= page:
        return
    kind = type(matcher)
    if kind in (ListMatcher, PageList, AnyWord, WordUnion):
        matcher.skip_to(page)
    elif kind is UnionMatcher:
        matcher._id = None
        move(matcher.a, page)
        move(matcher.b, page)
    elif kind is IntersectionMatcher:
        move(matcher.a, page)
        move(matcher.b, page)
        matcher._find_first()
    elif kind is AndNotMatcher:
        move(matcher.a, page)
        if matcher.a.is_active():
            matcher._find_next()
    elif kind is AndMaybeMatcher:
        move(matcher.a, page)
        if matcher.a.is_active() and matcher.b.is_active():
            matcher.b.skip_to(matcher.a.id())
    elif kind is InverseMatcher:
        move(matcher.child, page)
        matcher._id = page
        matcher._find_next()
    else:
        move(matcher.child, page)
        if kind is PhraseMatcher:
            matcher._find_next()

"""The best pages of a query: the engine's own search, without stepping from page to page.

The engine's collector looks at every match. It changes its course at few of them only: where a
page enters the list, where the blocks of postings promise too little and are left out, and where a
part of the query cannot contribute any more. Between these places this collector reads the matches
from arrays. What happens there is the engine's doing, with its own matchers, because leaving out
blocks is part of its ranking: it loses pages that a full search would list.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
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
    is_array_matcher,
    matches,
)
from pagetrail.storage.search.phrases import PhraseMatcher
from pagetrail.storage.search.postings import ListMatcher

_WINDOW = 4096


class ArrayCollector(TopCollector):  # type: ignore[misc]
    """The engine's ``TopCollector``, which reads matches from arrays where it can."""

    matcher: Any

    def matches(self) -> Iterator[int]:
        """The matches one by one, but for those that have no effect.

        The loop is that of ``ScoredCollector.matches``.
        """
        jumps = next((word.jumps for word in self.matcher.term_matchers()), [0])
        ahead = _Ahead(self.subsearcher.doc_count_all(), jumps)
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
                before = ahead.jumps[0]
                matcher.skip_to_quality(minscore)
                is_settled = is_settled and before == ahead.jumps[0]
                if not matcher.is_active():
                    break
            page = matcher.id()
            yield page
            view = ahead.look(matcher, page)
            if view is None:
                checkquality = matcher.next()
                continue
            window, at = view
            is_settled = is_settled and not ahead.is_new
            end = at + 1
            if self.minscore == minscore and len(self.items) == self.limit:
                due = end + replacecounter
                if is_settled:
                    # Until a part has no more matches, ``replace`` changes nothing.
                    wait = window.change_after(replaced_at) - due
                    due += max(0, math.ceil(wait / self.replace)) * self.replace
                end = window.first_of_effect(
                    end, due, self.items[0][0], minscore if usequality else None
                )
            passed = end - at - 1
            self.total += passed
            replacecounter = (replacecounter - passed) % self.replace
            checkquality = window.crosses[end - 1]
            move(matcher, int(window.pages[end]))


class _Ahead:
    """The matches that come next, read again when blocks were left out or the tree has changed."""

    def __init__(self, pages: int, jumps: list[int]) -> None:
        """``pages`` are those of the index; ``jumps`` counts when blocks are left out."""
        self.jumps = jumps
        self.is_new = True
        self._pages = pages
        self._window = pages
        self._matcher: Any = None
        self._is_array = False
        self._high = 0
        self._jumps = jumps[0]

    def look(self, matcher: Any, page: int) -> tuple[Matches, int] | None:
        """The matches, and the place there of a page that has another one behind it."""
        if matcher is not self._matcher:
            self._matcher = matcher
            self._is_array = is_array_matcher(matcher)
            self._high = 0
        if not self._is_array:
            return None
        if self._jumps != self.jumps[0]:
            self._window = _WINDOW
            self._read(matcher, page)
        elif page >= self._high:
            self._window *= 2
            self._read(matcher, page)
        else:
            self.is_new = False
        at = int(np.searchsorted(self._found.pages, page))
        is_known = at + 1 < len(self._found.pages) and self._found.pages[at] == page
        return (self._found, at) if is_known else None

    def _read(self, matcher: Any, page: int) -> None:
        self.is_new = True
        self._jumps = self.jumps[0]
        self._high = page + self._window
        self._found = matches(matcher, page, self._high, is_rest=self._high >= self._pages)


def move(matcher: Any, page: int) -> None:
    """Move a matcher to where its ``next`` would bring it on the way to one of its pages."""
    if not matcher.is_active() or matcher.id() >= page:
        return
    kind = type(matcher)
    if kind is ListMatcher:
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
        matcher._first_b()
    elif kind is InverseMatcher:
        move(matcher.child, page)
        matcher._id = page
        matcher._find_next()
    else:
        move(matcher.child, page)
        if kind is PhraseMatcher:
            matcher._find_next()

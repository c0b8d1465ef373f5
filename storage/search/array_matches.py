"""Computes all matches of a tree of the engine's matchers as arrays instead of page by page.

Why they are the same: as long as each part of a tree is at its first page from the tree's on, the
tree's matches are a function of the page. ``next`` keeps it so, and ``skip_to`` as well, except for
an optional part: if it is skipped, it may wait at an earlier page, where its score is lost until
``replace`` has a reason to make the pair again. ``array_begin`` tells where a tree has no such
part; elsewhere the engine steps.

The order of summation is the engine's: a node adds the scores of its two children, in the engine's
own tree, so that every score has the same bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from whoosh.matching import (
    AndMaybeMatcher,
    AndNotMatcher,
    IntersectionMatcher,
    InverseMatcher,
    NullMatcherClass,
    UnionMatcher,
    WrappingMatcher,
)

from pagetrail.storage.search.arrays import Array
from pagetrail.storage.search.phrases import PhraseMatcher, common_pages
from pagetrail.storage.search.postings import BLOCK, ListMatcher, PageList
from pagetrail.storage.search.word_union import AnyWord, WordUnion

_BINARY = (UnionMatcher, IntersectionMatcher, AndNotMatcher, AndMaybeMatcher)
_PLAIN = (ListMatcher, AnyWord, NullMatcherClass)
_LEAVES = (*_PLAIN, PageList, WordUnion)
_UNKNOWN = -np.inf
_NO_PAGES = np.zeros(0, dtype=np.int32)
_FEW = 5000


class Matches(NamedTuple):
    """A matcher's matches from a page on, one entry per page.

    Attributes:
        pages: in ascending order. int32[n].
        scores: float64[n].
        crosses: whether ``next`` from this page reports the end of a block. bool[n].
        quality: ``block_quality`` at this page, and 0 for the end. It may be lower, down to minus
            infinity where it is unknown. float64[n + 1].
        changes: last pages of parts of the tree. int64[any].
    """

    pages: Array
    scores: Array
    crosses: Array
    quality: Array
    changes: Array

    def change_after(self, page: int) -> int:
        """Index of the first match after the end of a part; n or more if no part ends."""
        later = self.changes[self.changes >= page]
        if not len(later):
            return len(self.pages)
        return int(np.searchsorted(self.pages, later.min(), side="right"))

    def before(self, page: float) -> Matches:
        """The matches before a page."""
        end = int(np.searchsorted(self.pages, page))
        arrays = (self.pages[:end], self.scores[:end], self.crosses[:end])
        return Matches(*arrays, self.quality[: end + 1], self.changes)

    def first_of_effect(
        self, begin: int, due: int, enters_above: float, blocks_below: float | None
    ) -> int:
        """Index of the first match from ``begin`` that changes the collector's state, or the last.

        Args:
            due: index that is due in any case.
            enters_above: a page with a greater score enters the list.
            blocks_below: blocks of at most this quality are skipped.
        """
        end = max(begin, min(due, len(self.pages) - 1))
        is_of_effect = self.scores[begin:end] > enters_above
        if blocks_below is not None:
            is_of_effect |= self.crosses[begin - 1 : end - 1] & (
                self.quality[begin:end] <= blocks_below
            )
        first = int(is_of_effect.argmax()) if len(is_of_effect) else 0
        return begin + first if len(is_of_effect) and is_of_effect[first] else end


_NO_MATCHES = Matches(_NO_PAGES, np.zeros(0), np.zeros(0, dtype=bool), np.zeros(1), _NO_PAGES)


def array_begin(matcher: Any, *, is_bounded: bool = True, is_skipped: bool = False) -> float:
    """Page from which on ``matches`` gives what stepping through a tree of matchers gives.

    Args:
        is_bounded: whether scores count, or the score that ``replace`` is given.
        is_skipped: whether the parent moves it by ``skip_to``.

    Returns:
        0 for the first page, infinity for none.
    """
    kind = type(matcher)
    if kind in _LEAVES:
        return 0
    begin = 0.0
    if kind is AndMaybeMatcher and is_bounded:
        if is_skipped:
            return np.inf
        if matcher.is_active() and matcher.b.is_active() and matcher.b.id() < matcher.a.id():
            # After skipped blocks the second part is behind until ``next``.
            begin = matcher.a.id()
    if kind in (WrappingMatcher, PhraseMatcher, InverseMatcher):
        is_skipped = is_skipped or kind is InverseMatcher
        return array_begin(matcher.child, is_bounded=is_bounded, is_skipped=is_skipped)
    if kind not in _BINARY:
        return np.inf
    is_skipped = is_skipped or kind is IntersectionMatcher
    of_a = array_begin(matcher.a, is_bounded=is_bounded, is_skipped=is_skipped)
    of_b = array_begin(
        matcher.b,
        is_bounded=is_bounded and kind is not AndNotMatcher,
        is_skipped=is_skipped or kind is not UnionMatcher,
    )
    return max(begin, of_a, of_b)


def _may_fail_at_end(matcher: Any, *, is_skipped: bool = False) -> bool:
    """Whether the engine may fail where the first part of a skipped exclusion ends."""
    kind = type(matcher)
    if kind is AndNotMatcher and is_skipped and type(matcher.a) not in _PLAIN:
        return True
    is_skipped = is_skipped or kind in (IntersectionMatcher, InverseMatcher)
    children = matcher.children()
    return any(
        _may_fail_at_end(
            child,
            is_skipped=is_skipped or (child is not children[0] and kind is not UnionMatcher),
        )
        for child in children
    )


def _has_only_unions(matcher: Any) -> bool:
    if type(matcher) is UnionMatcher:
        return _has_only_unions(matcher.a) and _has_only_unions(matcher.b)
    return type(matcher) in _LEAVES


def all_pages(matcher: Any) -> Array:
    """The pages of a new matcher's ``all_ids``.

    As in the engine, an intersection has the common pages of what its parts list by themselves,
    even where they match other pages as parts of it.
    """
    kind = type(matcher)
    if kind is IntersectionMatcher:
        a, b = (all_pages(part) for part in (matcher.a, matcher.b))
        return common_pages(a, b)
    if kind is WrappingMatcher:
        return all_pages(matcher.child)
    if kind is PhraseMatcher:
        return np.asarray(matcher.pages)
    if kind is WordUnion:
        return np.asarray(matcher.merged.pages)
    if array_begin(matcher, is_bounded=False) == 0 and not _may_fail_at_end(matcher):
        return matches(matcher, State(0, 0.0, [])).pages
    return np.fromiter(matcher.all_ids(), dtype=np.int32)


class State(NamedTuple):
    """What the matches of a whole tree depend on besides its matchers.

    Attributes:
        page: the current one.
        minscore: the collector's.
        limits: pages from which on the engine itself has to step, since it reads a part to its end,
            and how this is done has an effect; ``matches`` adds them.
    """

    page: int
    minscore: float
    limits: list[int]


def matches(matcher: Any, state: State, held_page: int | None = None) -> Matches:
    """The matches from the current page on.

    Args:
        held_page: a current page that counts even without the phrase or with the excluded word;
            None for any page.
    """
    kind = type(matcher)
    if kind in _LEAVES:
        return _of_leaf(matcher, state) if matcher.is_active() else _NO_MATCHES
    if kind in _BINARY:
        a = matches(matcher.a, state, held_page)
        if kind is AndMaybeMatcher and held_page is None and matcher.a.is_active():
            # ``next`` moves the second part as well.
            held_page = matcher.a.id()
        b = matches(matcher.b, state, held_page)
        if kind is UnionMatcher:
            return _union(a, b)
        if kind is AndNotMatcher:
            # The engine does not compare its first page.
            part = _and_not(a, b, _is_current_page(matcher, a.pages, held_page))
            if type(matcher.a) not in _PLAIN and matcher.is_active():
                last = int(part.pages[-1]) if len(part.pages) else max(state.page, matcher.id() - 1)
                state.limits.append(last + 1)
        elif kind is IntersectionMatcher:
            part = _intersection(a, b)
        else:
            part = _and_maybe(a, b)
    else:
        if matcher.boost != 1.0:
            # The bound of the parts is not that of the whole.
            state = state._replace(minscore=np.inf)
        part = matches(matcher.child, state, held_page)
        if kind is InverseMatcher:
            part = _inverse(matcher, part, state)
        elif kind is PhraseMatcher:
            # After skipped blocks the engine lists the current page in any case.
            is_kept = _is_current_page(matcher, part.pages, held_page)
            kept_indexes = np.flatnonzero(is_kept | _contains(matcher.pages, part.pages))
            part = part._replace(
                pages=part.pages[kept_indexes],
                scores=part.scores[kept_indexes],
                quality=np.append(part.quality[kept_indexes], 0.0),
                changes=_NO_PAGES,
            )
        else:
            part = _boosted(part, matcher.boost)
        # ``next`` of a wrapper reports nothing.
        part = part._replace(crosses=np.zeros(len(part.pages), dtype=bool))
    quality = np.append(part.quality[:-1], 0.0)
    # The parts are at the next page of the tree: they have changed with the page before.
    match_indexes = np.searchsorted(part.pages, part.changes, side="right") - 1
    changes = np.append(part.pages[match_indexes[match_indexes >= 0]], part.pages[-1:])
    return part._replace(quality=quality, changes=changes)


def _boosted(part: Matches, boost: float) -> Matches:
    return part._replace(
        scores=part.scores * boost,
        quality=part.quality if boost == 1.0 else np.full_like(part.quality, _UNKNOWN),
    )


def _of_leaf(matcher: Any, state: State) -> Matches:
    if type(matcher) is WordUnion:
        pages, scores, crosses, quality = matcher.merged
        begin = int(np.searchsorted(pages, max(state.page, matcher.id())))
        changes = matcher.changes(state.minscore)
        return Matches(pages[begin:], scores[begin:], crosses[begin:], quality[begin:], changes)
    pages = matcher.pages
    begin = int(np.searchsorted(pages, max(state.page, matcher.id())))
    crosses = np.zeros(len(pages) - begin, dtype=bool)
    if type(matcher) is ListMatcher:
        crosses[BLOCK - 1 - begin % BLOCK :: BLOCK] = True
        crosses[-1:] = True
        scores = matcher.postings.scores[begin:]
        quality = matcher.postings.qualities[np.arange(begin, len(pages)) // BLOCK]
    else:
        scores = np.full(len(crosses), matcher.weight())
        quality = np.full(len(crosses), 1.0 if type(matcher) is AnyWord else _UNKNOWN)
    return Matches(pages[begin:], scores, crosses, np.append(quality, 0.0), pages[-1:])


def _union(a: Matches, b: Matches) -> Matches:
    if not len(a.pages) or not len(b.pages):
        return a if len(a.pages) else b
    all_pages = np.concatenate([a.pages, b.pages])
    order = np.argsort(all_pages, kind="stable")
    pages = all_pages[order]
    new = np.ones(len(pages), dtype=bool)
    np.not_equal(pages[1:], pages[:-1], out=new[1:])
    repeated = np.flatnonzero(~new)
    scores = np.concatenate([a.scores, b.scores])[order]
    crosses = np.concatenate([a.crosses, b.crosses])[order]
    scores[repeated - 1] += scores[repeated]
    crosses[repeated - 1] |= crosses[repeated]
    pages = pages[new]
    # Each part waits at its first page from this one on.
    at_a = np.append(_positions(a.pages, pages), len(a.pages))
    at_b = np.append(_positions(b.pages, pages), len(b.pages))
    quality = a.quality[at_a] + b.quality[at_b]
    changes = np.concatenate([a.changes, b.changes])
    return Matches(pages, scores[new], crosses[new], quality, changes)


def _intersection(a: Matches, b: Matches) -> Matches:
    at_a, at_b = _common(a.pages, b.pages)
    quality = np.append(a.quality[at_a] + b.quality[at_b], 0.0)
    changes = np.concatenate([a.changes, b.changes])
    scores = a.scores[at_a] + b.scores[at_b]
    return Matches(a.pages[at_a], scores, a.crosses[at_a], quality, changes)


def _and_not(a: Matches, b: Matches, is_kept: Array) -> Matches:
    kept_indexes = np.flatnonzero(is_kept | ~_contains(b.pages, a.pages))
    # ``next`` also passes over the excluded pages that follow.
    crosses = (
        np.logical_or.reduceat(a.crosses, kept_indexes) if len(kept_indexes) else a.crosses[:0]
    )
    pages, scores = a.pages[kept_indexes], a.scores[kept_indexes]
    quality = np.append(a.quality[kept_indexes], 0.0)
    changes = np.concatenate([a.changes, b.changes])
    return Matches(pages, scores, crosses, quality, changes)


def _and_maybe(a: Matches, b: Matches) -> Matches:
    waits = _positions(b.pages, a.pages)
    is_common = np.append(b.pages, -1)[waits] == a.pages
    scores = a.scores.copy()
    scores[is_common] += b.scores[waits[is_common]]
    quality = a.quality + b.quality[np.append(waits, len(b.pages))]
    return Matches(a.pages, scores, a.crosses, quality, np.concatenate([a.changes, b.changes]))


def _inverse(matcher: Any, child: Matches, state: State) -> Matches:
    begin = max(state.page, matcher.id())
    is_free = np.ones(max(0, matcher.limit - begin), dtype=bool)
    is_free[child.pages[np.searchsorted(child.pages, begin) :] - begin] = False
    pages = (np.flatnonzero(is_free) + begin).astype(np.int32)
    if not _has_only_unions(matcher.child) and matcher.child.is_active():
        # The engine asks an exhausted part for its quality, too.
        end = np.searchsorted(pages, child.pages[-1] if len(child.pages) else matcher.child.id())
        state.limits.append(1 + int(pages[end - 1] if end else state.page))
    crosses = np.zeros(len(pages), dtype=bool)
    quality = np.full(len(pages) + 1, _UNKNOWN)
    weights = np.full(len(pages), matcher.weight())
    return Matches(pages, weights, crosses, quality, child.changes)


def _is_current_page(matcher: Any, pages: Array, held_page: int | None) -> Array:
    """Mask of the matcher's current page, if it counts."""
    if matcher.is_active() and held_page in (None, matcher.id()):
        return np.asarray(pages == matcher.id())
    return np.zeros(len(pages), dtype=bool)


def _positions(pages: Array, targets: Array) -> Array:
    """Index of the first of the sorted pages from each target on, like ``searchsorted``."""
    if len(targets) < _FEW:
        return np.asarray(np.searchsorted(pages, targets))
    limit = 1 + max(int(pages[-1]) if len(pages) else 0, int(targets.max()))
    earlier = np.zeros(limit + 1, dtype=np.int32)
    earlier[pages + 1] = 1
    return np.asarray(np.cumsum(earlier, dtype=np.int32)[targets])


def _contains(sorted_pages: Array, pages: Array) -> Array:
    """Mask of the pages that are in the sorted ones."""
    if not len(sorted_pages):
        return np.zeros(len(pages), dtype=bool)
    indexes = np.minimum(_positions(sorted_pages, pages), len(sorted_pages) - 1)
    return np.asarray(sorted_pages[indexes] == pages)


def _common(a: Array, b: Array) -> tuple[Array, Array]:
    """Indexes of the common pages in each."""
    if len(a) > len(b):
        at_b, at_a = _common(b, a)
        return at_a, at_b
    at_a = np.flatnonzero(_contains(b, a))
    return at_a, _positions(b, a[at_a])

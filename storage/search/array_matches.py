"""Computes all matches of a tree of the engine's matchers as arrays instead of page by page.

The order of summation is the engine's: a node adds the scores of its two children, in the engine's
own tree, so that every score has the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from functools import cached_property
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
_BOTH = 2
_FEW = 5000


class Moves(Enum):
    """How the parent of a matcher moves it.

    A part of ``AndMaybeMatcher`` or of a union then may wait at a page that the other part is not
    at, and lose its score there.
    """

    NEXT = auto()
    """By ``next``."""
    LEAP = auto()
    """By ``next``, and by ``skip_to`` beyond its page, as intersections do."""
    SKIP = auto()
    """By ``skip_to`` with every page of another matcher."""
    MIXED = auto()
    """In another way."""

    def of_parts(self, kind: type) -> tuple[Moves, Moves]:
        """How a binary matcher of this kind moves its parts."""
        if kind is UnionMatcher:
            return (Moves.MIXED, Moves.MIXED) if self is Moves.LEAP else (self, self)
        if kind is IntersectionMatcher:
            is_leap = self in (Moves.NEXT, Moves.LEAP)
            return (Moves.LEAP, Moves.LEAP) if is_leap else (Moves.MIXED, Moves.MIXED)
        if kind is AndNotMatcher and self is Moves.SKIP:
            return Moves.MIXED, Moves.SKIP
        return self, Moves.SKIP


class Matches(NamedTuple):
    """A matcher's matches from a page on, one entry per page.

    Attributes:
        pages: in ascending order. int32[n].
        scores: float64[n].
        crosses: whether ``next`` from this page reports the end of a block. bool[n].
        quality: ``block_quality`` at this page, and 0 for the end. It may be lower, down to minus
            infinity where it is unknown. float64[n + 1].
        changes: last pages of parts of the tree. int64[any].
        late_scores: gives the scores at some indexes after skips to some pages at or before these;
            None where they are ``scores``.
    """

    pages: Array
    scores: Array
    crosses: Array
    quality: Array
    changes: Array
    late_scores: Callable[[Array, Array], Array] | None = None

    def scores_after(self, indexes: Array, targets: Array) -> Array:
        """The scores at some indexes after skips to ``targets``, at or before their pages."""
        late_scores = self.late_scores
        return self.scores[indexes] if late_scores is None else late_scores(indexes, targets)

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


def is_array_matcher(
    matcher: Any, *, is_whole: bool = False, is_scored: bool = True, moves: Moves = Moves.NEXT
) -> bool:
    """Whether ``matches`` gives the same result as stepping through a tree of matchers.

    Args:
        is_whole: whether the ends of parts are read from arrays as well. After skips
            ``AndNotMatcher`` may fail at its end, depending on their distances.
        is_scored: whether scores and bounds have an effect.
    """
    kind = type(matcher)
    if kind is AndMaybeMatcher and is_scored and moves is Moves.MIXED:
        return False
    if kind is AndNotMatcher and is_whole and _may_fail_at_end(matcher, moves):
        return False
    if kind in _BINARY:
        of_a, of_b = moves.of_parts(kind)
        is_b_scored = is_scored and kind is not AndNotMatcher
        return is_array_matcher(
            matcher.a, is_whole=is_whole, is_scored=is_scored, moves=of_a
        ) and is_array_matcher(matcher.b, is_whole=is_whole, is_scored=is_b_scored, moves=of_b)
    if kind is InverseMatcher:
        is_scored, moves = False, Moves.SKIP
    if kind in (InverseMatcher, WrappingMatcher, PhraseMatcher):
        return is_array_matcher(matcher.child, is_whole=is_whole, is_scored=is_scored, moves=moves)
    return kind in _LEAVES


def _may_fail_at_end(matcher: Any, moves: Moves) -> bool:
    """Whether the engine may fail where the first part of a skipped exclusion ends."""
    if moves is Moves.NEXT or type(matcher.a) in _PLAIN:
        return False
    if moves is Moves.SKIP and type(matcher.a) is WordUnion:
        return matcher.a.fails_without(all_pages(matcher.b))
    return True


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
    if is_array_matcher(matcher, is_whole=True, is_scored=False):
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


def matches(
    matcher: Any, state: State, held_page: int | None = None, moves: Moves = Moves.NEXT
) -> Matches:
    """The matches from the current page on.

    Args:
        held_page: a current page that counts even without the phrase or with the excluded word;
            None for any page.
    """
    kind = type(matcher)
    if kind in _LEAVES:
        return _of_leaf(matcher, state) if matcher.is_active() else _NO_MATCHES
    if kind in _BINARY:
        of_a, of_b = moves.of_parts(kind)
        a = matches(matcher.a, state, held_page, of_a)
        if kind is AndMaybeMatcher and held_page is None and matcher.a.is_active():
            # ``next`` moves the second part as well.
            held_page = matcher.a.id()
        b = matches(matcher.b, state, held_page, of_b)
        if kind is UnionMatcher:
            return _union(a, b)
        if kind is AndNotMatcher:
            # The engine does not compare its first page.
            part = _and_not(a, b, _is_current_page(matcher, a.pages, held_page))
            if type(matcher.a) not in _PLAIN and matcher.is_active():
                last = int(part.pages[-1]) if len(part.pages) else max(state.page, matcher.id() - 1)
                state.limits.append(last + 1)
        elif kind is IntersectionMatcher:
            part = _intersection(matcher, a, b)
        else:
            part = _and_maybe(matcher, a, b, moves)
    else:
        if matcher.boost != 1.0:
            # The bound of the parts is not that of the whole.
            state = state._replace(minscore=np.inf)
        part = matches(
            matcher.child, state, held_page, Moves.SKIP if kind is InverseMatcher else moves
        )
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
    if getattr(matcher, "landings", None) is not None:
        # Or with this one, where the last skip was to an earlier page.
        match_indexes = np.append(match_indexes, np.minimum(match_indexes + 1, len(part.pages) - 1))
    changes = np.append(part.pages[match_indexes[match_indexes >= 0]], part.pages[-1:])
    if moves is not Moves.NEXT:
        # Below its page they change with any page that the parent skips to.
        changes = np.append(changes, part.changes)
    return part._replace(quality=quality, changes=changes)


def _boosted(part: Matches, boost: float) -> Matches:
    late_scores = part.late_scores
    return part._replace(
        scores=part.scores * boost,
        quality=part.quality if boost == 1.0 else np.full_like(part.quality, _UNKNOWN),
        late_scores=late_scores and (lambda indexes, pages: late_scores(indexes, pages) * boost),
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

    def late_scores(indexes: Array, targets: Array) -> Array:
        sums = np.zeros(len(indexes))
        for part in (a, b):
            is_match = _contains(part.pages, pages[indexes])
            at = np.searchsorted(part.pages, pages[indexes[is_match]])
            sums[is_match] += part.scores_after(at, targets[is_match])
        return sums

    is_late = a.late_scores or b.late_scores
    return Matches(pages, scores[new], crosses[new], quality, changes, is_late and late_scores)


def _intersection(matcher: Any, a: Matches, b: Matches) -> Matches:
    at_a, at_b = _common(a.pages, b.pages)
    pages = a.pages[at_a]
    quality = np.append(a.quality[at_a] + b.quality[at_b], 0.0)
    changes = np.concatenate([a.changes, b.changes])
    matcher.landings = None
    if not (a.late_scores or b.late_scores):
        scores = a.scores[at_a] + b.scores[at_b]
        return Matches(pages, scores, a.crosses[at_a], quality, changes)
    landings = Landings(a.pages, b.pages, at_a, at_b)

    def late_scores(indexes: Array, arrivals: Array) -> Array:
        of_a, of_b = landings.after(indexes, arrivals)
        return a.scores_after(at_a[indexes], of_a) + b.scores_after(at_b[indexes], of_b)

    of_a, of_b = landings.after_next
    scores = a.scores_after(at_a, of_a) + b.scores_after(at_b, of_b)
    if len(pages) and matcher.is_active() and pages[0] == matcher.id():
        scores[0] = matcher.score()
    matcher.landings = landings
    return Matches(pages, scores, a.crosses[at_a], quality, changes, late_scores)


class Landings:
    """How an intersection gets to the common pages of its two parts.

    In turns, the part that is behind skips to the page of the other one: the one that gets to a
    common page first skipped to the other's page before.

    Attributes:
        pages: the common ones.
    """

    def __init__(self, a: Array, b: Array, at_a: Array, at_b: Array) -> None:
        """``at_a`` and ``at_b`` are the indexes of the common pages."""
        self.pages = a[at_a]
        before_a, before_b = np.append(-1, a), np.append(-1, b)
        last_a, last_b = before_a[at_a], before_b[at_b]
        begin_a, begin_b = _positions(a, last_b + 1), _positions(b, last_a + 1)
        is_b = last_b > last_a
        # Before each common page: the last page, its owner, the first of the owner's pages in a
        # row, and the page of the other one before these.
        self._last = np.maximum(last_a, last_b)
        self._owner = np.where(last_a == last_b, _BOTH, is_b)
        self._begin = np.where(is_b, b[begin_b], a[begin_a])
        other = np.minimum(last_a, last_b)
        is_common = other == np.where(is_b, before_b[begin_b], before_a[begin_a])
        self._other = np.where(is_common, -1, other)

    @cached_property
    def after_next(self) -> tuple[Array, Array]:
        """How each part gets to each common page, where ``next`` was called at the one before."""
        return self.after(np.arange(len(self.pages)), -1 - np.append(-1, self.pages[:-1]))

    def after(self, indexes: Array, arrivals: Array) -> tuple[Array, Array]:
        """How each part gets to the common pages at some indexes.

        Args:
            arrivals: how the intersection gets there.
        """
        pages, owner = self.pages[indexes], self._owner[indexes]
        is_next = arrivals < 0
        least = np.where(is_next, -arrivals, arrivals)
        first_skip = np.where(self._other[indexes] >= least, self._begin[indexes], arrivals)
        is_direct = (owner == _BOTH) | (self._last[indexes] < least)
        of_a = np.where(owner == 1, first_skip, pages)
        of_b = np.where(owner == 0, np.where(is_next, self._begin[indexes], first_skip), pages)
        return (
            np.where(is_direct, arrivals, of_a),
            np.where(is_direct, np.where(is_next, pages, arrivals), of_b),
        )

    def move(self, matcher: Any, page: int, move: Callable[[Any, int], None]) -> None:
        """Move the parts to the first common page from ``page`` on."""
        index = int(np.searchsorted(self.pages, page))
        for part, arrivals in zip((matcher.a, matcher.b), self.after_next, strict=True):
            arrival = int(arrivals[index]) if index < len(arrivals) else page
            if arrival < 0:
                move(part, -1 - arrival)
                part.next()
            elif part.is_active():
                part.skip_to(arrival)


def _and_not(a: Matches, b: Matches, is_kept: Array) -> Matches:
    kept_indexes = np.flatnonzero(is_kept | ~_contains(b.pages, a.pages))
    # ``next`` also passes over the excluded pages that follow.
    crosses = (
        np.logical_or.reduceat(a.crosses, kept_indexes) if len(kept_indexes) else a.crosses[:0]
    )
    pages, scores = a.pages[kept_indexes], a.scores[kept_indexes]
    quality = np.append(a.quality[kept_indexes], 0.0)
    changes = np.concatenate([a.changes, b.changes])

    def late_scores(indexes: Array, arrivals: Array) -> Array:
        in_a = kept_indexes[indexes]
        # From an excluded page it goes on by ``next``.
        previous = np.where(in_a > 0, a.pages[in_a - 1], -1)
        least = np.where(arrivals < 0, -arrivals, arrivals)
        return a.scores_after(in_a, np.where(previous >= least, -1 - previous, arrivals))

    return Matches(pages, scores, crosses, quality, changes, a.late_scores and late_scores)


def _and_maybe(matcher: Any, a: Matches, b: Matches, moves: Moves) -> Matches:
    waits = _positions(b.pages, a.pages)
    is_common = np.append(b.pages, -1)[waits] == a.pages
    scores = a.scores.copy()
    scores[is_common] += b.scores[waits[is_common]]
    changes = np.concatenate([a.changes, b.changes])
    ends = np.append(waits, len(b.pages))
    if moves is Moves.NEXT:
        quality = a.quality + b.quality[ends]
        if len(a.pages) and matcher.b.is_active() and matcher.b.id() < matcher.a.id():
            # After skipped blocks the second part is behind until ``next``.
            scores[0], quality[0] = matcher.score(), _UNKNOWN
        return Matches(a.pages, scores, a.crosses, quality, changes)
    # After a skip the second part may wait at an earlier page than the first one.
    spans = np.column_stack([np.append(0, waits + is_common), ends + 1]).ravel()
    quality = a.quality + np.minimum.reduceat(np.append(b.quality, np.inf), spans)[::2]

    def late_scores(indexes: Array, targets: Array) -> Array:
        sums = a.scores_after(indexes, targets)
        targets = np.where(targets < 0, a.pages[indexes], targets)
        at = _positions(b.pages, targets)
        is_match = np.append(b.pages, -1)[at] == a.pages[indexes]
        sums[is_match] += b.scores_after(at[is_match], targets[is_match])
        return sums

    return Matches(a.pages, scores, a.crosses, quality, changes, late_scores)


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

"""The words of a pattern as one matcher, instead of the engine's tree of unions.

With hundreds of words, each step through that tree takes milliseconds. Here the scores of all pages
are summed at once, in the order of the tree, and bounds change only where a list or block ends.

Why nothing differs from the tree: after ``next`` and after ``skip_to`` alike, each word is at its
first page from the union's on, so that scores and bounds are functions of that page. ``replace``
gives another object exactly where the tree would, if a word has ended since it was last called:
an optional part elsewhere finds its page again only then. Where the engine changes the form of the
tree or skips blocks, its own ``UnionMatcher`` takes over from the top, with the words that have
ended since the last ``replace`` still in it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from math import log
from typing import Any, NamedTuple

import numpy as np
from whoosh.matching import NullMatcher, ReadTooFar, UnionMatcher
from whoosh.scoring import BM25F, bm25

from pagetrail.storage.search.arrays import Array, IndexArrays
from pagetrail.storage.search.postings import BLOCK, LENGTHS, ListMatcher, PageList

_ASSUMED_GROWTH = 1.5  # of what is needed, until the changes are computed again
_NEVER = 127  # height at which words of different pages meet; fits into 8 bits
_WEIGHTING = BM25F()
Score = Callable[[Array, Array, Array], Array]
_ROUNDING = 1e-9  # exceeds the relative error of sums in another order than the engine's


class Merged(NamedTuple):
    """The pages of several words: as in ``Matches``, with lower bounds of the qualities."""

    pages: Array
    scores: Array
    crosses: Array
    quality: Array


class WordPostings:
    """The postings of several words.

    Attributes:
        pages, scores, words: of each posting, by word and page; words are numbered as given.
        offsets: the first posting of each word, and their number.
        crosses: whether a posting is the last of its block.
        lists, blocks: bounds of the scores.
        is_short: whether pages fit into 16 bits.
    """

    def __init__(self, pages: Array, sizes: Array, weights: Array, lengths: Array, score: Score):
        """Score the postings.

        Args:
            pages, weights, lengths: of each posting, by word; lengths as bytes.
            sizes: number of postings of each word.
            score: gives the scores for words, weights and lengths.
        """
        self.offsets = np.append(0, np.cumsum(sizes))
        self.words = np.repeat(np.arange(len(sizes)), sizes)
        self.pages = pages
        self.is_short = bool(pages.max() < 1 << 16)

        def runs(begins: Array) -> _Runs:
            most, least = np.maximum.reduceat(weights, begins), np.minimum.reduceat(lengths, begins)
            return _Runs(self.words, pages, begins, score(self.words[begins], most, least))

        self.scores = score(self.words, weights, lengths)
        is_begin = (np.arange(len(pages)) - self.offsets[self.words]) % BLOCK == 0
        self.crosses = np.append(is_begin[1:], True)
        self.lists, self.blocks = runs(self.offsets[:-1]), runs(np.flatnonzero(is_begin))

    @classmethod
    def of_text(
        cls, terms: Sequence[int], arrays: IndexArrays, length_bytes: Array
    ) -> WordPostings:
        """Those of words of the text, by their indexes in the arrays."""
        begins = arrays.first[np.asarray(terms)]
        sizes = arrays.first[np.asarray(terms) + 1] - begins
        offsets = np.cumsum(sizes) - sizes
        postings = np.arange(sizes.sum()) + np.repeat(begins - offsets, sizes)
        pages = arrays.page[postings]
        weights = (arrays.start[postings + 1] - arrays.start[postings]).astype(float)
        page_count = len(length_bytes)
        # As in ``WeightingModel.idf``.
        idf = np.array([log(page_count / (size + 1)) + 1 for size in sizes.tolist()])
        mean_length = int(arrays.length.sum(dtype=np.int64)) / page_count or 1

        def score(words: Array, weights: Array, lengths: Array) -> Array:
            numbers = idf[words], weights, LENGTHS[lengths], mean_length
            return np.asarray(bm25(*numbers, _WEIGHTING.B, _WEIGHTING.K1))

        return cls(pages, sizes, weights, length_bytes[pages], score)

    @classmethod
    def of_field(cls, lists: Sequence[Array]) -> WordPostings:
        """Those of a field without tokens, where each page of a term scores 1."""
        pages = np.concatenate(lists)
        no_lengths = np.zeros(len(pages), dtype=np.uint8)
        sizes = np.array([len(pages) for pages in lists])
        return cls(
            pages, sizes, np.ones(len(pages)), no_lengths, lambda _, weights, _lengths: weights
        )


class WordTree:
    """The engine's tree of unions for some words, with their postings.

    Words are numbered in the order of the tree, nodes after them, each after its two parts.

    Attributes:
        postings: of the words in this order.
        parts: the two parts of each node.
        parents: of each word and node but the root.
        spans: of each word and node: its first word, and the one after its last.
        jumps: as in ``ListMatcher``.
    """

    def __init__(
        self,
        terms: Sequence[int],
        counts: Sequence[int],
        read: Callable[[Sequence[int]], WordPostings],
        open_list: Callable[[int], ListMatcher],
        jumps: list[int],
    ) -> None:
        """Arrange the words.

        Args:
            terms: indexes of the words; at least two.
            counts: number of pages of each.
            read: gives the postings of terms.
            open_list: gives a new matcher for a term.
        """
        self._open_list = open_list
        self.jumps = jumps
        self._arrange(counts)
        self._terms = [terms[word] for word in self._order]
        self.postings = read(self._terms)
        self._last_pages: list[int] = self.postings.lists.ends.tolist()
        for a, b in self.parts:
            self._last_pages.append(max(self._last_pages[a], self._last_pages[b]))

    @property
    def root(self) -> int:
        """The node of all words."""
        return len(self.spans) - 1

    def _arrange(self, counts: Sequence[int]) -> None:
        """Join the two parts with the fewest postings until one is left, like the engine."""
        words = deque(sorted(range(len(counts)), key=counts.__getitem__))
        nodes: deque[int] = deque()
        sizes = list(counts)
        joined: list[tuple[int, int]] = []

        def least() -> int:
            is_word = not nodes or (words and sizes[words[0]] <= sizes[nodes[0]])
            return (words if is_word else nodes).popleft()

        while len(words) + len(nodes) > 1:
            joined.append((least(), least()))
            nodes.append(len(sizes))
            sizes.append(sum(sizes[part] for part in joined[-1]))
        self._order: list[int] = []
        numbers, spans = list(range(len(sizes))), [(0, 0)] * len(sizes)
        paths: list[tuple[int, int]] = []

        def number(node: int, path: int, depth: int) -> None:
            begin = len(self._order)
            if node < len(counts):
                numbers[node] = begin
                self._order.append(node)
                paths.append((path, depth))
            else:
                for side, part in enumerate(joined[node - len(counts)]):
                    number(part, 2 * path + side, depth + 1)
            spans[numbers[node]] = (begin, len(self._order))

        number(len(sizes) - 1, 0, 0)
        deepest = max(depth for _, depth in paths)
        self._paths = np.array([path << (deepest - depth) for path, depth in paths])
        self.spans = spans
        self.parts = [(numbers[a], numbers[b]) for a, b in joined]
        self.parents = [0] * len(sizes)
        for node, parts in enumerate(self.parts, start=len(counts)):
            for part in parts:
                self.parents[part] = node

    def parts_of(self, node: int) -> tuple[int, int] | None:
        """The two parts of a node; None for a word."""
        index = node - len(self._terms)
        return None if index < 0 else self.parts[index]

    def has_ended(self, node: int, page: int) -> bool:
        """Whether a word or node has no page from this one on."""
        return self._last_pages[node] < page

    def last_end(self, node: int, page: int) -> int:
        """Last page of a node's last word that has not ended before ``page``."""
        first, last = self.spans[node]
        words = range(last - 1, first - 1, -1)
        return next((e for w in words if (e := self._last_pages[w]) >= page), -1)

    def matcher(self, node: int, page: int, replaced_at: int) -> Any:
        """A matcher of a word or node, at its first page from ``page`` on.

        Parts that had ended at ``replaced_at`` are left out.
        """
        while (parts := self.parts_of(node)) is not None:
            left = [part for part in parts if not self.has_ended(part, replaced_at)]
            if len(left) != 1:
                return WordUnion(self, node, page, replaced_at)
            (node,) = left
        matcher = self._open_list(self._terms[node])
        matcher.index = int(np.searchsorted(matcher.postings.pages, page))
        return matcher

    @cached_property
    def all(self) -> Merged:
        """All pages of all words."""
        return self.merged(self.root, 0)

    def merged(self, node: int, page: int) -> Merged:
        """The pages of a node from ``page`` on."""
        read = self.postings
        first, last = self.spans[node]
        postings = np.arange(read.offsets[first], read.offsets[last])
        postings = postings[read.pages[postings] >= page]
        # Short numbers are sorted much faster.
        keys = read.pages[postings].astype(np.uint16 if read.is_short else np.int32)
        postings = postings[np.argsort(keys, kind="stable")]
        all_pages = read.pages[postings]
        begins = np.flatnonzero(np.diff(all_pages, prepend=-1))
        pages = all_pages[begins]
        crosses = np.logical_or.reduceat(read.crosses[postings], begins)
        scores = self._sums(all_pages, read.scores[postings], self._paths[read.words[postings]])
        quality = read.blocks.lower_bounds((first, last), pages)
        return Merged(pages, scores, crosses, quality)

    def _sums(self, pages: Array, scores: Array, paths: Array) -> Array:
        """The score of each page, from those of its words in the order of the tree.

        The engine adds the scores of a node's two parts, node by node, and every other order of
        additions may differ in the last bit. So all pages are summed at once in that order: each
        round adds neighbours that meet lower in the tree than either meets its other neighbour,
        and puts their sum in the place of the left one, until each page has a single number. No
        word meets both of its neighbours at the same height, since a node has two parts.

        Args:
            pages, scores, paths: of each posting, by page and word, shape (postings,). ``scores``
                is changed. A path has a bit for each node from the root down, 1 for its second
                part; all have the length of the deepest.

        Returns:
            Shape (pages,).
        """
        # Two words meet at the height of the first bit in which their paths differ, counted from
        # the leaves. frexp gives it exactly below 2**53: for a tree as deep as that, postings
        # would be as many as the 53rd Fibonacci number. heights[i] is before, [i + 1] after i.
        is_same = pages[1:] == pages[:-1]
        same = np.flatnonzero(is_same)
        heights = np.full(len(pages) + 1, _NEVER, dtype=np.int8)
        heights[same + 1] = np.frexp((paths[same] ^ paths[same + 1]).astype(float))[1]
        page_indexes = np.cumsum(np.append(False, ~is_same), dtype=np.int32)
        sums = np.empty(page_indexes[-1] + 1 if len(pages) else 0)
        while len(scores):
            before, after = heights[:-1], heights[1:]
            is_left = np.append((after[:-1] < before[:-1]) & (after[:-1] < after[1:]), False)
            left = np.flatnonzero(is_left)
            scores[left] += scores[left + 1]
            # Postings without a neighbour on their page are done; right ones have been added.
            is_sum = (before == _NEVER) & (after == _NEVER)
            sums[page_indexes[is_sum]] = scores[is_sum]
            is_sum[1:] |= is_left[:-1]
            unsummed = np.flatnonzero(~is_sum)
            scores, page_indexes = scores[unsummed], page_indexes[unsummed]
            heights = heights[np.append(unsummed, len(is_sum))]
        return sums


class _Runs:
    """Lists or blocks of the words of a tree, each with the greatest score that it may have.

    Attributes:
        words, ends, values: word, last page and greatest score of each run, by word and page.
        firsts: the first run of each word, and their number.
    """

    def __init__(self, words: Array, pages: Array, begins: Array, values: Array) -> None:
        """``words`` and ``pages`` are those of all postings, ``begins`` the runs' first ones."""
        self.words = words[begins]
        self.ends = pages[np.append(begins[1:], len(pages)) - 1]
        self.values = values
        self.firsts = np.searchsorted(self.words, np.arange(words[-1] + 2))

    def in_span(self, span: tuple[int, int]) -> tuple[Array, Array, Array]:
        """The ``words``, ``ends`` and ``values`` of the words of a node."""
        runs = slice(*self.firsts[list(span)].tolist())
        return self.words[runs], self.ends[runs], self.values[runs]

    def lower_bounds(self, span: tuple[int, int], pages: Array) -> Array:
        """Just below the sum of the values at each page, and 0 for the end."""
        words, ends, values = self.in_span(span)
        is_first = np.diff(words, prepend=-1) != 0
        begins = np.where(is_first, 0, np.searchsorted(pages, np.roll(ends, 1), side="right"))
        ends = np.searchsorted(pages, ends, side="right")
        size = len(pages) + 1
        sums = np.cumsum(np.bincount(begins, values, size) - np.bincount(ends, values, size))
        sums -= _ROUNDING * float(values.sum())
        sums[-1] = 0.0
        return sums


class _NodeValues:
    """The values of the current runs, summed for each node below one, in the engine's order."""

    def __init__(self, tree: WordTree, node: int, runs: _Runs, page: int) -> None:
        self._tree, self._node = tree, node
        words, ends, values = runs.in_span(tree.spans[node])
        is_left = ends >= page
        words, ends, values = words[is_left], ends[is_left], values[is_left]
        is_first = np.diff(words, prepend=-1) != 0
        self._values = [0.0] * (node + 1)
        for word, value in zip(words[is_first].tolist(), values[is_first].tolist(), strict=True):
            self._values[word] = value
        for inner in range(len(tree.spans) - len(tree.parts), node + 1):
            self._add(inner)
        following = np.append(np.where(is_first[1:], 0.0, values[1:]), 0.0)
        latest_first = np.argsort(ends, kind="stable")[::-1]
        self._ends = [
            (int(ends[run]), int(words[run]), float(following[run])) for run in latest_first
        ]

    def at(self, page: int) -> list[float]:
        """The value of each node at a page; pages are asked for in ascending order."""
        while self._ends and self._ends[-1][0] < page:
            _, node, self._values[node] = self._ends.pop()
            while node != self._node:
                node = self._tree.parents[node]
                self._add(node)
        return self._values

    def _add(self, node: int) -> None:
        a, b = self._tree.parts_of(node) or (node, node)
        self._values[node] = self._values[a] + self._values[b]


class WordUnion(UnionMatcher):  # type: ignore[misc]
    """The engine's union of the words of a node, at their first postings from a page on.

    Attributes:
        replaced_at: page of the engine's last ``replace``, which leaves out what has ended.
        is_renewed: whether ``replace`` gives another matcher where words have ended; False while
            all matches are read from arrays, where that has no effect.
    """

    def __init__(self, tree: WordTree, node: int, page: int = 0, replaced_at: int = 0) -> None:
        self.jumps = tree.jumps
        self._tree, self._node, self._begin = tree, node, page
        self._at = 0
        self._minquality = 0.0
        self.replaced_at = replaced_at
        self.is_renewed = True
        self._assumed = -1.0, -1.0
        self._left: set[int] = set()

    @cached_property
    def merged(self) -> Merged:
        """All its pages from the first one on."""
        if self._begin == 0 and self._node == self._tree.root:
            return self._tree.all
        return self._tree.merged(self._node, self._begin)

    @cached_property
    def _list_values(self) -> _NodeValues:
        return _NodeValues(self._tree, self._node, self._tree.postings.lists, self._page)

    @cached_property
    def _block_values(self) -> _NodeValues:
        return _NodeValues(self._tree, self._node, self._tree.postings.blocks, self._page)

    @cached_property
    def _pages(self) -> Any:
        return memoryview(self.merged.pages.data)

    @property
    def _page(self) -> int:
        page: int = self._pages[self._at]
        return page

    def changes(self, minscore: float) -> Array:
        """Last pages of the words whose end may let ``replace`` change this or other parts.

        While a part can give more than is needed, what its words give does not matter.

        Args:
            minscore: the collector's. They hold until ``expects_more``.
        """
        self._assumed = (
            _ASSUMED_GROWTH * minscore,
            self._minquality + (_ASSUMED_GROWTH - 1) * minscore,
        )
        first, last = self._tree.spans[self._node]
        middle = self._tree.spans[self._parts[0]][1]
        _, ends, values = self._tree.postings.lists.in_span((first, last))
        order = np.argsort(ends)
        left = np.where(order < middle - first, values[order], 0.0)
        right = values[order] - left
        after_left, after_right = (side.sum() - np.cumsum(side) for side in (left, right))
        slack = _ROUNDING * float(values.sum())
        of_all, of_part = self._assumed
        has_effect = np.minimum(after_left, after_right) < of_part + slack
        has_effect |= after_left + after_right < of_all + slack
        has_effect[-1] = True
        return np.asarray(ends[order[int(has_effect.argmax()) :]])

    def expects_more(self, minscore: float) -> bool:
        """Whether more is needed than the last ``changes`` assume."""
        of_all, of_part = self._assumed
        return minscore > of_all or self._minquality > of_part

    @property
    def _parts(self) -> tuple[int, int]:
        parts = self._tree.parts_of(self._node)
        assert parts is not None
        return parts

    def is_active(self) -> bool:
        return self._at < len(self._pages)

    def id(self) -> int:
        if self.is_active():
            return self._page
        # The engine asks the last word, which fails if ``next`` has read it to its end.
        if not len(self._pages) or self._last_end in self._left:
            raise IndexError
        return self._begin

    @property
    def _last_end(self) -> int:
        return self._tree.last_end(self._node, self.replaced_at)

    def score(self) -> float:
        return float(self.merged.scores[self._at])

    def next(self) -> bool:
        """Go to the next page; whether a list is in another block, or has ended."""
        if not self.is_active():
            raise ReadTooFar
        is_crossed = bool(self.merged.crosses[self._at])
        self._left.add(self._page)
        self._at += 1
        return is_crossed

    def skip_to(self, id: int) -> None:
        """Go to the first page from this one on."""
        self._at = bisect_left(self._pages, id, self._at)

    def max_quality(self) -> float:
        return self._list_values.at(self._page)[self._node] if self.is_active() else 0.0

    def block_quality(self) -> float:
        return self._block_values.at(self._page)[self._node] if self.is_active() else 0.0

    def skip_to_quality(self, minquality: float) -> int:
        """Go on like the engine where a block has to be skipped."""
        if not self.is_active():
            raise ReadTooFar
        if self.block_quality() > minquality:
            return 0
        self._hand_over()
        skipped: int = self.skip_to_quality(minquality)
        return skipped

    def replace(self, minquality: float = 0) -> Any:
        """Like the engine's: another matcher if a word has ended since the last call."""
        if not self.is_active():
            return NullMatcher()
        page, values = self._page, self._list_values.at(self._page)
        _, ends, _ = self._tree.postings.lists.in_span(self._tree.spans[self._node])
        has_ended = self.is_renewed and np.any((ends >= self.replaced_at) & (ends < page))
        least = 0.0
        while not least:
            a, b = self._parts
            least = min(values[a], values[b])
            if not least:
                self._node = a if values[a] else b
                if self._tree.parts_of(self._node) is None:
                    return self._tree.matcher(self._node, page, page)
        if minquality > 0 and least <= minquality * (1 + _ROUNDING):
            # What has ended in the parts stays where the engine joins them in another way.
            self._hand_over()
            replaced = self.replace(minquality)
            return copy(self) if replaced is self and has_ended else replaced
        # No part below gives more than the two do.
        self.replaced_at, self._minquality = page, minquality
        return copy(self) if has_ended else self

    def children(self) -> list[Any]:
        return []

    def term_matchers(self) -> Any:
        """Itself, which counts skipped blocks like a word."""
        yield self

    def all_ids(self) -> Any:
        return iter(self.merged.pages[self._at :].tolist())

    def supports_block_quality(self) -> bool:
        return True

    def _hand_over(self) -> None:
        """Become the engine's union of the two parts.

        The object changes its class, since matchers above it in the tree hold a reference to it.
        ``collector._LookAhead`` asks for the type of the unions that it knows because of this.
        """
        # What has ended comes first, since the engine asks the second one of two that have ended.
        parts = sorted(
            self._parts, key=lambda part: not self._tree.has_ended(part, self.replaced_at)
        )
        state = self._page, self.replaced_at
        a, b = (self._tree.matcher(part, *state) for part in parts)
        for part in (a, b):
            if type(part) is WordUnion:
                part.is_renewed = self.is_renewed
        self.__dict__.clear()
        self.__class__ = UnionMatcher
        UnionMatcher.__init__(self, a, b)


class AnyWord(PageList):
    """The engine's matcher for a pattern of many words, which scores 1 on each page.

    The engine reads 2,048 pages at a time. A part with a page has the quality 1, so that all parts
    that are left are skipped, or none.
    """

    def __init__(self, words: WordPostings, page_count: int, jumps: list[int]) -> None:
        super().__init__(np.unique(words.pages), 1.0)
        self.jumps = jumps
        self._page_count = page_count
        self._max_quality = float(words.lists.values.max())

    def id(self) -> int:
        return int(self._ids[self._i]) if self.is_active() else self._page_count

    def skip_to(self, id: int) -> None:
        """Go to the first page from this one on."""
        if self.is_active():
            super().skip_to(id)

    def replace(self, minquality: float = 0) -> AnyWord:
        """Itself, whatever is needed."""
        return self

    def supports_block_quality(self) -> bool:
        return True

    def max_quality(self) -> float:
        return self._max_quality

    def block_quality(self) -> float:
        return float(self.is_active())

    def skip_to_quality(self, minquality: float) -> int:
        """Go to the end, if a page does not score enough."""
        skipped = int(self.block_quality() <= minquality and self.is_active())
        self._i += skipped * len(self._ids)
        self.jumps[0] += skipped
        return skipped

    def term_matchers(self) -> Any:
        """Itself, which counts skipped blocks like a word."""
        yield self

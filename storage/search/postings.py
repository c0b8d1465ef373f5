"""One term's postings, in the blocks that affect the engine's ranking.

The engine skips blocks of postings by their greatest weight and least page length. They are divided
like those of its own writer: 128 postings each, lengths rounded to the bytes of its table. The
parity tests compare the results with those of an index made by the engine's writer.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from whoosh import matching
from whoosh.matching import LeafMatcher, ReadTooFar
from whoosh.reading import TermInfo
from whoosh.util.numeric import byte_to_length

from pagetrail.annotation.errors import QueryRefused
from pagetrail.storage.search.arrays import Array

BLOCK = 128
LENGTHS = np.array([byte_to_length(byte) for byte in range(256)])
"""The page lengths that the engine distinguishes, by their bytes."""


@dataclass
class PostingList:
    """The postings of one term, with the engine's statistics of each block.

    Attributes:
        pages: index of each page. int32[n].
        start: first token of each posting, and the end of the last; None for fields without tokens,
            whose weights are 1. int[n + 1].
        lengths: of each posting's page, as bytes; None without tokens. uint8[n].
        scorer: the engine's for this term; the first one is kept.
    """

    pages: Array
    start: Array | None = None
    lengths: Array | None = None
    scorer: Any = None

    @cached_property
    def weights(self) -> Array:
        """Number of occurrences on each page. float64[n]."""
        return np.ones(len(self.pages)) if self.start is None else np.diff(self.start).astype(float)

    @cached_property
    def _begins(self) -> Array:
        return np.arange(0, len(self.pages), BLOCK)

    @cached_property
    def max_weights(self) -> Array:
        """The greatest weight in each block. float64[blocks]."""
        return np.maximum.reduceat(self.weights, self._begins)

    @cached_property
    def min_lengths(self) -> Array:
        """The least page length in each block, 0 without tokens. int64[blocks]."""
        return self._bounds(np.minimum)

    @cached_property
    def max_lengths(self) -> Array:
        """The greatest page length in each block, 0 without tokens. int64[blocks]."""
        return self._bounds(np.maximum)

    def _bounds(self, kind: np.ufunc) -> Array:
        if self.lengths is None:
            return np.zeros(len(self._begins), dtype=int)
        return np.asarray(LENGTHS[kind.reduceat(self.lengths, self._begins)])

    @cached_property
    def scores(self) -> Array:
        """The engine's score of each posting. float64[n]."""
        if self.lengths is None:
            return self.weights
        return np.asarray(self.scorer._score(self.weights, LENGTHS[self.lengths]))

    @cached_property
    def qualities(self) -> Array:
        """The engine's upper bound of the scores in each block. float64[blocks]."""
        if self.lengths is None:
            return self.max_weights
        return np.asarray(self.scorer._score(self.max_weights, self.min_lengths))

    def info(self) -> TermInfo:
        """The statistics of the whole list."""
        weight = len(self.pages) if self.start is None else self.start[-1] - self.start[0]
        return TermInfo(
            weight=float(np.float32(weight)),
            df=len(self.pages),
            minlength=int(self.min_lengths.min()),
            maxlength=int(self.max_lengths.max()),
            maxweight=float(self.max_weights.max()),
            minid=int(self.pages[0]),
            maxid=int(self.pages[-1]),
        )


class ListMatcher(LeafMatcher):  # type: ignore[misc]
    """The engine's matcher over one posting list.

    Attributes:
        index: of the current posting.
        jumps: number of blocks skipped for their quality, shared by all matchers of an index.
    """

    def __init__(
        self, postings: PostingList, positions: Array, format_: Any, term: Any, jumps: list[int]
    ) -> None:
        self.postings = postings
        self.pages = postings.pages
        self.positions = positions
        self.format = format_
        self.scorer = postings.scorer
        self.jumps = jumps
        self._term = term
        # Views give plain numbers in a third of the time of an array.
        self._pages: Any = memoryview(postings.pages.data)
        self._size = len(postings.pages)
        self.reset()

    def reset(self) -> None:
        """Go to the first posting."""
        self._at_end = False
        self.index = 0

    def is_active(self) -> bool:
        return not self._at_end and self.index < self._size

    def id(self) -> int:
        page: int = self._pages[self.index]
        return page

    def weight(self) -> float:
        return float(self.postings.weights[self.index])

    def score(self) -> float:
        return float(self.postings.scores.item(self.index))

    def next(self) -> bool:
        """Go to the next posting; whether it is in another block, or there is none."""
        self.index += 1
        return self.index % BLOCK == 0 or self.index == self._size

    def skip_to(self, targetid: int) -> None:
        """Go to the first posting at or after a page."""
        if not self.is_active():
            raise ReadTooFar
        begin = self.index
        if targetid > self._pages[begin]:
            end = bisect_left(self._pages, targetid, begin)
            self._at_end = end == self._size
            self.index = begin if self._at_end else end

    def block_quality(self) -> float:
        return float(self.postings.qualities.item(self.index // BLOCK))

    def skip_to_quality(self, minquality: float) -> int:
        """Go to the first block of higher quality; returns the number of skipped blocks."""
        block = self.index // BLOCK
        better = self.postings.qualities[block:] > minquality
        skipped = int(better.argmax())
        if better[skipped]:
            self.index = self.index if skipped == 0 else (block + skipped) * BLOCK
        else:
            skipped = len(better)
            self._at_end = True
        self.jumps[0] += skipped
        return skipped

    def block_min_length(self) -> int:
        return int(self.postings.min_lengths[self.index // BLOCK])

    def block_max_length(self) -> int:
        return int(self.postings.max_lengths[self.index // BLOCK])

    def block_max_weight(self) -> float:
        return float(self.postings.max_weights[self.index // BLOCK])

    def value_as(self, astype: str) -> Any:
        """The current posting's ``positions``, ``frequency`` or ``weight``.

        Raises:
            QueryRefused: the index does not store what the query needs.
        """
        start = self.postings.start
        if astype == "positions" and start is not None:
            return self.positions[start[self.index] : start[self.index + 1]].tolist()
        if astype in ("frequency", "weight"):
            return self.weight()
        raise QueryRefused(f"This index keeps no {astype} of words.", code="query_failed")


class PageList(matching.ListMatcher):  # type: ignore[misc]
    """The engine's list of pages with one weight and no scorer, over an array."""

    _i: int

    def __init__(self, pages: Array, weight: float, term: Any = None) -> None:
        super().__init__(memoryview(pages.data), all_weights=weight, term=term)
        self.pages = pages

    def skip_to(self, id: int) -> None:
        """Go to the first page from this one on."""
        if not self.is_active():
            raise ReadTooFar
        self._i = bisect_left(self._ids, id, self._i)

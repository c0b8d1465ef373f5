"""One term's postings, in the blocks that the engine's ranking depends on.

The engine skips blocks of postings by the greatest weight and the least length in them. They are
cut here as its own writer cuts them: 128 postings each, lengths rounded to the bytes of its table.
The parity tests compare the results with those from an index that the engine's writer made.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

import numpy as np
from whoosh.codec.whoosh3 import W3LeafMatcher
from whoosh.matching import ReadTooFar
from whoosh.reading import TermInfo
from whoosh.util.numeric import byte_to_length

from pagetrail.annotation.errors import QueryRefused
from pagetrail.storage.search.arrays import Array

_BLOCK = 128


@dataclass(frozen=True)
class PostingList:
    """The postings of one term, with what the engine wants to know about each block.

    Attributes:
        pages: place of each page in the index. int32[n].
        start: first token of each posting, and the end of the last; None where no tokens are kept
            and each weight is 1. int[n + 1].
    """

    pages: Array
    start: Array | None
    last_pages: list[int]
    max_weights: list[float]
    min_lengths: list[int]
    max_lengths: list[int]

    @classmethod
    def of(cls, pages: Array, start: Array | None, length_bytes: Array | None) -> PostingList:
        """A list with its blocks; ``length_bytes`` are of all pages of the index."""
        begins = np.arange(0, len(pages), _BLOCK)
        last = np.append(begins[1:], len(pages)) - 1
        max_weights = [1.0] * len(begins)
        shortest = longest = [0] * len(begins)
        if start is not None and length_bytes is not None:
            weights = np.diff(start).astype(np.float64)
            max_weights = np.maximum.reduceat(weights, begins).tolist()
            lengths = length_bytes[pages]
            shortest = np.minimum.reduceat(lengths, begins).tolist()
            longest = np.maximum.reduceat(lengths, begins).tolist()
        return cls(
            pages,
            start,
            pages[last].tolist(),
            max_weights,
            list(map(byte_to_length, shortest)),
            list(map(byte_to_length, longest)),
        )

    def info(self) -> TermInfo:
        """The statistics of the whole list."""
        weight = len(self.pages) if self.start is None else self.start[-1] - self.start[0]
        return TermInfo(
            weight=float(np.float32(weight)),
            df=len(self.pages),
            minlength=min(self.min_lengths),
            maxlength=max(self.max_lengths),
            maxweight=max(self.max_weights),
            minid=int(self.pages[0]),
            maxid=self.last_pages[-1],
        )


class ListMatcher(W3LeafMatcher):  # type: ignore[misc]
    """The engine's matcher over one posting list: its own, but for where blocks come from."""

    _i: int
    _ids: list[int] | None
    _weights: list[float] | None
    _tokens: tuple[list[int], list[int]] | None

    def __init__(
        self, postings: PostingList, positions: Array, format_: Any, term: Any, scorer: Any
    ) -> None:
        self._postings = postings
        self._positions = positions
        self.format = format_
        self.scorer = scorer
        self._term = term
        self._fixedsize = format_.fixed_value_size()
        self.reset()

    def reset(self) -> None:
        """Go to the first posting."""
        self._atend = False
        self._goto(0)

    def _goto(self, position: int) -> None:
        """Go to the start of a block; ``position`` is its number."""
        postings = self._postings
        self._block = position
        self._nextoffset = position + 1
        self._begin = position * _BLOCK
        self._blocklength = min(_BLOCK, len(postings.pages) - self._begin)
        self._lastblock = self._nextoffset == len(postings.last_pages)
        self._maxid = postings.last_pages[position]
        self._maxweight = postings.max_weights[position]
        self._minlength = postings.min_lengths[position]
        self._maxlength = postings.max_lengths[position]
        self._ids = self._weights = self._values = self._tokens = None
        self._i = 0

    def skip_to(self, targetid: int) -> None:
        """Go to the first posting at or after a page, as the engine's own method does."""
        if not self.is_active():
            raise ReadTooFar
        if targetid <= self.id():
            return
        if targetid > self._maxid:
            last_pages = self._postings.last_pages
            block = bisect_left(last_pages, targetid, self._nextoffset)
            if block == len(last_pages):
                self._atend = True
                return
            self._goto(block)
        if self._ids is None:
            self._read_ids()
        assert self._ids is not None
        self._i = bisect_left(self._ids, targetid, self._i)

    def whole_list(self) -> Array:
        """The pages of all postings."""
        return self._postings.pages

    def value_as(self, astype: str) -> Any:
        """The current posting's ``positions``, ``frequency`` or ``weight``.

        Raises:
            QueryRefused: the index does not keep what the query needs.
        """
        if astype == "positions" and self._postings.start is not None:
            starts, positions = self._tokens = self._tokens or self._read_tokens()
            return positions[starts[self._i] : starts[self._i + 1]]
        if astype in ("frequency", "weight"):
            return self.weight()
        raise QueryRefused(f"This index keeps no {astype} of words.", code="query_failed")

    def _read_ids(self) -> None:
        end = self._begin + self._blocklength
        self._ids = self._postings.pages[self._begin : end].tolist()

    def _read_weights(self) -> None:
        if self._postings.start is None:
            self._weights = [1.0] * self._blocklength
        else:
            starts = self._postings.start[self._begin : self._begin + self._blocklength + 1]
            self._weights = np.diff(starts).astype(np.float64).tolist()

    def _read_tokens(self) -> tuple[list[int], list[int]]:
        assert self._postings.start is not None
        starts = self._postings.start[self._begin : self._begin + self._blocklength + 1].tolist()
        first, end = starts[0], starts[-1]
        return [at - first for at in starts], self._positions[first:end].tolist()

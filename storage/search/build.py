"""Builds an index from the texts, reusing unchanged pages of an older index.

Its content is that of the reference engine's writer for the same pages in the same order: the
tokens of its ``StandardAnalyzer`` with their positions, in one segment.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Iterable
from itertools import compress
from pathlib import Path

import numpy as np
from scipy.sparse import csc_matrix, csr_matrix, vstack
from whoosh.analysis.filters import STOP_WORDS

from pagetrail.storage.search.arrays import Array, IndexArrays
from pagetrail.storage.search.index import (
    PROGRESS_EVERY,
    BuildProgress,
    Identity,
    PageRow,
    storable,
)

_DIGEST_BYTES = 16
_MIN_LETTERS = 2
# Matches the same as the reference's \w+(\.?\w+)*: after \w+ only a dot can follow.
_TOKEN = re.compile(r"\w+(?:\.\w+)*")


class Vocabulary(dict[str, int]):
    """The number of each token's term, or -1 for a stop word.

    Attributes:
        terms: the number of each term, in order of first occurrence.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        super().__init__()
        self.terms = {term: number for number, term in enumerate(terms)}

    def __missing__(self, token: str) -> int:
        term = token.lower()
        number = -1
        if len(term) >= _MIN_LETTERS and term not in STOP_WORDS:
            number = self.terms.setdefault(term, len(self.terms))
        self[token] = number
        return number


class _NewRows:
    """Collects the tokens of pages, one row per page."""

    def __init__(self, terms: Iterable[str]) -> None:
        self.vocabulary = Vocabulary(terms)
        self._tokens = array("i")
        self._lengths: list[int] = []
        self._offsets: list[int] = []

    def add(self, text: str) -> int:
        """Add the next page; returns its row."""
        numbers = list(map(self.vocabulary.__getitem__, _TOKEN.findall(text)))
        term_numbers = [number for number in numbers if number >= 0]
        self._tokens.extend(term_numbers)
        self._lengths.append(len(term_numbers))
        # The reference numbers tokens from the first one that is not a stop word.
        self._offsets.append(numbers.index(term_numbers[0]) if term_numbers else 0)
        return len(self._lengths) - 1

    def matrix(self) -> csr_matrix:
        """Pages × terms, one entry per token with its position."""
        ends = np.concatenate([[0], np.cumsum(self._lengths, dtype=np.int64)])
        positions = np.arange(ends[-1], dtype=np.int32)
        positions -= np.repeat((ends[:-1] - self._offsets).astype(np.int32), self._lengths)
        tokens = np.frombuffer(self._tokens, dtype=np.int32)
        shape = (len(self._lengths), len(self.vocabulary.terms))
        return csr_matrix((positions, tokens, ends), shape=shape)


def build(
    pages: Iterable[PageRow],
    folder: Path,
    progress: BuildProgress | None = None,
    old: IndexArrays | None = None,
) -> tuple[str, int]:
    """Write an index of the pages, in their order, into an empty folder.

    Args:
        old: an index whose pages are reused if their text is the same.

    Returns:
        The identity and the number of pages.
    """
    identity = Identity()
    row_by_digest = {} if old is None else {bytes(key): row for row, key in enumerate(old.digest)}
    fresh = _NewRows([] if old is None else old.terms)
    documents: dict[str, int] = {}
    rows, facts, digests = array("i"), array("i"), bytearray()
    for count, page in enumerate(map(storable, pages), start=1):
        identity.add(page)
        file, number, total, text = page
        digest = hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).digest()
        row = row_by_digest.get(digest)
        if row is None:
            row = row_by_digest[digest] = len(old.length if old else ()) + fresh.add(text)
        rows.append(row)
        digests += digest
        facts.extend((documents.setdefault(file, len(documents)), number, total))
        if progress is not None and count % PROGRESS_EVERY == 0:
            progress(count)
    matrix = fresh.matrix()
    if old is not None:
        matrix = vstack([_rows_of(old, matrix.shape[1]), matrix], format="csr")
    columns = np.frombuffer(facts, dtype=np.int32).reshape(-1, 3)
    arrays = _inverted(
        _select_rows(matrix, np.frombuffer(rows, dtype=np.int32)),
        list(fresh.vocabulary.terms),
        list(documents),
        columns,
        np.frombuffer(bytes(digests), dtype=np.uint8).reshape(-1, _DIGEST_BYTES),
    )
    arrays.save(folder)
    if progress is not None:
        progress(len(rows))
    return identity.hexdigest(), len(rows)


def _select_rows(matrix: csr_matrix, rows: Array) -> csr_matrix:
    return matrix if np.array_equal(rows, np.arange(matrix.shape[0])) else matrix[rows]


def _rows_of(old: IndexArrays, terms: int) -> csr_matrix:
    """The pages of an index as rows, over more terms."""
    pages = np.repeat(old.page, np.diff(old.start))
    ends = np.full(terms + 1, len(pages), dtype=np.int64)
    ends[: len(old.first)] = old.start[old.first]
    shape = (len(old.length), terms)
    return csc_matrix((old.position.astype(np.int32), pages, ends), shape=shape).tocsr()


def _inverted(
    rows: csr_matrix, terms: list[str], documents: list[str], facts: Array, digests: Array
) -> IndexArrays:
    """Turn pages × terms into terms × pages; entries of one page and term keep their order."""
    used = np.bincount(rows.indices, minlength=len(terms)) > 0
    order = np.array(
        sorted(compress(range(len(terms)), used), key=terms.__getitem__), dtype=np.int64
    )
    rank = np.zeros(len(terms), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    shape = (rows.shape[0], len(order))
    columns = csr_matrix((rows.data, rank[rows.indices], rows.indptr), shape=shape).tocsc()
    begins = columns.indptr.astype(np.int64)
    page, position = columns.indices, columns.data
    new = np.ones(len(page), dtype=bool)
    np.not_equal(page[1:], page[:-1], out=new[1:])
    new[begins[:-1]] = True
    start = np.flatnonzero(new)
    longest = int(position.max(initial=0))
    return IndexArrays(
        documents=documents,
        terms=[terms[number] for number in order],
        document=facts[:, 0],
        number=facts[:, 1],
        total=facts[:, 2],
        length=np.diff(rows.indptr).astype(np.int32),
        digest=digests,
        first=np.searchsorted(start, begins),
        page=page[start].astype(np.int32),
        start=np.append(start, len(page)).astype(np.uint32 if len(page) < 1 << 32 else np.int64),
        position=position.astype(np.uint16 if longest < 1 << 16 else np.uint32),
    )

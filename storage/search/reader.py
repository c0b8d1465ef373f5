"""The index for the engine: its own segment reader, over our arrays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from cachetools import LRUCache, cachedmethod
from whoosh.codec.base import FieldCursor, PerDocumentReader, TermsReader
from whoosh.codec.whoosh3 import W3Codec, W3Segment
from whoosh.fields import Schema
from whoosh.reading import EmptyReader, IndexReader, SegmentReader, TermInfo, TermNotFound

from pagetrail.storage.search.arrays import Array, IndexArrays
from pagetrail.storage.search.postings import LENGTHS, ListMatcher, PostingList
from pagetrail.storage.search.word_union import WordPostings

_CACHED_POSTINGS = 4_000_000
_LIST_OVERHEAD = 100  # of a short list, counted in postings
_TEXT = "text"


def open_reader(arrays: IndexArrays, schema: Schema) -> IndexReader:
    """The engine's reader over the arrays."""
    if not len(arrays.length):
        return EmptyReader(schema)
    segment = W3Segment(None, "MAIN", doccount=len(arrays.length))
    return SegmentReader(None, schema, segment, codec=_Codec(arrays, schema))


def vocabulary(arrays: IndexArrays, field: str) -> tuple[list[str], Array]:
    """The words of ``text`` or ``file``, with their numbers of pages."""
    if field == _TEXT:
        return arrays.terms, np.diff(arrays.first)
    counts = np.bincount(arrays.document, minlength=len(arrays.documents))
    order = sorted(range(len(counts)), key=arrays.documents.__getitem__)
    return [arrays.documents[n] for n in order], counts[order]


class _Codec(W3Codec):  # type: ignore[misc]
    """Gives the engine's own segment reader access to the arrays."""

    def __init__(self, arrays: IndexArrays, schema: Schema) -> None:
        super().__init__()
        # The engine rounds lengths up to the next of 256 values.
        lengths = np.minimum(arrays.length, LENGTHS[-1])
        self._length_bytes = np.searchsorted(LENGTHS, lengths).astype(np.uint8)
        self._arrays = arrays
        self._schema = schema

    def terms_reader(self, _storage: Any, _segment: Any) -> ArrayTerms:
        return ArrayTerms(self._arrays, self._schema, self._length_bytes)

    def per_document_reader(self, _storage: Any, _segment: Any) -> _Pages:
        return _Pages(self._arrays, self._length_bytes)


class ArrayTerms(TermsReader):  # type: ignore[misc]
    """The terms of all fields; except for the text they are derived when it opens."""

    def __init__(self, arrays: IndexArrays, schema: Schema, length_bytes: Array) -> None:
        self._arrays = arrays
        self._length_bytes = length_bytes
        self._lists: LRUCache[tuple[str, int], PostingList] = LRUCache(
            _CACHED_POSTINGS, getsizeof=lambda postings: len(postings.pages) + _LIST_OVERHEAD
        )
        self.jumps = [0]
        self._pages: dict[str, list[Array]] = {}
        self._terms: dict[str, list[Any]] = {}
        values: dict[str, tuple[Array, Any]] = {
            "file": (arrays.document, arrays.documents.__getitem__),
            "page_number": (arrays.number, int),
            "total_pages": (arrays.total, int),
        }
        for field, (column, value_of) in values.items():
            pages_by_term = _by_term(
                column, lambda key, get=value_of, f=field: schema[f].index(get(key))
            )
            self._terms[field] = sorted(pages_by_term)
            self._pages[field] = [pages_by_term[term] for term in self._terms[field]]
        if arrays.terms:
            self._terms[_TEXT] = arrays.terms

    def words(self, field: str) -> list[str]:
        """The terms of a text field."""
        return self._terms.get(field, []) if field == _TEXT else []

    def __contains__(self, term: tuple[str, bytes]) -> bool:
        field, text = term
        try:
            self._term_index(field, text)
        except TermNotFound:
            return False
        return True

    def indexed_field_names(self) -> Iterator[str]:
        """The fields that have terms."""
        return iter(self._terms)

    def cursor(self, fieldname: str, fieldobj: Any) -> _Cursor:
        """Walks over the words of a field."""
        return _Cursor(self, fieldname, fieldobj)

    def terms(self) -> Iterator[tuple[str, bytes]]:
        """All terms, by field."""
        for field in sorted(self._terms):
            yield from self.terms_from(field, b"")

    def terms_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[str, bytes]]:
        """The terms of a field at or after a text."""
        terms = self._terms.get(fieldname, [])
        if fieldname == _TEXT:
            begin = bisect_left(terms, prefix.decode("utf-8", "replace"))
            return ((fieldname, terms[n].encode()) for n in range(begin, len(terms)))
        begin = bisect_left(terms, prefix)
        return ((fieldname, terms[n]) for n in range(begin, len(terms)))

    def term_info(self, fieldname: str, text: bytes) -> TermInfo:
        """A term's statistics."""
        return self.postings(fieldname, self._term_index(fieldname, text)).info()

    def doc_frequency(self, fieldname: str, text: bytes) -> int:
        """Number of pages with a term."""
        try:
            index = self._term_index(fieldname, text)
        except TermNotFound:
            return 0
        if fieldname == _TEXT:
            return int(self._arrays.first[index + 1] - self._arrays.first[index])
        return len(self._pages[fieldname][index])

    def matcher(self, fieldname: str, text: bytes, format_: Any, scorer: Any = None) -> ListMatcher:
        """A matcher over a term's postings."""
        postings = self.postings(fieldname, self._term_index(fieldname, text))
        postings.scorer = postings.scorer or scorer
        term = (fieldname, text)
        return ListMatcher(postings, self._arrays.position, format_, term, self.jumps)

    @cachedmethod(lambda self: self._lists)
    def postings(self, fieldname: str, index: int) -> PostingList:
        """The postings of a field's term, by its index among the field's terms."""
        if fieldname != _TEXT:
            return PostingList(self._pages[fieldname][index])
        begin, end = self._arrays.first[index : index + 2].tolist()
        start = self._arrays.start[begin : end + 1]
        pages = self._arrays.page[begin:end]
        return PostingList(pages, start, self._length_bytes[pages])

    def word_postings(self, fieldname: str, indexes: Sequence[int]) -> WordPostings:
        """The postings of several terms of a field at once, by their indexes."""
        if fieldname != _TEXT:
            return WordPostings.of_field([self._pages[fieldname][index] for index in indexes])
        return WordPostings.of_text(indexes, self._arrays, self._length_bytes)

    def close(self) -> None:
        """Nothing to do: the arrays are unmapped with their last reference."""

    def _term_index(self, field: str, text: bytes) -> int:
        terms = self._terms.get(field, [])
        term = text.decode("utf-8", "replace") if field == _TEXT else text
        index = bisect_left(terms, term)
        if index == len(terms) or terms[index] != term:
            raise TermNotFound(f"No term {field}:{text!r}")
        return index


class _Cursor(FieldCursor):  # type: ignore[misc]
    """Walks over the words of a field, for suggestions."""

    def __init__(self, terms: ArrayTerms, field: str, fieldobj: Any) -> None:
        self._words = terms.words(field)
        self._from_bytes = fieldobj.from_bytes
        self.first()

    def first(self) -> str | None:
        self._at = 0
        return self.text()

    def find(self, string: str | bytes) -> str | None:
        word = string.decode() if isinstance(string, bytes) else string
        self._at = bisect_left(self._words, word)
        return self.text()

    def next(self) -> str | None:
        self._at += 1
        return self.text()

    def text(self) -> str | None:
        return self._words[self._at] if self.is_valid() else None

    def is_valid(self) -> bool:
        return self._at < len(self._words)


class _Pages(PerDocumentReader):  # type: ignore[misc]
    """Data of single pages for the engine."""

    def __init__(self, arrays: IndexArrays, length_bytes: Array) -> None:
        self._arrays = arrays
        self._lengths = [length or None for length in LENGTHS[length_bytes].tolist()]
        self._total = int(arrays.length.sum(dtype=np.int64))

    def close(self) -> None:
        """Nothing to do."""

    def doc_count(self) -> int:
        return len(self._lengths)

    def doc_count_all(self) -> int:
        return len(self._lengths)

    def has_deletions(self) -> bool:
        return False

    def is_deleted(self, _docnum: int) -> bool:
        return False

    def deleted_docs(self) -> tuple[int, ...]:
        return ()

    def has_column(self, _fieldname: str) -> bool:
        return False

    def doc_field_length(self, docnum: int, fieldname: str, default: int = 0) -> int | None:
        """Rounded; None for a page without words, as in the engine."""
        return self._lengths[docnum] if fieldname == _TEXT and self._total else default

    def field_length(self, fieldname: str) -> int:
        return self._total if fieldname == _TEXT else 0

    def stored_fields(self, docnum: int) -> dict[str, Any]:
        arrays = self._arrays
        return {
            "file": arrays.documents[arrays.document[docnum]],
            "page_number": int(arrays.number[docnum]),
            "total_pages": int(arrays.total[docnum]),
        }


def _by_term(column: Array, index: Any) -> dict[bytes, Array]:
    """The pages of each term of a field with one value per page."""
    order = np.argsort(column, kind="stable").astype(np.int32)
    values, begins = np.unique(column[order], return_index=True)
    pages_by_term: dict[bytes, list[Array]] = {}
    for value, pages in zip(values.tolist(), np.split(order, begins[1:]), strict=True):
        for term, *_ in index(value):
            pages_by_term.setdefault(term, []).append(pages)
    return {
        term: lists[0] if len(lists) == 1 else np.sort(np.concatenate(lists))
        for term, lists in pages_by_term.items()
    }

"""The files of an index: sorted arrays that search processes share by memory mapping."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_DOCUMENTS, _TERMS = "documents.json", "terms.txt"


@dataclass(frozen=True)
class IndexArrays:
    """An inverted index of N pages with V terms, P postings and T tokens, pages in index order.

    A posting is a page that has a term. Postings are sorted by term and page, tokens by term, page
    and position.

    Attributes:
        documents: names of the documents.
        terms: in code point order, which is the order of their UTF-8 bytes.
        document: of each page, a place in ``documents``. int32[N].
        number: page number, 1-based. int32[N].
        total: pages of its document. int32[N].
        length: tokens of the page, stop words left out. int32[N].
        digest: BLAKE2b of the page's text. uint8[N, 16].
        first: the first posting of each term, and P. int64[V + 1].
        page: of each posting. int32[P].
        start: the first token of each posting, and T. uint32[P + 1], or int64 where T is larger.
        position: of each token on its page. uint16[T], or uint32[T] where a page is that long.
    """

    documents: list[str]
    terms: list[str]
    document: Array
    number: Array
    total: Array
    length: Array
    digest: Array
    first: Array
    page: Array
    start: Array
    position: Array

    def save(self, folder: Path) -> None:
        """Write the files into an empty folder."""
        (folder / _DOCUMENTS).write_text(json.dumps(self.documents), encoding="utf-8")
        # No token has a line break.
        (folder / _TERMS).write_text("\n".join(self.terms), encoding="utf-8", newline="")
        for name in _names():
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> IndexArrays:
        """Map the arrays of a folder into memory, read-only.

        Raises:
            OSError, ValueError: a file is missing or is no array.
        """
        documents = json.loads((folder / _DOCUMENTS).read_text(encoding="utf-8"))
        terms = (folder / _TERMS).read_bytes().decode("utf-8")
        arrays = {name: _map(folder / f"{name}.npy") for name in _names()}
        return cls(documents, terms.split("\n") if terms else [], **arrays)


def _names() -> list[str]:
    return [field.name for field in fields(IndexArrays) if field.name not in ("documents", "terms")]


def _map(path: Path) -> Array:
    try:
        # As a plain array: slices of a memmap are ten times slower to make.
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except ValueError:  # nothing can be mapped from an empty array
        return np.asarray(np.load(path, allow_pickle=False))

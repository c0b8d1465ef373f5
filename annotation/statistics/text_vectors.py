"""Vectors of texts and pages that a model made elsewhere, and their cosines."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

PageKey = tuple[str, int]


@dataclass(frozen=True, eq=False)
class TextVectors:
    """One vector for each text, and for each page.

    Attributes:
        name: of the model; part of every result that it affects.
        vectors: of length 1, shape (n, dimensions).
        texts: text as ``text_key`` gives it → its row.
        pages: (document, page) → its row.
    """

    name: str
    vectors: Vectors
    texts: Mapping[str, int]
    pages: Mapping[PageKey, int]

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        """The cosine of each pair of texts; None where one has no vector."""
        return [self._cosine(*map(self._row_of_text, pair)) for pair in pairs]

    def cosine_to_page(self, text: str, page: PageKey, page_text: str) -> float | None:
        """The cosine of a text and a page; None where one has no vector."""
        return self._cosine(self._row_of_text(text), self._row_of_page(page, page_text))

    def cosine_of_pages(
        self, page: PageKey, page_text: str, other: PageKey, other_text: str
    ) -> float | None:
        """The cosine of two pages; None where one has no vector."""
        return self._cosine(
            self._row_of_page(page, page_text), self._row_of_page(other, other_text)
        )

    def has(self, text: str) -> bool:
        """Whether the text has a vector."""
        return self._row_of_text(text) is not None

    def of_texts(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts that have one, shape (texts, dimensions)."""
        rows: Vectors = self.vectors[[self.texts[text_key(text)] for text in texts]]
        return rows

    def _row_of_text(self, text: str) -> int | None:
        return self.texts.get(text_key(text))

    def _row_of_page(self, page: PageKey, text: str) -> int | None:
        """The page's own vector, or that of its text."""
        row = self.pages.get(page)
        return self._row_of_text(text) if row is None else row

    def _cosine(self, row: int | None, other: int | None) -> float | None:
        if row is None or other is None:
            return None
        if row == other:
            return 1.0
        pair = self.vectors[[row, other]].astype(np.float64)
        return max(-1.0, min(1.0, float(pair[0] @ pair[1])))


def text_key(text: str) -> str:
    """A text as it is looked up: NFKC, with each run of white space as one space."""
    return " ".join(unicodedata.normalize("NFKC", text).split())

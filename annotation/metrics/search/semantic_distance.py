"""Semantic distances: between a question and its gold pages, and among the gold pages.

MADQA, Borchmann et al. 2026, arXiv 2603.12180, appendix H.1. Definitions in docs/metrics.md,
Semantic distance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, Protocol

from pagetrail.annotation.metrics.attribution import Page
from pagetrail.annotation.statistics.text_vectors import TextVectors
from pagetrail.annotation.statistics.tfidf import TfIdf
from pagetrail.annotation.tasks.task import Hop

DISTANCE_BINS: tuple[tuple[float, float], ...] = (
    (0.0, 0.15),
    (0.15, 0.3),
    (0.3, 0.45),
    (0.45, 0.6),
    (0.6, math.inf),
)
"""Of the paper's tables 14 and 15; each holds its lower end."""
GAP_BINS: tuple[tuple[float, float], ...] = ((1, 2), (2, 6), (6, 21), (21, math.inf))
"""Page gaps 1, 2–5, 6–20, and more; ours, since the paper states none."""


class Question(NamedTuple):
    """A question with its gold pages, sorted."""

    text: str
    pages: Sequence[Page]
    hop: Hop


@dataclass(frozen=True)
class Distances:
    """The distances of a question; None where a vector is missing.

    Attributes:
        to_pages: mean of 1 − cosine of the question and each gold page.
        among_pages: mean of 1 − cosine over pairs of gold pages; None with a single page.
        page_gap: mean difference of page numbers over these pairs; None unless all are of one
            document.
    """

    hop: Hop
    to_pages: float | None
    among_pages: float | None
    page_gap: float | None


class PageCosines(Protocol):
    """Cosines of questions and pages."""

    @property
    def name(self) -> str:
        """Of what makes the vectors."""
        ...

    def question_and_page(self, question: str, page: Page) -> float | None:
        """None where one has no vector."""
        ...

    def pages(self, page: Page, other: Page) -> float | None:
        """None where one has no vector."""
        ...


class LexicalCosines:
    """Cosines of TF-IDF vectors, fitted on the questions and pages that are compared."""

    name = TfIdf.name

    def __init__(self, questions: Iterable[str], texts: Mapping[Page, str]) -> None:
        self._texts = texts
        self._by_words = TfIdf([*questions, *texts.values()])

    def question_and_page(self, question: str, page: Page) -> float | None:
        """None where one has no word."""
        return self._cosine(question, self._texts.get(page, ""))

    def pages(self, page: Page, other: Page) -> float | None:
        """None where one has no word."""
        return self._cosine(self._texts.get(page, ""), self._texts.get(other, ""))

    def _cosine(self, text: str, other: str) -> float | None:
        return self._by_words.cosines([(text, other)])[0]


class VectorCosines:
    """Cosines of vectors from elsewhere."""

    def __init__(self, vectors: TextVectors, texts: Mapping[Page, str]) -> None:
        self._vectors = vectors
        self._texts = texts

    @property
    def name(self) -> str:
        """Of the model."""
        return self._vectors.name

    def question_and_page(self, question: str, page: Page) -> float | None:
        """None where one has no vector."""
        return self._vectors.cosine_to_page(question, page, self._texts.get(page, ""))

    def pages(self, page: Page, other: Page) -> float | None:
        """None where one has no vector."""
        texts = self._texts
        return self._vectors.cosine_of_pages(page, texts.get(page, ""), other, texts.get(other, ""))


def distances(question: Question, cosines: PageCosines) -> Distances:
    """The distances of a question."""
    pairs = list(combinations(question.pages, 2))
    is_one_document = len({document for document, _ in question.pages}) == 1
    gaps = [float(abs(page[1] - other[1])) for page, other in pairs] if is_one_document else []
    return Distances(
        question.hop,
        _mean_distance([cosines.question_and_page(question.text, page) for page in question.pages]),
        _mean_distance([cosines.pages(page, other) for page, other in pairs]),
        math.fsum(gaps) / len(gaps) if gaps else None,
    )


def _mean_distance(cosines: Sequence[float | None]) -> float | None:
    """The mean of 1 − cosine; None without pairs, or where one is unknown."""
    known = [cosine for cosine in cosines if cosine is not None]
    if not known or len(known) < len(cosines):
        return None
    # Rounding may give a cosine a little above 1.
    return max(0.0, 1 - math.fsum(known) / len(known))


def bin_of(value: float, bins: Sequence[tuple[float, float]]) -> int | None:
    """The index of the bin that holds the value; None below the first."""
    return next((n for n, (low, high) in enumerate(bins) if low <= value < high), None)

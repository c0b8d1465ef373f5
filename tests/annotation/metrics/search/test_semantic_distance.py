"""Semantic distances and near duplicates."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pagetrail.annotation.metrics.near_duplicates import near_duplicates
from pagetrail.annotation.metrics.search.semantic_distance import (
    DISTANCE_BINS,
    GAP_BINS,
    LexicalCosines,
    Question,
    VectorCosines,
    bin_of,
    distances,
)
from pagetrail.annotation.statistics.text_vectors import TextVectors

A, B, C = ("a.pdf", 1), ("a.pdf", 4), ("b.pdf", 9)


def _vectors(**degrees: float) -> TextVectors:
    """Vectors at these angles; ``a_pdf_1`` names a page, other names a text."""
    unit = np.array(
        [(math.cos(math.radians(x)), math.sin(math.radians(x))) for x in degrees.values()],
        dtype=np.float32,
    )
    pages = {"pA": A, "pB": B, "pC": C}
    return TextVectors(
        "m",
        unit,
        {name: row for row, name in enumerate(degrees) if name not in pages},
        {pages[name]: row for row, name in enumerate(degrees) if name in pages},
    )


def test_distances_of_vectors() -> None:
    """Means over gold pages and over their pairs; the gap is of one document alone."""
    cosines = VectorCosines(_vectors(q=0, pA=0, pB=60, pC=90), {})
    two = distances(Question("q", [A, B], "cross_page"), cosines)
    assert two.to_pages == pytest.approx((0 + 0.5) / 2, abs=1e-6)
    assert (two.among_pages, two.page_gap) == (pytest.approx(0.5, abs=1e-6), 3)
    three = distances(Question("q", [A, B, C], "cross_doc"), cosines)
    expected = (0.5 + 1 + (1 - math.cos(math.radians(30)))) / 3
    assert (three.among_pages, three.page_gap) == (pytest.approx(expected, abs=1e-6), None)
    single = distances(Question("q", [A], "single"), cosines)
    assert (single.to_pages, single.among_pages) == (pytest.approx(0, abs=1e-6), None)


def test_a_missing_vector_leaves_the_distance_open() -> None:
    cosines = VectorCosines(_vectors(q=0, pA=0), {B: "text of b"})
    entry = distances(Question("q", [A, B], "cross_page"), cosines)
    assert (entry.to_pages, entry.among_pages) == (None, None)
    by_text = VectorCosines(_vectors(q=0, pA=0, **{"text of b": 90}), {B: "text of b"})
    assert distances(Question("q", [A, B], "cross_page"), by_text).among_pages == pytest.approx(
        1, abs=1e-6
    )


def test_distances_of_words() -> None:
    """Equal texts are at 0, texts without a shared word at 1."""
    cosines = LexicalCosines(["otters eat"], {A: "otters eat", B: "ships", C: ""})
    assert cosines.name == "tfidf-words"
    assert distances(Question("otters eat", [A], "single"), cosines).to_pages == 0
    assert distances(Question("otters eat", [A, B], "cross_page"), cosines).among_pages == 1
    assert distances(Question("otters eat", [C], "single"), cosines).to_pages is None


def test_bins_hold_their_lower_ends() -> None:
    assert [bin_of(value, DISTANCE_BINS) for value in (0, 0.15, 0.59, 0.6, 1.4)] == [0, 1, 3, 4, 4]
    assert [bin_of(value, GAP_BINS) for value in (0.5, 1, 1.5, 2, 20.5, 21)] == [
        None, 0, 0, 1, 2, 3,
    ]  # fmt: skip


def test_near_duplicates() -> None:
    """Pairs from 0.9 on, the most similar first, each once; others are left out."""
    vectors = _vectors(
        **{"What do otters eat?": 0, "What do  otters eat ?": 5, "Food?": 20, "x": 80}
    )
    questions = {
        "q3": "Food?",
        "q1": "What do otters eat?",
        "q2": "What do  otters eat ?",
        "q4": "x",
        "q5": "unknown",
    }
    vectors = TextVectors(
        "m",
        vectors.vectors,
        {"What do otters eat?": 0, "What do otters eat ?": 1, "Food?": 2, "x": 3},
        {},
    )
    pairs = near_duplicates(questions, vectors)
    assert [(pair.task, pair.other, pair.by_words) for pair in pairs] == [
        ("q1", "q2", True),
        ("q2", "q3", False),
        ("q1", "q3", False),
    ]
    assert pairs[0].cosine == pytest.approx(math.cos(math.radians(5)), abs=1e-6)
    assert near_duplicates({"q1": "unknown"}, vectors) == []

"""Page F1 and Doc F1 over sets."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.attribution import doc_f1, page_f1


def pages(*refs: str) -> list[dict[str, Any]]:
    """``"a1"`` is page 1 of a.pdf."""
    return [{"document": f"{ref[0]}.pdf", "page": int(ref[1:])} for ref in refs]


A1 = pages("a1")
TEN = pages(*(f"a{n}" for n in range(1, 11)))

# Output of MADQA's own evaluator (eval/metrics.py). Per case: precision, recall and F1 of pages,
# then of documents.
Scores = tuple[float, float, float]
MADQA_CASES: list[tuple[str, Any, Any, Scores, Scores]] = [
    ("exact", pages("a1", "b2"), pages("a1", "b2"), (1, 1, 1), (1, 1, 1)),
    (
        "file_wins_over_document",
        [{"file": "x.pdf", "document": "a.pdf", "page": 1}],
        A1,
        (0, 0, 0),
        (0, 0, 0),
    ),
    (
        "empty_file_falls_back",
        [{"file": "", "document": "a.pdf", "page": 1}],
        A1,
        (1, 1, 1),
        (1, 1, 1),
    ),
    (
        "duplicates",
        pages("a1", "a1", "a1", "a1", "a2"),
        pages("a1", "a1"),
        (0.5, 1, 0.6666666666666666),
        (1, 1, 1),
    ),
    ("order_reversed", pages("b2", "a1"), pages("a1", "b2"), (1, 1, 1), (1, 1, 1)),
    ("empty_citations", [], A1, (0, 0, 0), (0, 0, 0)),
    ("none_citations", None, A1, (0, 0, 0), (0, 0, 0)),
    ("page_bool", [{"document": "a.pdf", "page": True}], A1, (1, 1, 1), (1, 1, 1)),
    ("page_missing", [{"document": "a.pdf"}, *A1], A1, (1, 1, 1), (1, 1, 1)),
    ("page_zero", pages("a0"), pages("a0"), (1, 1, 1), (1, 1, 1)),
    ("extra_pages_precision", TEN, pages("a3"), (0.1, 1, 0.18181818181818182), (1, 1, 1)),
    ("case_sensitive_doc", pages("A1"), A1, (0, 0, 0), (0, 0, 0)),
    (
        "multi_doc_partial",
        pages("a1", "c5"),
        pages("a1", "a2", "b3"),
        (0.5, 0.3333333333333333, 0.4),
        (0.5, 0.5, 0.5),
    ),
]


@pytest.mark.parametrize(("name", "cited", "gold", "by_page", "by_document"), MADQA_CASES)
def test_f1_is_the_benchmarks(
    name: str, cited: Any, gold: Any, by_page: Scores, by_document: Scores
) -> None:
    """Precision, recall and F1 of the benchmark's evaluator, to 1e-12."""
    for f1, expected in (
        (page_f1(cited, gold), by_page),
        (doc_f1(cited, gold), by_document),
    ):
        assert (f1.precision, f1.recall, f1.value) == pytest.approx(expected, abs=1e-12)


def test_without_gold_f1_is_undefined() -> None:
    """The evaluator prints 0 with support 0; undefined is what it is."""
    for f1 in (page_f1(A1, []), doc_f1(A1, [])):
        assert (f1.value, f1.precision, f1.recall) == (None, None, None)
        assert f1.reason == "no_gold_evidence"
        assert f1.counts == {"predicted": 1, "gold": 0, "common": 0}


def test_gold_may_name_its_file() -> None:
    """The evaluator overlooks gold with ``file`` and prints 0; it names a page all the same."""
    assert page_f1(A1, [{"file": "a.pdf", "page": 1}]).value == 1


@pytest.mark.parametrize(
    "citation",
    ["a.pdf", None, ("a.pdf",), {"page": 1}, {"document": 3, "page": 1}, ("a.pdf", "1")],
)
def test_what_is_no_page_is_refused(citation: Any) -> None:
    """A typed error that shows the citation, on either side."""
    with pytest.raises(MeasureError, match="is no page of a document"):
        page_f1([citation], A1)
    with pytest.raises(MeasureError, match="is no page of a document"):
        doc_f1(A1, [citation])


REFS = st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(1, 4)), max_size=8)
GOLD = REFS.filter(bool)


@given(REFS, GOLD)
def test_f1_has_its_bounds(cited: list[tuple[str, int]], gold: list[tuple[str, int]]) -> None:
    """F1 is in [0, 1], between precision and recall; right pages are pages of right documents."""
    by_page, by_document = page_f1(cited, gold), doc_f1(cited, gold)
    for f1 in (by_page, by_document):
        assert f1.value is not None and f1.precision is not None
        assert f1.recall is not None
        low, high = sorted((f1.precision, f1.recall))
        assert 0 <= f1.value <= 1
        assert low - 1e-12 <= f1.value <= high + 1e-12
    assert by_page.value is not None
    assert by_page.value == 0 or by_document.value != 0


@given(REFS, GOLD, st.randoms())
def test_neither_order_nor_repetition_matters(
    cited: list[tuple[str, int]], gold: list[tuple[str, int]], random: Any
) -> None:
    """Sets: shuffled and doubled lists give the same result."""
    doubled = cited * 2
    random.shuffle(doubled)
    assert page_f1(doubled, gold[::-1]) == page_f1(cited, gold)
    assert doc_f1(doubled, gold[::-1]) == doc_f1(cited, gold)


@given(GOLD)
def test_the_gold_itself_scores_one(gold: list[tuple[str, int]]) -> None:
    """Identity is 1, of pages and of documents."""
    assert page_f1(gold, gold).value == doc_f1(gold, gold).value == 1

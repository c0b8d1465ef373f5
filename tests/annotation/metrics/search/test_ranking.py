"""nDCG of a first query."""

from __future__ import annotations

from math import log2

import pytest
from pytest import approx

from pagetrail.annotation.metrics.search.ranking import first_query_ndcg, ndcg, ndcg_reason
from pagetrail.annotation.metrics.search.steps import SearchStep
from tests.annotation.metrics.made_rows import make_row


@pytest.mark.parametrize(
    ("ranks", "n_gold", "value"),
    [
        ((1,), 1, 1),
        ((2,), 1, 1 / log2(3)),
        ((1, 2), 2, 1),
        ((1,), 2, 1 / (1 + 1 / log2(3))),
        ((), 3, 0),
        ((11,), 1, 0),
        (tuple(range(1, 11)), 30, 1),
    ],
)
def test_ndcg(ranks: tuple[int, ...], n_gold: int, value: float) -> None:
    """Ranks beyond ten count nothing, and ten gold pages are enough for a perfect ranking."""
    assert ndcg(ranks, n_gold) == approx(value)


def test_only_the_first_query_counts() -> None:
    """And only where its results and gold pages are known."""
    first = SearchStep(1, "a", 3, 3, (("d", 1),), ("d",), (3,))
    second = SearchStep(2, "b", 1, 1, (("d", 1),), ("d",), (1,))
    row = make_row(searches=(first, second), gold_pages=1)
    assert first_query_ndcg(row) == approx(1 / log2(4))
    assert ndcg_reason(make_row(gold_pages=0)) == "no_gold_evidence"
    assert ndcg_reason(make_row(searches=(), gold_pages=1)) == "no_searches"
    unlogged = make_row(searches=(first,), gold_pages=1, results_known=False)
    assert (first_query_ndcg(unlogged), ndcg_reason(unlogged)) == (None, "results_not_logged")

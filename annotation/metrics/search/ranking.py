"""How well a query finds the gold pages: nDCG, precision and recall of its first ten pages.

nDCG of Järvelin & Kekäläinen 2002, with binary gains.
"""

from __future__ import annotations

from math import log2

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.search.retrieval import NO_SEARCHES, NOT_LOGGED

DEPTH = 10
"""Ranks that count, as in ViDoRe V3 (NDCG@10)."""


def ndcg(ranks: tuple[int, ...], n_gold: int) -> float:
    """DCG of gold pages at these ranks divided by that of the best ranking.

    DCG = Σ 1 / log2(rank + 1) over the gold pages among the first ten.

    Args:
        ranks: of the gold pages that were returned, from 1.
        n_gold: number of gold pages, at least 1.
    """
    gained = sum(1 / log2(rank + 1) for rank in ranks if rank <= DEPTH)
    return gained / sum(1 / log2(rank + 1) for rank in range(1, min(n_gold, DEPTH) + 1))


def first_query_ndcg(row: Row) -> float | None:
    """nDCG@10 of an attempt's first query; None where ``ndcg_reason`` says why."""
    if ndcg_reason(row) is not None:
        return None
    return ndcg(row.searches[0].gold_ranks, row.gold_pages)


def first_query_precision(row: Row) -> float | None:
    """Share of gold pages among the first ten of an attempt's first query; 0 without any page."""
    if ndcg_reason(row) is not None:
        return None
    first = row.searches[0]
    shown = min(first.shown, DEPTH)
    return _gold_in_depth(row) / shown if shown else 0.0


def first_query_recall(row: Row) -> float | None:
    """Share of the gold pages that are among the first ten of an attempt's first query."""
    return None if ndcg_reason(row) is not None else _gold_in_depth(row) / row.gold_pages


def _gold_in_depth(row: Row) -> int:
    return sum(rank <= DEPTH for rank in row.searches[0].gold_ranks)


def ndcg_reason(row: Row) -> str | None:
    """Why an attempt has no nDCG; None if it has one."""
    if not row.gold_pages:
        return "no_gold_evidence"
    if not row.searches:
        return NO_SEARCHES
    return None if row.results_known else NOT_LOGGED

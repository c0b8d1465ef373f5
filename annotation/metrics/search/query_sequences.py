"""Sequences of queries within an attempt: how many, and how much they change.

Source: the search behaviour analysis of MADQA, Borchmann et al. 2026, arXiv 2603.12180.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.result import (
    Choice,
    Result,
    Spread,
    weighted_mean_result,
    weighted_spread,
)
from pagetrail.annotation.statistics.tfidf import TfIdf, Vectoriser


@dataclass(frozen=True, kw_only=True)
class Drift(Result):
    """How far a query is from the one before: 1 − cosine; 0 for the same words.

    ``value`` is the weighted mean over attempts of the mean over their pairs of consecutive
    queries, so that one long attempt does not outweigh the others. Undefined: ``no_second_query``.
    """


def queries_per_question(rows: Iterable[Row]) -> Spread:
    """How many queries an attempt ran; an attempt without any counts as 0."""
    return weighted_spread([row.scored(float(len(row.searches))) for row in rows], "no_rows")


def attempt_drifts(rows: Iterable[Row], vectoriser: Vectoriser) -> dict[str, float]:
    """Attempt → the mean drift of its pairs of consecutive queries; without pairs it is not in."""
    all_rows = list(rows)
    by_row, _ = _drifts(all_rows, vectoriser)
    return {
        all_rows[n].attempt: math.fsum(row_drifts) / len(row_drifts)
        for n, row_drifts in by_row.items()
    }


def query_drift(rows: Iterable[Row], vectoriser: Vectoriser | None = None) -> Drift:
    """The drift of the queries of these rows.

    Args:
        vectoriser: TF-IDF fitted on these rows' queries unless given. To compare systems, give
            all of them the same one, fitted on the queries of all.
    """
    all_rows = list(rows)
    by = vectoriser or TfIdf(step.query for row in all_rows for step in row.searches)
    by_row, n_pairs = _drifts(all_rows, by)
    drifts = [drift for row_drifts in by_row.values() for drift in row_drifts]
    choices: dict[str, Choice] = {"vectoriser": by.name}
    over_attempts = weighted_mean_result(
        [
            all_rows[n].scored(math.fsum(row_drifts) / len(row_drifts))
            for n, row_drifts in by_row.items()
        ],
        "no_second_query",
        counts={"pairs": len(drifts), "left_out_no_word": n_pairs - len(drifts)},
        choices=choices,
    )
    return Drift(
        value=over_attempts.value,
        reason=over_attempts.reason,
        counts=over_attempts.counts,
        choices=choices,
    )


def _drifts(rows: Sequence[Row], by: Vectoriser) -> tuple[dict[int, list[float]], int]:
    """Place of a row → the drift of each of its pairs that has one; and the number of all pairs."""
    pairs = [
        (number, (earlier.query, next_.query))
        for number, row in enumerate(rows)
        for earlier, next_ in pairwise(row.searches)
    ]
    drifts: dict[int, list[float]] = {}
    for (number, _), cosine in zip(pairs, by.cosines([pair for _, pair in pairs]), strict=True):
        if cosine is not None:
            drifts.setdefault(number, []).append(1 - cosine)
    return drifts, len(pairs)

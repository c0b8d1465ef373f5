"""What searching brought up: gold found by query n, at the first query, or after a first miss.

Source: the search dynamics of MADQA, Borchmann et al. 2026, arXiv 2603.12180. Found means shown
among the results; what somebody reached by paging through a document was not found by a query.

One gold page, or document, is enough.

All results are weighted shares of attempts that searched at least once, at tasks with gold
evidence, and of which it is known what their searches returned. Undefined: ``no_searches``;
``results_not_logged``, where that is known of no attempt that searched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.result import Choice, Result, weighted_share
from pagetrail.annotation.statistics.attempt_weights import AttemptScores

Level = Literal["page", "document"]

NO_SEARCHES = "no_searches"
NOT_LOGGED = "results_not_logged"
LEFT_OUT = ("no_gold_evidence", "no_search", "results_unknown")


@dataclass(frozen=True, kw_only=True)
class FoundBy(Result):
    """The weighted share of attempts whose first ``query`` queries had found the gold.

    Attributes:
        query: n; an attempt that ran fewer queries stays as it was after its last.
    """

    query: int


def found_by_query(
    rows: Iterable[Row], level: Level = "page", up_to: int | None = None
) -> tuple[FoundBy, ...]:
    """The weighted share of attempts that had found gold by query n, for n = 1, 2, …

    Args:
        level: gold pages, or documents with gold pages.
        up_to: the last n; the largest number of queries of any attempt unless given.

    Returns:
        One point for each n, never falling; none where nobody searched and ``up_to`` is None.
    """
    searched, counts = _searched(rows)
    last = max((len(row.searches) for row in searched), default=0) if up_to is None else up_to
    choices = _choices(level)
    ranks = [_found_at(row, level) for row in searched]
    points = []
    for n in range(1, last + 1):
        point = weighted_share(
            _scores_by(searched, ranks, n),
            _undefined_reason(counts),
            counts=counts,
            choices=choices,
        )
        points.append(FoundBy(query=n, **vars(point)))
    return tuple(points)


def most_queries(rows: Iterable[Row]) -> int:
    """The largest number of queries of an attempt that takes part."""
    return max((len(row.searches) for row in _searched(rows)[0]), default=0)


def first_query_hit(rows: Iterable[Row], level: Level = "page") -> Result:
    """The weighted share of attempts whose first query found the gold."""
    searched, counts = _searched(rows)
    return weighted_share(
        found_scores(searched, level, 1),
        _undefined_reason(counts),
        counts=counts,
        choices=_choices(level),
    )


def recovery_rate(rows: Iterable[Row], level: Level = "page") -> Result:
    """Of the attempts whose first query missed, the share that found the gold by a later one.

    ``counts["gave_up"]`` are those that ran no second query. Undefined also:
    ``no_first_miss``, where every first query hit.
    """
    searched, counts = _searched(rows)
    missed = [row for row in searched if _found_at(row, level) != 1]
    return weighted_share(
        recovery_scores(searched, level),
        "no_first_miss" if searched else _undefined_reason(counts),
        counts={"gave_up": sum(len(row.searches) == 1 for row in missed)} | counts,
        choices=_choices(level),
    )


def found_scores(rows: Iterable[Row], level: Level, n: int) -> AttemptScores:
    """1 for each row whose first n queries found the gold, 0 for each other that takes part."""
    searched, _ = _searched(rows)
    return _scores_by(searched, [_found_at(row, level) for row in searched], n)


def recovery_scores(rows: Iterable[Row], level: Level) -> AttemptScores:
    """1 for each row that a later query found the gold for, 0 where none did.

    Rows whose first query found it have no score.
    """
    ranks = [(row, _found_at(row, level)) for row in _searched(rows)[0]]
    return AttemptScores(
        row.scored(None if rank == 1 else float(rank is not None)) for row, rank in ranks
    )


def _scores_by(searched: Sequence[Row], ranks: Sequence[int | None], n: int) -> AttemptScores:
    return AttemptScores(
        row.scored(float(rank is not None and rank <= n))
        for row, rank in zip(searched, ranks, strict=True)
    )


def _searched(rows: Iterable[Row]) -> tuple[list[Row], dict[str, int]]:
    """The rows that take part, and how many do not, by reason."""
    searched, left = [], Counter[str]()
    for row in rows:
        reason = _left_out(row)
        if reason is None:
            searched.append(row)
        else:
            left[reason] += 1
    return searched, {f"left_out_{name}": left[name] for name in LEFT_OUT}


def _left_out(row: Row) -> str | None:
    """Why a row does not take part; None where it does."""
    if not row.gold_pages:
        return "no_gold_evidence"
    if not row.searches:
        return "no_search"
    return None if row.results_known else "results_unknown"


def _undefined_reason(counts: Mapping[str, int]) -> str:
    """Why there is nothing to count where no row takes part."""
    return NOT_LOGGED if counts["left_out_results_unknown"] else NO_SEARCHES


def _found_at(row: Row, level: Level) -> int | None:
    """The number of the query that had found it; None if none had."""
    for step in row.searches:
        if step.gold_pages if level == "page" else step.gold_documents:
            return step.number
    return None


def _choices(level: Level) -> dict[str, Choice]:
    return {"level": level, "need": "any", "unit": "attempts, weighted"}

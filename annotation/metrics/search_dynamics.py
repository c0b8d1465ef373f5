"""All search dynamics (docs/metrics.md, Search) of one set of rows: a system's, or a campaign's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotation.metrics.budget import (
    TIME_KINDS,
    TimeBucket,
    WithinBudget,
    accuracy_by_budget,
    accuracy_by_time,
    time_spread,
)
from annotation.metrics.queries import Drift, queries_per_question, query_drift
from annotation.metrics.result import Result, Spread
from annotation.metrics.retrieval import (
    FoundBy,
    Level,
    Need,
    first_query_hit,
    found_by_query,
    recovery,
)
from annotation.metrics.rows import DEFAULT_IDLE_CAP_S, Row
from annotation.metrics.tfidf import Vectoriser
from annotation.timing import IDLE_CAPS_S


@dataclass(frozen=True)
class Retrieval:
    """What searching found at one level: gold pages, or gold documents."""

    found_by: tuple[FoundBy, ...]
    first_query_hit: Result
    recovery: Result


@dataclass(frozen=True)
class SearchDynamics:
    """The search dynamics of answerable tasks.

    Attributes:
        attempts: rows that were measured.
        left_out_unanswerable: rows of unanswerable tasks, which are in no figure.
        pages, documents: what searching found.
        queries: queries per question.
        by_budget: accuracy under a budget of N searches.
        by_time: accuracy by time bucket, of active time.
        times: mean and median seconds: ``active_60_s``, ``active_100_s``, ``active_120_s``,
            ``wall_s``, ``submit_s``.
    """

    attempts: int
    left_out_unanswerable: int
    pages: Retrieval
    documents: Retrieval
    queries: Spread
    drift: Drift
    by_budget: tuple[WithinBudget, ...]
    by_time: tuple[TimeBucket, ...]
    times: Mapping[str, Spread]


def search_dynamics(
    rows: Iterable[Row],
    *,
    need: Need = "any",
    idle_cap_s: int = DEFAULT_IDLE_CAP_S,
    vectoriser: Vectoriser | None = None,
) -> SearchDynamics:
    """The search dynamics of a set of rows.

    Args:
        need: whether any of a task's gold is enough to count as found, or all of it.
        idle_cap_s: of the active time that the buckets go by.
        vectoriser: as in ``query_drift``.
    """
    listed = list(rows)
    taken = [row for row in listed if not row.unanswerable]
    times = {f"active_{cap}_s": time_spread(taken, "active_s", cap) for cap in IDLE_CAPS_S}
    times |= {kind: time_spread(taken, kind) for kind in TIME_KINDS if kind != "active_s"}
    return SearchDynamics(
        attempts=len(taken),
        left_out_unanswerable=len(listed) - len(taken),
        pages=_retrieval(taken, "page", need),
        documents=_retrieval(taken, "document", need),
        queries=queries_per_question(taken),
        drift=query_drift(taken, vectoriser),
        by_budget=accuracy_by_budget(taken),
        by_time=accuracy_by_time(taken, "active_s", idle_cap_s),
        times=times,
    )


def _retrieval(rows: list[Row], level: Level, need: Need) -> Retrieval:
    return Retrieval(
        found_by=found_by_query(rows, level, need),
        first_query_hit=first_query_hit(rows, level, need),
        recovery=recovery(rows, level, need),
    )

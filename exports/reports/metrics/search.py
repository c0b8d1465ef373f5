"""Search: what each participant's queries found, and how they change from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.search.query_sequences import queries_per_question, query_drift
from pagetrail.annotation.metrics.search.retrieval import (
    Level,
    first_query_hit,
    found_by_query,
    found_scores,
    most_queries,
    recovery_rate,
    recovery_scores,
)
from pagetrail.annotation.statistics.tfidf import TfIdf, Vectoriser
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.charts.curves import retrieval_chart
from pagetrail.exports.reports.metrics.budget import budget_steps
from pagetrail.exports.reports.metrics.cells import PARTICIPANT, Options, result_cell, share_cell
from pagetrail.exports.reports.metrics.participants import Participant, participant_names
from pagetrail.exports.reports.model import Chart, Column, RowValues, Section, Table

LEVELS: tuple[Level, ...] = ("page", "document")
OMITTED = lazy_gettext("Search is left out: no attempt at an answerable task ran a query.")

COLUMNS = (
    PARTICIPANT,
    Column("attempts", "n", "count", "Attempts that searched, with gold and logged results."),
    Column(
        "queries_mean",
        "Queries, mean",
        "number",
        "Over all attempts, including those without a query.",
    ),
    Column("queries_median", "Queries, median", "number", "Over all attempts."),
    Column("first_page", "First hit, page", "share", "First query shows a gold page."),
    Column("first_document", "First hit, document", "share", "First query shows a gold document."),
    Column(
        "recovery_page",
        "Recovery, page",
        "share",
        "Share of first misses after which a later query shows a gold page.",
    ),
    Column("recovery_document", "Recovery, document", "share", "The same for gold documents."),
    Column("gave_up", "One query only", "count", "First query missed the page, no second was run."),
    Column("drift", "Drift", "score", "1 − cosine of consecutive queries, mean over attempts."),
    Column("no_search", "No search", "count", "Attempts left out: they ran no query."),
    Column("unknown", "Not logged", "count", "Attempts left out: result lists are unknown."),
    Column("no_gold", "No gold", "count", "Attempts left out: the task has no gold evidence."),
)

POINT_COLUMNS = (
    PARTICIPANT,
    Column("query", "By query", "count", "Number of the query within the attempt."),
    Column("attempts", "n", "count", "Attempts that searched, with gold and logged results."),
    Column("page", "Gold page", "share", "Attempts to which a gold page had been shown."),
    Column("document", "Gold document", "share", "The same for gold documents."),
)


def search(
    participants: Sequence[Participant], rows: Sequence[Attempt], options: Options
) -> Section | str:
    """The section of search, or why there is none.

    Args:
        rows: all that is measured; the vectoriser is fitted on its queries.
    """
    if not any(row.searches for participant in participants for row in participant.rows):
        return OMITTED
    queries = [step.query for row in rows for step in row.searches]
    vectoriser = options.vectors or TfIdf(queries)
    table = Table.from_rows(
        key="search",
        title="What searches found",
        question="Does the first query find the evidence, and what happens if it does not?",
        columns=COLUMNS,
        rows=[_search_cells(participant, vectoriser, options) for participant in participants],
        notes=[
            "Shares of attempts, weighted as in the results. Found: at least one gold page (or "
            "document) was among the results. Pages reached by paging through a document do not "
            "count.",
            drift_note(queries, options),
        ],
    )
    return Section("Search", [table, *_by_query(participants)])


def drift_note(queries: Sequence[str], options: Options) -> str:
    """What the drift is computed from, and how many queries have no vector."""
    vectors = options.vectors
    if vectors is None:
        return lazy_gettext(
            "Drift by {name}, fitted on the queries of all participants.", name=TfIdf.name
        )
    return lazy_gettext(
        "Drift by vectors of {name}; {missing:,} of {number:,} queries have none and are left out.",
        name=vectors.name,
        missing=sum(not vectors.has(query) for query in queries),
        number=len(queries),
    )


def _search_cells(participant: Participant, vectoriser: Vectoriser, options: Options) -> RowValues:
    rows = participant.rows
    queries = queries_per_question(rows)
    first = {level: first_query_hit(rows, level) for level in LEVELS}
    later = {level: recovery_rate(rows, level) for level in LEVELS}
    counts = first["page"].counts
    return {
        "side": participant.name,
        "attempts": counts["whole"],
        "queries_mean": result_cell(queries),
        "queries_median": value_cell(queries.median, queries.reason),
        **{
            f"first_{level}": share_cell(first[level], found_scores(rows, level, 1), options)
            for level in LEVELS
        },
        **{
            f"recovery_{level}": share_cell(later[level], recovery_scores(rows, level), options)
            for level in LEVELS
        },
        "gave_up": later["page"].counts["gave_up"],
        "drift": result_cell(query_drift(rows, vectoriser)),
        "no_search": counts["left_out_no_search"],
        "unknown": counts["left_out_results_unknown"],
        "no_gold": counts["left_out_no_gold_evidence"],
    }


def _by_query(participants: Sequence[Participant]) -> list[Table | Chart]:
    last = max((most_queries(participant.rows) for participant in participants), default=0)
    if last == 0:
        return []
    steps = [int(step) for step in budget_steps(last) if 1 <= step <= last]
    steps = steps if last in steps else [*steps, last]
    lines, series = [], {level: dict[str, list[tuple[int, float]]]() for level in LEVELS}
    for participant in participants:
        points = {level: found_by_query(participant.rows, level, up_to=last) for level in LEVELS}
        if points["page"][0].value is None:
            continue
        for level in LEVELS:
            series[level][participant.name] = [
                (n, points[level][n - 1].value or 0.0) for n in steps
            ]
        for n in steps:
            page, document = (points[level][n - 1] for level in LEVELS)
            lines.append(
                {
                    "side": participant.name,
                    "query": n,
                    "attempts": page.counts["whole"],
                    "page": result_cell(page),
                    "document": result_cell(document),
                }
            )
    table = Table.from_rows(
        key="found-by-query",
        title="Found by query",
        question="After how many queries had the gold been shown?",
        columns=POINT_COLUMNS,
        rows=lines,
        notes=["Cumulative; an attempt with fewer queries keeps its state after the last one."],
    )
    return [
        table,
        *(
            retrieval_chart(series[level], level=level, everyone=participant_names(participants))
            for level in LEVELS
        ),
    ]

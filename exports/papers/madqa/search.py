"""MADQA's analysis of trajectories: figures 20 (agreement) and 22 to 25 (search)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.search.query_sequences import attempt_drifts
from pagetrail.annotation.metrics.search.retrieval import Level, found_by_query, found_scores
from pagetrail.annotation.statistics.attempt_weights import weighted_quantile, whole_weights
from pagetrail.annotation.statistics.tfidf import TfIdf
from pagetrail.exports.papers.charts import (
    drift_boxes,
    evidence_by_query,
    kappa_matrix,
    participants_scatter,
    ranked_shares,
)
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reports.metrics.budget import budget_steps
from pagetrail.exports.reports.metrics.cells import (
    ACCURACY,
    PARTICIPANT,
    AttemptMeasure,
    share_cell,
)
from pagetrail.exports.reports.metrics.comparison import comparison
from pagetrail.exports.reports.metrics.interval_notes import interval_words
from pagetrail.exports.reports.metrics.search import LEVELS
from pagetrail.exports.reports.metrics.search import search as search_section
from pagetrail.exports.reports.model import Column, RowValues, Section, Table

_FOUND_NOTE = (
    "Evidence counts as found once a search result shows at least one gold page or, at the level "
    "of documents, a page of a gold document. Attempts without a search, logged results or gold "
    "evidence are left out."
)
_LEVEL_WORDS: dict[Level, str] = {"document": "Document", "page": "Page"}


def kappa(material: Material) -> Figure | str:
    """Figure 20: Cohen's kappa of being right, pair by pair, or why there is none."""
    section = comparison(material.participants, material.options)
    if not isinstance(section, Section):
        return section
    table = next(part for part in section.parts if isinstance(part, Table))
    return Figure(
        replace(
            table,
            key="figure-20",
            title="Pairwise agreement of correctness",
            notes=["Cohen's kappa (Cohen 1960); – marks undefined values.", *table.notes],
        ),
        kappa_matrix,
    )


def found_by_iteration(material: Material) -> Figure | str:
    """Figure 22: evidence found by query n, or why there is none."""
    last = max(
        (len(found_by_query(participant.rows)) for participant in material.participants), default=0
    )
    rows = []
    for level in reversed(LEVELS):
        for participant in material.participants:
            for point in found_by_query(participant.rows, level, up_to=last) if last else ():
                if point.query not in budget_steps(last) or point.value is None:
                    continue
                scores = found_scores(participant.rows, level, point.query)
                rows.append(
                    {
                        "side": participant.name,
                        "level": _LEVEL_WORDS[level],
                        "query": point.query,
                        "n": point.counts["whole"],
                        "found": share_cell(point, scores, material.options),
                        "excluded": len(participant.rows) - point.counts["whole"],
                    }
                )
    if not rows:
        return "no attempt at a task with gold evidence has a search with logged results"
    return Figure(
        Table.from_rows(
            key="figure-22",
            title="Evidence found by query",
            question="How many queries are needed to find the gold evidence?",
            columns=(
                PARTICIPANT,
                Column("level", "Level", "text", "Gold documents or gold pages."),
                Column("query", "Query", "count", "Position of the query within the attempt."),
                Column("n", "n", "count", "Attempts with a search, logged results and gold."),
                Column(
                    "found", "Found", "share", "Weighted share of attempts with gold found so far."
                ),
                Column(
                    "excluded",
                    "Left out",
                    "count",
                    "Attempts without a search, logged results or gold.",
                ),
            ),
            rows=rows,
            notes=[_FOUND_NOTE, interval_words(material.options.resampling)],
        ),
        evidence_by_query,
    )


def recovery(material: Material) -> Figure | str:
    """Figure 23: gold documents found after a first query that missed, or why there is none."""
    table = _search_table(material)
    if table is None:
        return "no attempt has a search"
    rows = [
        {"side": row.cells["side"], "recovery": row.cells["recovery_document"]}
        for row in table.rows
        if row.cells["recovery_document"].value is not None
    ]
    if not rows:
        return "no first query is known to have missed the gold documents"
    rows.sort(key=lambda row: float(row["recovery"].value or 0))
    return Figure(
        Table.from_rows(
            key="figure-23",
            title="Recovery after an unsuccessful first query",
            question="How often does a later query find the gold document?",
            columns=(
                PARTICIPANT,
                Column(
                    "recovery",
                    "Recovery",
                    "share",
                    "Weighted share with gold found by a later query.",
                ),
            ),
            rows=rows,
            notes=["n: attempts whose first query did not find a gold document.", _FOUND_NOTE],
        ),
        ranked_shares("side", "recovery", "Found later (%)"),
    )


def _search_table(material: Material) -> Table | None:
    section = search_section(material.participants, [*material.rows], material.options)
    if not isinstance(section, Section):
        return None
    return next(part for part in section.parts if isinstance(part, Table))


def drift_by_participant(material: Material) -> Figure | str:
    """Figure 24: how far queries are from the ones before them, or why there is none."""
    drifts = _drifts(material)
    groups = {
        participant.name: [row for row in participant.rows if row.attempt in drifts]
        for participant in material.participants
    }
    rows = [
        _spread({"side": participant.name}, groups[participant.name], drifts, len(participant.rows))
        for participant in material.participants
        if groups[participant.name]
    ]
    if not rows:
        return "no attempt has two queries"
    rows.sort(key=lambda row: float(str(row["median"])))
    return Figure(
        Table.from_rows(
            key="figure-24",
            title="Query drift",
            question="How much do consecutive queries differ?",
            columns=(PARTICIPANT, *_SPREAD),
            rows=rows,
            notes=[_drift_note(material), _BOX],
        ),
        drift_boxes(),
    )


def drift_and_success(material: Material) -> list[Figure] | str:
    """Figure 25, left and right: drift of right and wrong attempts; drift against accuracy."""
    drifts = _drifts(material)
    if not drifts:
        return "no attempt has two queries"
    drift = AttemptMeasure(
        Column("drift", "Drift", "score", "Mean over tasks of the mean per attempt."),
        lambda row: drifts[row.attempt],
        lambda row: None,
    )
    rows, means = [], []
    for participant in material.participants:
        reformulated = [row for row in participant.rows if row.attempt in drifts]
        if not reformulated:
            continue
        for word, right in (("Right", True), ("Wrong", False)):
            attempts = [row for row in reformulated if row.correct is right]
            if attempts:
                names = {"side": participant.name, "outcome": word}
                rows.append(_spread(names, attempts, drifts, len(attempts)))
        means.append(
            {
                "side": participant.name,
                "n": len(reformulated),
                "drift": drift.cell(reformulated, material.options),
                "accuracy": ACCURACY.cell(reformulated, material.options),
            }
        )
    return [
        Figure(
            Table.from_rows(
                key="figure-25-left",
                title="Query drift of correct and incorrect attempts",
                question="Does query drift differ between correct and incorrect attempts?",
                columns=(
                    PARTICIPANT,
                    Column("outcome", "Answer", "text", "Correct (Right) or incorrect (Wrong)."),
                    *_SPREAD,
                ),
                rows=rows,
                notes=[_drift_note(material), _BOX],
            ),
            drift_boxes(kind="outcome"),
        ),
        Figure(
            Table.from_rows(
                key="figure-25-right",
                title="Query drift and accuracy",
                question="Is mean query drift associated with accuracy?",
                columns=(
                    PARTICIPANT,
                    Column("n", "n", "count", "Attempts with a second query."),
                    drift.column,
                    Column(
                        "accuracy",
                        "Accuracy",
                        "share",
                        "Accuracy of these attempts, mean over tasks.",
                    ),
                ),
                rows=means,
                notes=[_drift_note(material), interval_words(material.options.resampling)],
            ),
            participants_scatter(
                "drift",
                "accuracy",
                "Mean drift per attempt",
                "Accuracy of attempts with a second query (%)",
                x_is_share=False,
            ),
        ),
    ]


_SPREAD = (
    Column("n", "n", "count", "Attempts with a second query."),
    Column("low", "Lower whisker", "score", "Lowest value within 1.5 IQR of the quartile."),
    Column("q1", "Lower quartile", "score"),
    Column("median", "Median", "score"),
    Column("q3", "Upper quartile", "score"),
    Column("high", "Upper whisker", "score", "Highest value within 1.5 IQR of the quartile."),
    Column("excluded", "Left out", "count", "Attempts without a second query."),
)
_BOX = (
    "Boxes show the median and quartiles; whiskers extend to the most extreme values within 1.5 "
    "interquartile ranges (IQR). Attempts of people are weighted by 1/(annotators per task)."
)


def _drift_note(material: Material) -> str:
    vectors = material.options.vectors
    definition = "Drift: 1 − cosine similarity of consecutive queries, averaged within the attempt."
    if vectors is None:
        return (
            f"{definition} Vectors: {TfIdf.name}. Borchmann et al. (2026) use neural embeddings; "
            "values are not comparable."
        )
    queries = [step.query for row in material.rows for step in row.searches]
    missing = sum(not vectors.has(query) for query in queries)
    return (
        f"{definition} Vectors: {vectors.name}; {missing:,} of {len(queries):,} queries have none "
        "and are left out."
    )


def _drifts(material: Material) -> dict[str, float]:
    rows = material.rows
    queries = (step.query for row in rows for step in row.searches)
    return attempt_drifts(rows, material.options.vectors or TfIdf(queries))


def _spread(
    names: dict[str, str], rows: Sequence[Attempt], drifts: Mapping[str, float], n_attempts: int
) -> RowValues:
    values = [drifts[row.attempt] for row in rows]
    shared, _ = whole_weights([row.unit for row in rows])
    q1, median, q3 = (weighted_quantile(values, shared, Fraction(n, 4)) for n in (1, 2, 3))
    reach = 1.5 * (q3 - q1)
    inside = [value for value in values if q1 - reach <= value <= q3 + reach]
    return {
        **names,
        "n": len(values),
        "low": min(inside, default=q1),
        "q1": q1,
        "median": median,
        "q3": q3,
        "high": max(inside, default=q3),
        "excluded": n_attempts - len(values),
    }

"""The export format ``scores``: one row per submitted attempt, for models and significance tests.

Measures are those of docs/metrics.md; a value that is undefined is empty. ``correct`` is of
answerable tasks alone, so that its mean leaves out unanswerable tasks as reports do; ``recognised``
is of unanswerable tasks: whether the attempt was submitted as such. Both use the rule ``first``;
``exact_match``, ``anls_star`` and ``judgement`` are what the other rules go by.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.cascade import stage_of
from pagetrail.annotation.metrics.search_steps import SearchStep
from pagetrail.annotation.timing.durations import IDLE_CAPS_S
from pagetrail.exports.formats.export_format import COMPARED_WITH_GOLD, Format
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics.input_rows import measured
from pagetrail.exports.writing.file_formats import JsonLines, ParquetRows, save_csv

TABLE = "scores.parquet"
_CSV = "scores.csv"
VERDICTS = "verdicts.jsonl"
"""The imported verdicts that the scores go by, with confidence and rationale."""

_Value = str | bool | int | float | None

SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("campaign", "batch", "task", "attempt", "annotator")),
        ("person", pa.bool_()),
        ("condition", pa.string()),
        ("submitted_at", pa.string()),
        *((name, pa.string()) for name in ("domain", "category", "query_type", "language", "hop")),
        ("unanswerable", pa.bool_()),
        ("outcome", pa.string()),
        ("correct", pa.bool_()),
        ("recognised", pa.bool_()),
        ("decided_by", pa.string()),
        ("score", pa.float64()),
        ("exact_match", pa.bool_()),
        ("anls_star", pa.float64()),
        ("judgement", pa.float64()),
        ("undecided_because", pa.string()),
        *(
            (f"{level}_{measure}", pa.float64())
            for level in ("page", "doc")
            for measure in ("f1", "precision", "recall")
        ),
        *((name, pa.int64()) for name in ("cited", "gold_pages", "gold_documents")),
        ("failure_stage", pa.string()),
        *((name, pa.int64()) for name in ("searches", "look_backs", "tool_steps", "iterations")),
        *((name, pa.int64()) for name in ("first_page_hit", "first_document_hit")),
        *((f"active_s_{cap}", pa.float64()) for cap in IDLE_CAPS_S),
        *((name, pa.float64()) for name in ("wall_s", "submit_s")),
    ]
)


def write_scores(source: Source, folder: Path) -> WrittenFiles:
    """Write every submitted attempt, of people and systems, in the order of the campaign."""
    measured_rows = measured(source, gold="adjudicated" if source.adjudicated else "task")
    account = WrittenFiles(counts={"attempts": len(measured_rows.rows)}, choices={"rule": "first"})
    if source.adjudicated:
        account.choices["gold"] = "adjudicated"
    if source.verdicts is not None:
        account.choices["verdicts"] = source.verdicts
    for entry in measured_rows.left_out:
        for id_ in entry.ids:
            account.leave_out(entry.what, entry.reason, id_)
        account.leave_out(entry.what, entry.reason, n=entry.count - len(entry.ids))
    rows = [
        score_values(
            source.campaign.name,
            measured_rows.batches[row.task],
            measured_rows.conditions.get(row.attempt),
            measured_rows.handed_in[row.attempt],
            row,
        )
        for row in measured_rows.rows
    ]
    with ParquetRows(folder / TABLE, SCHEMA) as table:
        for values in rows:
            table.write(values)
    save_csv(folder / _CSV, SCHEMA.names, [list(values.values()) for values in rows])
    account.rows = {TABLE: len(rows), _CSV: len(rows)}
    if source.verdicts is not None:
        verdicts = source.database.verdicts(source.campaign.id, source.verdicts)
        with JsonLines(folder / VERDICTS) as lines:
            for verdict in verdicts:
                lines.write(verdict._asdict())
        account.rows[VERDICTS] = len(verdicts)
    return account


FORMAT = Format(
    name="scores",
    summary="one row per submitted attempt with its scores, effort and times (Parquet, CSV)",
    purpose="one row per submitted attempt with its scores, effort and times, for mixed models "
    "and significance tests",
    applies_to="any",
    write=write_scores,
    options=frozenset({"verdicts"}),
    gold=COMPARED_WITH_GOLD,
)


def score_values(
    campaign: str, batch: str, condition: str | None, submitted_at: str | None, row: Row
) -> dict[str, _Value]:
    """An attempt's scores by column, in the order of the schema."""
    decided, stage = row.correctness, stage_of(row)
    searches = row.searches if row.results_known else ()
    return {
        "campaign": campaign,
        "batch": batch,
        "task": row.task,
        "attempt": row.attempt,
        "annotator": row.system,
        "person": row.person,
        "condition": condition,
        "submitted_at": submitted_at,
        "domain": row.domain,
        "category": row.category,
        "query_type": row.query_type,
        "language": row.language,
        "hop": row.hop,
        "unanswerable": row.unanswerable,
        "outcome": row.outcome,
        "correct": None if row.unanswerable else decided.correct,
        "recognised": decided.correct if row.unanswerable else None,
        "decided_by": decided.decided_by,
        "score": decided.score,
        "exact_match": decided.exact,
        "anls_star": decided.anls,
        "judgement": decided.judgement,
        "undecided_because": decided.reason,
        "page_f1": row.page_f1.value,
        "page_precision": row.page_f1.precision,
        "page_recall": row.page_f1.recall,
        "doc_f1": row.doc_f1.value,
        "doc_precision": row.doc_f1.precision,
        "doc_recall": row.doc_f1.recall,
        "cited": row.cited,
        "gold_pages": row.gold_pages,
        "gold_documents": row.gold_documents,
        "failure_stage": stage,
        "searches": len(row.searches),
        "look_backs": row.look_backs,
        "tool_steps": row.tool_steps,
        "iterations": row.iterations,
        "first_page_hit": _first(step for step in searches if step.gold_pages),
        "first_document_hit": _first(step for step in searches if step.gold_documents),
        **{f"active_s_{cap}": (row.active_s or {}).get(cap) for cap in IDLE_CAPS_S},
        "wall_s": row.wall_s,
        "submit_s": row.submit_s,
    }


def _first(steps: Iterable[SearchStep]) -> int | None:
    """Number of the first of these searches."""
    return next((step.number for step in steps), None)

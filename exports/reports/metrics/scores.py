"""The export format ``scores``: one row per submitted attempt, for models and significance tests.

Measures are those of docs/metrics.md; a value that is undefined is empty. ``correct`` is of
answerable tasks alone, so that its mean leaves out unanswerable tasks as reports do; ``recognised``
is of unanswerable tasks: whether the attempt was submitted as such. Both use the rule ``first``;
``exact_match``, ``anls_star`` and ``judgement`` are what the other rules go by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from pagetrail.annotation.costs.attempt_cost import AttemptCost
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.cascade import stage_of
from pagetrail.annotation.metrics.search.steps import SearchStep
from pagetrail.annotation.runs.usage import TOKEN_FIELDS
from pagetrail.annotation.timing.durations import IDLE_CAPS_S
from pagetrail.exports.formats.export_format import COMPARED_WITH_GOLD, Format
from pagetrail.exports.gold.gold_checks import gold_choice
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics.input_rows import measure_attempts
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.writing.file_formats import JsonLines, ParquetRows, save_csv
from pagetrail.storage.campaigns.verdict_sets import JUDGE_COLUMNS

TABLE = "scores.parquet"
_CSV = "scores.csv"
VERDICTS = "verdicts.jsonl"
"""The imported verdicts that the scores go by, with confidence and rationale."""

_Value = str | bool | int | float | None


class _ScoredAttempt(NamedTuple):
    """An attempt with its cost."""

    row: MeasuredAttempt
    cost: AttemptCost

    @property
    def searches(self) -> Sequence[SearchStep]:
        """Searches whose results are known."""
        return self.row.searches if self.row.results_known else ()


def _first(steps: Iterable[SearchStep]) -> int | None:
    """Number of the first of these searches."""
    return next((step.number for step in steps), None)


def _active_s(cap: int) -> Callable[[_ScoredAttempt], _Value]:
    return lambda scored: (scored.row.active_s or {}).get(cap)


def _latency_s(row: Row) -> float | None:
    latency_ms = row.usage.latency_ms
    return None if latency_ms is None else latency_ms / 1000


def _tokens(kind: str) -> Callable[[_ScoredAttempt], _Value]:
    return lambda scored: getattr(scored.row.usage, kind)


_TEXT, _FLAG, _COUNT, _NUMBER = pa.string(), pa.bool_(), pa.int64(), pa.float64()

_COLUMNS: dict[str, tuple[pa.DataType, Callable[[_ScoredAttempt], _Value]]] = {
    "campaign": (_TEXT, lambda scored: scored.row.campaign),
    "batch": (_TEXT, lambda scored: scored.row.batch),
    "task": (_TEXT, lambda scored: scored.row.task),
    "attempt": (_TEXT, lambda scored: scored.row.attempt),
    "annotator": (_TEXT, lambda scored: scored.row.system),
    "person": (_FLAG, lambda scored: scored.row.person),
    "condition": (_TEXT, lambda scored: scored.row.condition),
    "submitted_at": (_TEXT, lambda scored: scored.row.submitted_at),
    "domain": (_TEXT, lambda scored: scored.row.domain),
    "category": (_TEXT, lambda scored: scored.row.category),
    "query_type": (_TEXT, lambda scored: scored.row.query_type),
    "language": (_TEXT, lambda scored: scored.row.language),
    "hop": (_TEXT, lambda scored: scored.row.hop),
    "unanswerable": (_FLAG, lambda scored: scored.row.unanswerable),
    "outcome": (_TEXT, lambda scored: scored.row.outcome),
    "correct": (
        _FLAG,
        lambda scored: None if scored.row.unanswerable else scored.row.correctness.correct,
    ),
    "recognised": (
        _FLAG,
        lambda scored: scored.row.correctness.correct if scored.row.unanswerable else None,
    ),
    "decided_by": (_TEXT, lambda scored: scored.row.correctness.decided_by),
    "score": (_NUMBER, lambda scored: scored.row.correctness.score),
    "exact_match": (_FLAG, lambda scored: scored.row.correctness.exact),
    "anls_star": (_NUMBER, lambda scored: scored.row.correctness.anls),
    "judgement": (_NUMBER, lambda scored: scored.row.correctness.judgement),
    "undecided_because": (_TEXT, lambda scored: scored.row.correctness.reason),
    "page_f1": (_NUMBER, lambda scored: scored.row.page_f1.value),
    "page_precision": (_NUMBER, lambda scored: scored.row.page_f1.precision),
    "page_recall": (_NUMBER, lambda scored: scored.row.page_f1.recall),
    "doc_f1": (_NUMBER, lambda scored: scored.row.doc_f1.value),
    "doc_precision": (_NUMBER, lambda scored: scored.row.doc_f1.precision),
    "doc_recall": (_NUMBER, lambda scored: scored.row.doc_f1.recall),
    "cited": (_COUNT, lambda scored: scored.row.cited),
    "gold_pages": (_COUNT, lambda scored: scored.row.gold_pages),
    "gold_documents": (_COUNT, lambda scored: scored.row.gold_documents),
    "failure_stage": (_TEXT, lambda scored: stage_of(scored.row)),
    "searches": (_COUNT, lambda scored: len(scored.row.searches)),
    "look_backs": (_COUNT, lambda scored: scored.row.look_backs),
    "tool_steps": (_COUNT, lambda scored: scored.row.tool_steps),
    "iterations": (_COUNT, lambda scored: scored.row.iterations),
    "first_page_hit": (
        _COUNT,
        lambda scored: _first(step for step in scored.searches if step.gold_pages),
    ),
    "first_document_hit": (
        _COUNT,
        lambda scored: _first(step for step in scored.searches if step.gold_documents),
    ),
    **{f"active_s_{cap}": (_NUMBER, _active_s(cap)) for cap in IDLE_CAPS_S},
    "wall_s": (_NUMBER, lambda scored: scored.row.wall_s),
    "submit_s": (_NUMBER, lambda scored: scored.row.submit_s),
    "latency_s": (_NUMBER, lambda scored: _latency_s(scored.row)),
    **{kind: (_COUNT, _tokens(kind)) for kind in TOKEN_FIELDS},
    "cost": (_NUMBER, lambda scored: scored.cost.amount),
    "currency": (_TEXT, lambda scored: scored.cost.currency),
    "cost_basis": (_TEXT, lambda scored: scored.cost.basis),
    "cost_unknown_because": (_TEXT, lambda scored: scored.cost.reason),
    "confidence": (_NUMBER, lambda scored: scored.row.confidence),
    "without_documents": (_FLAG, lambda scored: scored.row.without_documents),
}
"""The columns in their order: name → type and value."""

SCHEMA = pa.schema([(name, type_) for name, (type_, _) in _COLUMNS.items()])


def write_scores(source: Source, folder: Path) -> WrittenFiles:
    """Write every submitted attempt, of people and systems, in the order of the campaign."""
    measured_rows = measure_attempts(source, gold=gold_choice(source))
    tally = WrittenFiles(counts={"attempts": len(measured_rows.rows)}, choices={"rule": "first"})
    if source.adjudicated or source.checked_gold:
        tally.choices["gold"] = source.checked_gold or "adjudicated"
    if source.verdicts is not None:
        tally.choices["verdicts"] = source.verdicts
    if source.prices is not None:
        tally.choices["prices"] = str(source.prices)
    for entry in measured_rows.left_out:
        for id_ in entry.ids:
            tally.leave_out(entry.what, entry.reason, id_)
        tally.leave_out(entry.what, entry.reason, n=entry.count - len(entry.ids))
    rows = [score_values(attempt, source.prices) for attempt in measured_rows.rows]
    with ParquetRows(folder / TABLE, SCHEMA) as table:
        for values in rows:
            table.write(values)
    save_csv(folder / _CSV, SCHEMA.names, [list(values.values()) for values in rows])
    tally.rows = {TABLE: len(rows), _CSV: len(rows)}
    if source.verdicts is not None:
        verdicts = source.database.verdicts(source.campaign.id, source.verdicts)
        about_judge = _about_judge(source, source.verdicts)
        with JsonLines(folder / VERDICTS) as lines:
            for verdict in verdicts:
                lines.write(verdict._asdict() | about_judge)
        tally.rows[VERDICTS] = len(verdicts)
    return tally


FORMAT = Format(
    name="scores",
    summary="one row per submitted attempt with its scores, effort and times (Parquet, CSV)",
    purpose="one row per submitted attempt with its scores, effort and times, for mixed models "
    "and significance tests",
    applies_to="any",
    write=write_scores,
    options=frozenset({"verdicts", "prices"}),
    gold=COMPARED_WITH_GOLD,
)


def _about_judge(source: Source, name: str) -> dict[str, object]:
    """What is known of a set's judge, in the columns that ``import-verdicts`` reads."""
    sets = source.database.verdict_sets(source.campaign.id)
    info = next(stored.info for stored in sets if stored.name == name)
    values = {column: getattr(info, field) for field, column in JUDGE_COLUMNS.items()}
    return {column: value for column, value in values.items() if value is not None}


def score_values(attempt: MeasuredAttempt, prices: PriceTable | None = None) -> dict[str, _Value]:
    """An attempt's scores by column, in the order of the schema; pay at the default idle cap."""
    scored = _ScoredAttempt(attempt, attempt.cost(prices))
    return {name: value_of(scored) for name, (_, value_of) in _COLUMNS.items()}

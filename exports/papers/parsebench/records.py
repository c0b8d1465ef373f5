"""Rows of a model, such as data points and patches, by people's verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.exports.papers.parsebench.verified import CAMPAIGN, POOLED, Verified, corrected
from pagetrail.exports.papers.ratios import TaskCount, ratio_cell
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.model import Column, RowValues, Table


def records(campaigns: Mapping[str, Verified], options: Options) -> Table:
    """Outcomes of the rows of each table. Arguments as of ``elements``."""
    rows: list[RowValues] = []
    for campaign, verified in campaigns.items():
        for spec in verified.protocol.fields:
            if spec.name in verified.rows:
                rows += _record_rows(campaign, spec, verified.rows[spec.name], options)
    return Table.from_rows(
        "records",
        "Data points and patches verified",
        "How were the rows of the model verified?",
        (
            CAMPAIGN,
            Column("table", "Table", "text"),
            Column("outcome", "Outcome", "text", "Verdict or edit by the annotator."),
            Column("count", "Rows", "count"),
            Column("share", "Share", "share", "Weighted share of the rows of the model."),
        ),
        rows,
        [POOLED, "Rows added by people are counted, but are not in the denominator of shares."],
    )


def _record_rows(
    campaign: str,
    spec: FieldSpec,
    by_task: Mapping[str, Sequence[Sequence[RecordRow]]],
    options: Options,
) -> Iterator[RowValues]:
    verdict = next((column for column in spec.columns if column.kind == "choice"), None)
    name = None if verdict is None else verdict.name
    outcomes = [
        [_row_outcome(row, name) for rows in attempts for row in rows]
        for attempts in by_task.values()
    ]
    sizes = [len(attempts) for attempts in by_task.values()]
    counts = Counter(outcome for task_outcomes in outcomes for outcome in task_outcomes)
    outcome_names = [
        *(verdict.options if verdict else ("kept", "corrected")),
        "deleted",
        "unjudged",
    ]
    for outcome in outcome_names:
        share = [
            TaskCount(
                task_outcomes.count(outcome),
                len(task_outcomes) - task_outcomes.count("added"),
                size,
            )
            for task_outcomes, size in zip(outcomes, sizes, strict=True)
        ]
        yield {
            "campaign": campaign,
            "table": spec.label,
            "outcome": outcome.capitalize(),
            "count": counts[outcome],
            "share": ratio_cell(share, options, "nothing_given"),
        }
    if spec.add_rows:
        yield {
            "campaign": campaign,
            "table": spec.label,
            "outcome": "Added",
            "count": counts["added"],
            "share": None,
        }


def _row_outcome(row: RecordRow, verdict: str | None) -> str:
    if row.model is None:
        return "added"
    if row.deleted:
        return "deleted"
    if verdict is None:
        return "corrected" if corrected(row) else "kept"
    return row.values.get(verdict) or "unjudged"

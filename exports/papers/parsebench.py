"""ParseBench's two-pass annotation: how people corrected a model's output.

Zhang et al. 2026, arXiv 2604.08538, appendix A.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.table_state import Tables
from pagetrail.annotation.metrics.element_quality import PARTS, Quality, Report, model_quality
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.papers.model import CampaignFacts, NotGiven, Paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.parsebench_data_set import (
    CHART_FIELDS,
    categories,
    chart_characteristics,
    dimensions,
    read_data_set,
    scale,
)
from pagetrail.exports.papers.ratios import TaskCount, ratio_cell
from pagetrail.exports.reading.attempts import ReadAttempt, works_by_people
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.model import Cell, Column, RowValues, Table

CAMPAIGN = Column("campaign", "Campaign", "text")
POOLED_NOTE = (
    "Counts are over all attempts. In shares, attempts are weighted by 1/(annotators per task). "
    "Intervals: 95 % bootstrap, tasks resampled."
)
SOURCE = "Zhang et al. 2026, ParseBench, arXiv 2604.08538, appendix A.1"
_PARTS = {"table-1": "Table 1", "table-2": "Table 2", "table-3": "Tables 3 and 4"}
_NO_CHARACTERISTICS = NotGiven(
    "Figure 6", f"no chart to verify states its characteristics (fields {', '.join(CHART_FIELDS)})"
)
_NOT_OF_CAMPAIGNS = (
    NotGiven("Table 1, other benchmarks", "they are not in the workspace"),
    NotGiven(
        "Tables 5, 9 and 10",
        "they score parsers; ParseBench's evaluator does that, on what the format parsebench "
        "exports",
    ),
    NotGiven(
        "Figures 5, 7 and 8", "they plot these scores against the parsers' prices and difficulty"
    ),
    NotGiven("Tables 6 to 8", "they list settings, hardware and prices of parsers"),
    NotGiven("Table 11", "it defines a heuristic for the difficulty of pages"),
    NotGiven("Tables 12 to 16", "they are about single pages"),
    NotGiven("Figures 1 to 4", "they illustrate the benchmark and its metrics"),
    NotGiven("Figures 9 to 13", "they show single pages with the output of parsers"),
)


@dataclass
class VerifiedWork:
    """People's verdicts on a model's output.

    Attributes:
        boxes: task → the boxes of each attempt, deleted ones included.
        rows: field → task → the rows of each attempt.
        tables: task → the tables of each attempt.
        changed: label of what was verified → (task, whether anything was changed) of each attempt.
    """

    protocol: Protocol
    boxes: dict[str, list[Sequence[PageBox]]] = field(default_factory=dict)
    rows: dict[str, dict[str, list[Sequence[RecordRow]]]] = field(default_factory=dict)
    tables: dict[str, list[Tables]] = field(default_factory=dict)
    changed: dict[str, list[tuple[str, bool]]] = field(default_factory=dict)


def read_verified_work(source: Source, tally: WrittenFiles) -> VerifiedWork:
    """Verdicts of people's submitted attempts; attempts without output of a model are left out."""
    protocol = source.campaign.protocol
    verified = VerifiedWork(protocol)
    seeded = [spec for spec in protocol.fields if spec.kind == "records" and spec.seed]
    for attempt in works_by_people(source, tally):
        if not protocol.boxes.seed and not protocol.tables.enabled and not seeded:
            tally.leave_out("attempt", "nothing_given", attempt.head.id)
            continue
        tally.count("attempts")
        task = attempt.head.task
        if protocol.boxes.seed:
            boxes = attempt.state.boxes.boxes
            verified.boxes.setdefault(task, []).append(boxes)
            verified.changed.setdefault("Elements", []).append((task, _has_changed_box(boxes)))
        if protocol.tables.enabled:
            tables = attempt.state.tables
            verified.tables.setdefault(task, []).append(tables)
            verified.changed.setdefault("Tables", []).append((task, _has_changed_table(tables)))
        for spec in seeded:
            rows = _judged_rows(attempt, spec)
            verified.rows.setdefault(spec.name, {}).setdefault(task, []).append(rows)
            verified.changed.setdefault(spec.label, []).append(
                (task, any(map(_is_changed_row, rows)))
            )
    return verified


def _has_changed_box(boxes: Sequence[PageBox]) -> bool:
    """Whether anything was corrected, deleted or added."""
    return any(
        box.verdict in ("corrected", "deleted") or (box.model is None and not box.deleted)
        for box in boxes
    )


def _has_changed_table(tables: Tables) -> bool:
    """Whether a model fixed anything, or a cell or the grid was changed."""
    return tables.round > 1 or any(
        table.edited or any(cell.added or cell.model_text is not None for cell in table.cells)
        for table in tables.tables
    )


def _judged_rows(attempt: ReadAttempt, spec: FieldSpec) -> list[RecordRow]:
    """Rows of the model, and added rows that were not deleted."""
    return [row for row in attempt.form.rows(spec) if row.model is not None or not row.deleted]


def _is_changed_row(row: RecordRow) -> bool:
    """Whether the row differs from the model's, or is an approved patch."""
    return row.model is None or row.deleted or is_corrected(row) or "approve" in row.values.values()


def is_corrected(row: RecordRow) -> bool:
    """Whether a cell differs from the model's."""
    model = row.model or {}
    return any(row.values.get(name) != cell for name, cell in model.items())


def parsebench_paper(sources: Sequence[Source], paper_options: PaperOptions) -> Paper:
    """The tables of these campaigns."""
    options = paper_options.options(sources[0])
    campaigns: dict[str, VerifiedWork] = {}
    facts = []
    for source in sources:
        tally = WrittenFiles(counts={"attempts": 0})
        source.leave_out_excluded(tally)
        campaigns[source.campaign.name] = read_verified_work(source, tally)
        facts.append(
            CampaignFacts.from_source(
                source, {"tasks": source.campaign.tasks, **tally.counts}, tally.left_out
            )
        )
    data_sets = [read_data_set(source) for source in sources]
    tables = [
        scale(data_sets),
        dimensions(data_sets),
        categories(data_sets),
        _passes_table(campaigns, options),
        elements_table(campaigns, options),
        confusion_table(campaigns),
        records_table(campaigns, options),
        verified_tables(campaigns, options),
    ]
    charts = chart_characteristics(data_sets)
    nothing_verified = "no output of a model was verified"
    reasons = {
        "table-1": nothing_verified,
        "table-2": nothing_verified,
        "table-3": "no task of pages to verify states a category or domain",
        "passes": nothing_verified,
        "elements": "no campaign contains elements of a model (preset verify)",
        "confusion": "no campaign contains elements of a model (preset verify)",
        "records": "no campaign contains rows of a model (presets verify_chart, verify_transcript)",
        "tables": "no campaign contains tables of a model (preset verify_table)",
    }
    return Paper(
        name="parsebench",
        title="ParseBench: the data set and its two-pass verification",
        source=SOURCE,
        campaigns=facts,
        choices=paper_options.choices(sources[0]),
        parts=[*(table for table in tables if table.rows), *([] if charts is None else [charts])],
        not_given=[
            *(
                NotGiven(_PARTS.get(table.key, table.title), reasons[table.key])
                for table in tables
                if not table.rows
            ),
            *([_NO_CHARACTERISTICS] if charts is None else []),
            *_NOT_OF_CAMPAIGNS,
        ],
        identified=any(source.identify for source in sources),
    )


def _passes_table(campaigns: Mapping[str, VerifiedWork], options: Options) -> Table:
    rows = []
    for campaign, verified in campaigns.items():
        for label, attempts in verified.changed.items():
            by_task: dict[str, list[bool]] = {}
            for task, changed in attempts:
                by_task.setdefault(task, []).append(not changed)
            unchanged_counts = [
                TaskCount(sum(unchanged), len(unchanged), len(unchanged))
                for unchanged in by_task.values()
            ]
            rows.append(
                {
                    "campaign": campaign,
                    "what": label,
                    "tasks": len(by_task),
                    "attempts": len(attempts),
                    "same": sum(count.part for count in unchanged_counts),
                    "share": ratio_cell(unchanged_counts, options, "nothing_given"),
                }
            )
    return Table.from_rows(
        "passes",
        "The second pass",
        "How often did annotators leave the first pass unchanged?",
        (
            CAMPAIGN,
            Column("what", "Verified", "text", "Elements on pages, tables, or rows of a field."),
            Column("tasks", "Tasks", "count", "Tasks with a submitted attempt."),
            Column("attempts", "n", "count", "Submitted attempts."),
            Column("same", "Unchanged", "count", "Attempts without an edit."),
            Column(
                "share", "Share unchanged", "share", "Weighted share of the submitted attempts."
            ),
        ),
        rows,
        [
            "An attempt counts as changed if an element, a row or a cell was corrected, deleted or "
            "added, a patch was approved, or tables were sent to a model.",
            POOLED_NOTE,
        ],
    )


_COUNTS = ("given", "accepted", "corrected", "deleted", "added", "unjudged")
_RATES = {
    "acceptance": ("Accepted", "Accepted unchanged, of the judged elements of the model."),
    "precision": ("Precision", "Kept, of the judged elements; by class, with that class."),
    "recall": ("Recall", "Kept, of the elements after verification."),
    "localised": ("Localised", "Verified elements localised by an element of the model."),
    "localised_with_class": (
        "With class",
        "Verified elements localised by one of the same class.",
    ),
}
_ALL = "All"


def elements_table(campaigns: Mapping[str, VerifiedWork], options: Options) -> Table:
    """Counts and rates by class.

    Args:
        campaigns: campaign → what was verified in it.
    """
    return Table.from_rows(
        "elements",
        "Elements verified",
        "How accurate are the model's elements, as verified by people?",
        (
            CAMPAIGN,
            Column(
                "class", "Class", "text", "Assigned by the model; by people for added elements."
            ),
            *(Column(name, name.capitalize(), "count", _COUNT_HELP[name]) for name in _COUNTS),
            *(
                Column(f"corrected_{part}", f"{part.capitalize()} corrected", "count")
                for part in PARTS
            ),
            *(
                Column(key, label, "share", definition)
                for key, (label, definition) in _RATES.items()
            ),
            Column(
                "iou_corrected",
                "IoU",
                "score",
                "Mean IoU of model and human box, over corrected boxes.",
            ),
        ),
        [
            row
            for campaign, verified in campaigns.items()
            if verified.boxes
            for row in _element_rows(campaign, verified, options)
        ],
        [POOLED_NOTE, "Unjudged elements are left out of all rates."],
    )


_COUNT_HELP = {
    "given": "Elements of the model that were judged.",
    "accepted": "Accepted unchanged.",
    "corrected": "Corrected in any part.",
    "deleted": "Deleted: false positives.",
    "added": "Added by people: misses.",
    "unjudged": "Neither accepted, corrected nor deleted.",
}


def _element_rows(campaign: str, verified: VerifiedWork, options: Options) -> Iterator[RowValues]:
    report = _quality_report(verified)
    task_reports = [(len(boxes), model_quality(boxes)) for boxes in verified.boxes.values()]
    for name, quality in [(_ALL, report.overall), *report.classes.items()]:
        qualities = [
            (attempts, task_quality)
            for attempts, report in task_reports
            if (task_quality := report.overall if name == _ALL else report.classes.get(name))
            is not None
        ]
        yield {
            "row_kind": "pooled" if name == _ALL else "row",
            "campaign": campaign,
            "class": name,
            **{count: getattr(quality, count) for count in _COUNTS},
            **{f"corrected_{part}": quality.corrected_parts[part] for part in PARTS},
            **{
                rate: _rate(quality, qualities, rate, options)
                for rate in (*_RATES, "iou_corrected")
            },
        }


def _rate(
    quality: Quality, task_qualities: Sequence[tuple[int, Quality]], rate: str, options: Options
) -> Cell:
    result = getattr(quality, rate)
    excluded = {"unjudged": quality.unjudged}
    return ratio_cell(
        [
            TaskCount(numerator, denominator, attempts)
            for attempts, task_quality in task_qualities
            for numerator, denominator in [getattr(task_quality, rate).of]
        ],
        options,
        result.reason or "no_rows",
        excluded,
    )


def _quality_report(verified: VerifiedWork) -> Report:
    return model_quality(boxes for attempts in verified.boxes.values() for boxes in attempts)


def confusion_table(campaigns: Mapping[str, VerifiedWork]) -> Table:
    """Counts of model class against human class."""
    return Table.from_rows(
        "confusion",
        "Classes of model and people",
        "Which classes does the model confuse?",
        (
            CAMPAIGN,
            Column("model", "Model", "text", "Class by the model; (added): added by people."),
            Column("human", "People", "text", "Class by people; (deleted): false positive."),
            Column("count", "Elements", "count"),
        ),
        [
            {
                "campaign": campaign,
                "model": model,
                "human": human,
                "count": n,
            }
            for campaign, verified in campaigns.items()
            for model, row in _quality_report(verified).confusion.items()
            for human, n in row.items()
        ],
        ["Counts are pooled over attempts."],
    )


def records_table(campaigns: Mapping[str, VerifiedWork], options: Options) -> Table:
    """Outcomes of the rows of each table. Arguments as of ``elements_table``."""
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
        [
            POOLED_NOTE,
            "Rows added by people are counted, but are not in the denominator of shares.",
        ],
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
        return "corrected" if is_corrected(row) else "kept"
    return row.values.get(verdict) or "unjudged"


def verified_tables(campaigns: Mapping[str, VerifiedWork], options: Options) -> Table:
    """Outcomes of the cells of tables. Arguments as of ``elements_table``."""
    rows: list[RowValues] = []
    for campaign, verified in campaigns.items():
        if not verified.tables:
            continue
        attempts = [tables for task_tables in verified.tables.values() for tables in task_tables]
        by_task = [
            [_cell_outcomes(tables) for tables in task_tables]
            for task_tables in verified.tables.values()
        ]
        counts = sum(
            (outcomes for task_tables in by_task for outcomes in task_tables), Counter[str]()
        )
        unchanged = [
            TaskCount(
                sum(outcomes["unchanged"] for outcomes in task_outcomes),
                sum(outcomes.total() - outcomes["added"] for outcomes in task_outcomes),
                len(task_outcomes),
            )
            for task_outcomes in by_task
        ]
        rows.append(
            {
                "campaign": campaign,
                "attempts": len(attempts),
                "tables": sum(len(tables.tables) for tables in attempts),
                "cells": counts.total(),
                **{outcome: counts[outcome] for outcome in ("corrected", "fixed", "added")},
                "rounds": max(tables.round for tables in attempts),
                "share": ratio_cell(unchanged, options, "nothing_given"),
            }
        )
    return Table.from_rows(
        "tables",
        "Tables verified",
        "How were the cells of the model's tables verified?",
        (
            CAMPAIGN,
            Column("attempts", "n", "count", "Submitted attempts."),
            Column("tables", "Tables", "count"),
            Column("cells", "Cells", "count", "After verification."),
            Column("corrected", "Corrected", "count", "Text changed by an annotator."),
            Column("fixed", "Fixed", "count", "Changed by a model as an annotator asked."),
            Column("added", "Added", "count", "Made by an annotator."),
            Column("rounds", "Rounds", "count", "Most rounds of an attempt."),
            Column(
                "share", "Share unchanged", "share", "Weighted share of the cells of the model."
            ),
        ),
        rows,
        [POOLED_NOTE, "Corrections and fixes are those of an attempt's last round."],
    )


def _cell_outcomes(tables: Tables) -> Counter[str]:
    outcomes = Counter[str]()
    for table in tables.tables:
        for cell in table.cells:
            if cell.added:
                outcomes["added"] += 1
            elif cell.model_text is not None:
                outcomes["corrected"] += 1
            else:
                outcomes["unchanged" if cell.fix is None else "fixed"] += 1
    return outcomes

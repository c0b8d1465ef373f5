"""Errors: the first stage that attempts do not get past."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.cascade import STAGES, Cascade, Stage, error_cascade, stage_of
from pagetrail.exports.reports.charts.matrices import cascade_chart
from pagetrail.exports.reports.metrics.cells import SIDE, Options, plain, share_cell
from pagetrail.exports.reports.metrics.participants import Side
from pagetrail.exports.reports.model import Cell, Column, Row, Section, Table

STAGE_WORDS: dict[Stage, str] = {
    "no_answer": "No answer",
    "retrieval": "Retrieval: no right document",
    "navigation": "Navigation: right document, no right page",
    "comprehension": "Comprehension: right page, wrong answer",
    "correct": "Correct",
}

STAGE_COLUMNS = (
    Column("stage", "Stage", "text", "The first stage that the attempts did not get past."),
    Column("attempts", "n", "count", "Attempts in this stage."),
    Column("share", "Share", "share", "Of the attempts that are in a stage."),
    Column("right", "Right answers", "count", "Right answers among them."),
)


def errors(sides: Sequence[Side], options: Options) -> Section | str:
    """The section of errors, or why there is none."""
    found = {side.name: error_cascade(side.rows) for side in sides}
    staged = {name: cascade for name, cascade in found.items() if cascade.n}
    if not staged:
        reasons = sorted(
            {_stage_reason(reason) for each in found.values() for reason in each.left_out}
        )
        why = ", ".join(reasons) if reasons else "no attempt at an answerable task is submitted"
        return f"Errors are left out: {why}."
    rows = [
        Row({"side": plain(side.name), **cells})
        for side in sides
        if found[side.name].n
        for cells in stage_cells(side.rows, found[side.name], options)
    ]
    table = Table(
        key="cascade",
        title="Where attempts fail first",
        question="Is it the search, the page, or the reading that fails?",
        columns=(SIDE, *STAGE_COLUMNS),
        rows=rows,
        notes=[
            "In this order: nothing answered; Doc F1 = 0; Page F1 = 0; wrong answer; the rest is "
            "correct. A right answer without the right evidence fails in retrieval or navigation, "
            "so “Correct” is less than accuracy by the right answers of the other stages.",
            *left_out_notes(found),
        ],
    )
    chart = cascade_chart(
        {
            name: {stage: each.value or 0.0 for stage, each in cascade.stages.items()}
            for name, cascade in staged.items()
        },
        {
            name: {stage: each.counts["part"] for stage, each in cascade.stages.items()}
            for name, cascade in staged.items()
        },
    )
    return Section("Errors", [table, chart])


def stage_cells(
    rows: Iterable[Attempt], cascade: Cascade, options: Options | None
) -> list[dict[str, Cell]]:
    """One line a stage.

    Args:
        options: of the intervals of the shares; None for none.
    """
    staged = [(row.task, stage) for row in rows if (stage := stage_of(row))]
    lines = []
    for stage in STAGES:
        found = cascade.stages[stage]
        share = Cell(found.value, reason=found.reason)
        if options is not None:
            inside = [(task, float(each == stage)) for task, each in staged]
            share = share_cell(found, inside, options)
        lines.append(
            {
                "stage": plain(STAGE_WORDS[stage]),
                "attempts": plain(found.counts["part"]),
                "share": share,
                "right": plain(found.counts["right"]),
            }
        )
    return lines


def left_out_notes(found: Mapping[str, Cascade]) -> list[str]:
    """A sentence for each participant with attempts in no stage."""
    notes = []
    for name, cascade in found.items():
        reasons = [f"{n:,} {_stage_reason(reason)}" for reason, n in cascade.left_out.items()]
        if reasons:
            notes.append(f"{name}: {', '.join(reasons)} in no stage.")
    return notes


def _stage_reason(reason: str) -> str:
    return {
        "no_gold_evidence": "without gold evidence",
        "no_citations_asked": "without citations, which the protocol does not ask for",
        "undecided": "whose answer nothing could decide",
        "unanswerable": "at tasks without an answer",
    }.get(reason, reason.replace("_", " "))

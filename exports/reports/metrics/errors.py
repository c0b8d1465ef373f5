"""Errors: why attempts are not correct, by stages of the cascade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetrail.annotation.messages import join_messages, lazy_gettext
from pagetrail.annotation.metrics.cascade import Cascade, error_cascade
from pagetrail.exports.reports.charts.stages import STAGES, cascade_chart
from pagetrail.exports.reports.metrics.cells import (
    PARTICIPANT,
    UNDECIDED_ANSWERS,
    Options,
    open_answers,
    share_cell,
)
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Column, RowValues, Section, Table

STAGE_COLUMNS = (
    Column("stage", "Stage", "text", "Correct, or the first stage that failed."),
    Column("attempts", "n", "count", "Attempts in this stage."),
    Column("share", "Share", "share", "Weighted share of the attempts that have a stage."),
)


def errors(participants: Sequence[Participant], options: Options) -> Section | str:
    """The error section, or why there is none."""
    cascades = {participant.name: error_cascade(participant.rows) for participant in participants}
    present = {name: cascade for name, cascade in cascades.items() if cascade.n}
    staged = {
        participant.name: present[participant.name]
        for participant in participants
        if participant.name in present and not open_answers(participant.rows)
    }
    if not present:
        reasons = sorted(
            {_stage_reason(reason) for cascade in cascades.values() for reason in cascade.left_out}
        )
        if not reasons:
            return lazy_gettext(
                "Errors are left out: no attempt at an answerable task was submitted."
            )
        return lazy_gettext("Errors are left out: {reasons}.", reasons=join_messages(reasons, ", "))
    rows = [
        {"side": participant.name, **cells}
        for participant in participants
        if cascades[participant.name].n
        for cells in (
            _stage_cells(cascades[participant.name], options)
            if participant.name in staged
            else [{column.key: Cell(reason=UNDECIDED_ANSWERS) for column in STAGE_COLUMNS}]
        )
    ]
    table = Table.from_rows(
        key="cascade",
        title="Where attempts fail first",
        question="Do attempts fail to find the document, to find the page, or to answer?",
        columns=(PARTICIPANT, *STAGE_COLUMNS),
        rows=rows,
        notes=[
            "Error decomposition of MADQA (arXiv 2603.12180, H.3). A correct answer is correct "
            "whatever it cites. Of the others, in this order: no answer; Doc F1 = 0, retrieval; "
            "Page F1 = 0, navigation; otherwise comprehension. Weighted as in the results.",
            *left_out_notes(cascades),
        ],
    )
    if not staged:
        return Section("Errors", [table])
    chart = cascade_chart(
        {
            name: {stage: stage_share.value or 0.0 for stage, stage_share in cascade.stages.items()}
            for name, cascade in staged.items()
        },
        {
            name: {
                stage: stage_share.counts["part"] for stage, stage_share in cascade.stages.items()
            }
            for name, cascade in staged.items()
        },
    )
    return Section("Errors", [table, chart])


def _stage_cells(cascade: Cascade, options: Options) -> list[RowValues]:
    """One row per stage."""
    return [
        {
            "stage": STAGES[stage].label,
            "attempts": stage_share.counts["part"],
            "share": share_cell(stage_share, cascade.scores(stage), options),
        }
        for stage, stage_share in cascade.stages.items()
    ]


def left_out_notes(cascades: Mapping[str, Cascade]) -> list[str]:
    """A sentence for each participant with attempts in no stage."""
    notes = []
    for name, cascade in cascades.items():
        reasons = [
            lazy_gettext("{number:,} {reason}", number=n, reason=_stage_reason(reason))
            for reason, n in cascade.left_out.items()
        ]
        if reasons:
            notes.append(
                lazy_gettext(
                    "{name}: {reasons} in no stage.",
                    name=name,
                    reasons=join_messages(reasons, ", "),
                )
            )
    return notes


def _stage_reason(reason: str) -> str:
    return {
        "no_gold_evidence": lazy_gettext("without gold evidence"),
        "no_citations_asked": lazy_gettext(
            "without citations, which the protocol does not ask for"
        ),
        "undecided": lazy_gettext("with an undecided answer"),
        "unanswerable": lazy_gettext("at unanswerable tasks"),
    }.get(reason, reason.replace("_", " "))

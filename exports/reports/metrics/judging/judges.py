"""Judges: how ANLS* compares with judgements, and accuracy without its errors."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.answers.anls import ANLS_THRESHOLD
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.correctness import JUDGED_CORRECT_FROM
from pagetrail.annotation.metrics.judge_bias import JudgeQuality, judge_quality, rogan_gladen
from pagetrail.annotation.metrics.result import weighted_mean_result
from pagetrail.annotation.statistics.attempt_weights import ScoredAttempt, weighted_mean
from pagetrail.exports.reports.metrics.cells import PARTICIPANT, Options, result_cell, share_cell
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Column, RowValues, Section, Table

RULE_COLUMNS = (
    PARTICIPANT,
    Column("attempts", "Judged", "count", "Attempts with a judgement and an ANLS*."),
    Column(
        "sensitivity",
        "Sensitivity",
        "share",
        "Share of answers judged correct that ANLS* calls correct.",
    ),
    Column(
        "specificity",
        "Specificity",
        "share",
        "Share of answers judged incorrect that ANLS* calls incorrect.",
    ),
    Column("agree", "Same verdict", "share", "Share on which ANLS* and the judgement agree."),
)

CORRECTED_COLUMNS = (
    PARTICIPANT,
    Column("attempts", "n", "count", "Attempts with an ANLS*, judged or not."),
    Column("judged", "Judged", "count", "Those of them with a judgement."),
    Column("anls_right", "Right by ANLS*", "share", "ANLS* of at least 0.5, weighted."),
    Column(
        "corrected",
        "Corrected",
        "share",
        "Rogan and Gladen 1978, interval of Lee et al. 2026 (arXiv 2511.21140), which includes the "
        "uncertainty of sensitivity and specificity.",
    ),
    Column("judged_right", "Correct by judgement", "share", "Of those judged, weighted."),
)


def judges(
    participants: Sequence[Participant], rows: Sequence[Attempt], options: Options
) -> Section | str:
    """The section on judges, or why there is none.

    Args:
        rows: all that is measured; sensitivity and specificity rest on those of them with both.
    """
    judged_rows = _judged_and_scored(rows)
    if not judged_rows:
        return lazy_gettext("Judges are left out: no attempt has both a judgement and an ANLS*.")
    quality = _quality(judged_rows)
    return Section(
        "Judges",
        [_rule(participants, judged_rows, options), _corrected(participants, quality, options)],
    )


def _rule(
    participants: Sequence[Participant], judged_rows: Sequence[Attempt], options: Options
) -> Table:
    of_side = [
        (participant.name, _judged_and_scored(participant.rows)) for participant in participants
    ]
    rows = [
        *(_rule_cells(name, judged_rows, options) for name, judged_rows in of_side),
        {"row_kind": "pooled", **_rule_cells(lazy_gettext("All"), judged_rows, options)},
    ]
    return Table.from_rows(
        key="judges",
        title="ANLS* against the judgement",
        question="How well does ANLS* replace a judge?",
        columns=RULE_COLUMNS,
        rows=rows,
        notes=[
            "Both count an answer as correct from 0.5 on, which for a judgement is partly correct."
        ],
    )


def _rule_cells(name: str, rows: Sequence[Attempt], options: Options) -> RowValues:
    quality = _quality(rows)
    right = [row.scored(float(_by_anls(row)) if _by_judge(row) else None) for row in rows]
    wrong = [row.scored(None if _by_judge(row) else float(not _by_anls(row))) for row in rows]
    agreements = [row.scored(float(_by_anls(row) == _by_judge(row))) for row in rows]
    return {
        "side": name,
        "attempts": len(rows),
        "sensitivity": share_cell(quality.sensitivity, right, options),
        "specificity": share_cell(quality.specificity, wrong, options),
        "agree": _share(agreements, options),
    }


def _corrected(
    participants: Sequence[Participant], quality: JudgeQuality, options: Options
) -> Table:
    return Table.from_rows(
        key="judges-corrected",
        title="Accuracy by ANLS*, corrected for its errors",
        question="What would accuracy be if ANLS* made no errors?",
        columns=CORRECTED_COLUMNS,
        rows=[_corrected_cells(participant, quality, options) for participant in participants],
        notes=[
            "Sensitivity and specificity are estimated from all judged attempts together, so the "
            "correction assumes that ANLS* errs alike for every participant.",
            "Weighted as in the results. The interval assumes independent tasks and a separate "
            "sample of judged attempts; if the samples overlap, it is slightly too wide or too "
            "narrow.",
        ],
    )


def _corrected_cells(
    participant: Participant, quality: JudgeQuality, options: Options
) -> RowValues:
    scored = [row for row in participant.rows if row.correctness.anls is not None]
    judged_rows = _judged_and_scored(scored)
    by_anls = [row.scored(float(_by_anls(row))) for row in scored]
    sensitivity, specificity = quality.sensitivity, quality.specificity
    corrected = Cell(reason="no_rows")
    if scored:
        if sensitivity.value is None or specificity.value is None:
            corrected = result_cell(sensitivity if sensitivity.value is None else specificity)
        else:
            estimate = rogan_gladen(
                weighted_mean(by_anls) or 0.0,
                len({attempt.unit for attempt in by_anls}),
                specificity.value,
                sensitivity.value,
                quality.weight_wrong,
                quality.weight_right,
            )
            low, high = estimate.interval or (None, None)
            corrected = Cell(estimate.value, estimate.reason, low=low, high=high, se=estimate.se)
    return {
        "side": participant.name,
        "attempts": len(scored),
        "judged": len(judged_rows),
        "anls_right": _share(by_anls, options),
        "corrected": corrected,
        "judged_right": _share([row.scored(float(_by_judge(row))) for row in judged_rows], options),
    }


def _quality(rows: Sequence[Attempt]) -> JudgeQuality:
    return judge_quality(
        [(_by_anls(row), _by_judge(row)) for row in rows], [row.unit for row in rows]
    )


def _share(attempts: Sequence[ScoredAttempt], options: Options) -> Cell:
    return share_cell(weighted_mean_result(attempts, "no_rows"), attempts, options)


def _judged_and_scored(rows: Sequence[Attempt]) -> list[Attempt]:
    return [
        row
        for row in rows
        if row.correctness.judgement is not None and row.correctness.anls is not None
    ]


def _by_anls(row: Attempt) -> bool:
    return (row.correctness.anls or 0) >= ANLS_THRESHOLD


def _by_judge(row: Attempt) -> bool:
    return (row.correctness.judgement or 0) >= JUDGED_CORRECT_FROM

"""Judges: how ANLS* compares with judgements, and accuracy without its errors."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.correctness import ANLS_THRESHOLD, JUDGED_RIGHT
from pagetrail.annotation.metrics.judge_bias import JudgeQuality, judge_quality, rogan_gladen
from pagetrail.annotation.metrics.result import weighted_mean_result
from pagetrail.annotation.statistics.attempt_weights import ScoredAttempt, weighted_mean
from pagetrail.exports.reports.metrics.cells import SIDE, Options, cell, share_cell
from pagetrail.exports.reports.metrics.participants import Side
from pagetrail.exports.reports.model import Cell, Column, RowValues, Section, Table

RULE_COLUMNS = (
    SIDE,
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
    SIDE,
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


def judges(sides: Sequence[Side], rows: Sequence[Attempt], options: Options) -> Section | str:
    """The section of judges, or why there is none.

    Args:
        rows: all that is measured; sensitivity and specificity rest on those of them with both.
    """
    both = _both(rows)
    if not both:
        return "Judges are left out: no attempt has both a judgement and an ANLS*."
    quality = _quality(both)
    return Section("Judges", [_rule(sides, both, options), _corrected(sides, quality, options)])


def _rule(sides: Sequence[Side], both: Sequence[Attempt], options: Options) -> Table:
    of_side = [(side.name, _both(side.rows)) for side in sides]
    rows = [
        *(_rule_cells(name, found, options) for name, found in of_side),
        {"row_kind": "pooled", **_rule_cells("All", both, options)},
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
    same = [row.scored(float(_by_anls(row) == _by_judge(row))) for row in rows]
    return {
        "side": name,
        "attempts": len(rows),
        "sensitivity": share_cell(quality.sensitivity, right, options),
        "specificity": share_cell(quality.specificity, wrong, options),
        "agree": _share(same, options),
    }


def _corrected(sides: Sequence[Side], quality: JudgeQuality, options: Options) -> Table:
    return Table.from_rows(
        key="judges-corrected",
        title="Accuracy by ANLS*, corrected for its errors",
        question="What would accuracy be if ANLS* made no errors?",
        columns=CORRECTED_COLUMNS,
        rows=[_corrected_cells(side, quality, options) for side in sides],
        notes=[
            "Sensitivity and specificity are estimated from all judged attempts together, so the "
            "correction assumes that ANLS* errs alike for every participant.",
            "Weighted as in the results. The interval assumes independent tasks and a separate "
            "sample of judged attempts; if the samples overlap, it is slightly too wide or too "
            "narrow.",
        ],
    )


def _corrected_cells(side: Side, quality: JudgeQuality, options: Options) -> RowValues:
    scored = [row for row in side.rows if row.correctness.anls is not None]
    both = _both(scored)
    by_anls = [row.scored(float(_by_anls(row))) for row in scored]
    sensitivity, specificity = quality.sensitivity, quality.specificity
    found = Cell(reason="no_rows")
    if scored:
        if sensitivity.value is None or specificity.value is None:
            found = cell(sensitivity if sensitivity.value is None else specificity)
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
            found = Cell(estimate.value, estimate.reason, low=low, high=high, se=estimate.se)
    return {
        "side": side.name,
        "attempts": len(scored),
        "judged": len(both),
        "anls_right": _share(by_anls, options),
        "corrected": found,
        "judged_right": _share([row.scored(float(_by_judge(row))) for row in both], options),
    }


def _quality(rows: Sequence[Attempt]) -> JudgeQuality:
    return judge_quality(
        [(_by_anls(row), _by_judge(row)) for row in rows], [row.unit for row in rows]
    )


def _share(attempts: Sequence[ScoredAttempt], options: Options) -> Cell:
    return share_cell(weighted_mean_result(attempts, "no_rows"), attempts, options)


def _both(rows: Sequence[Attempt]) -> list[Attempt]:
    return [
        row
        for row in rows
        if row.correctness.judgement is not None and row.correctness.anls is not None
    ]


def _by_anls(row: Attempt) -> bool:
    return (row.correctness.anls or 0) >= ANLS_THRESHOLD


def _by_judge(row: Attempt) -> bool:
    return (row.correctness.judgement or 0) >= JUDGED_RIGHT

"""Judgements of trajectories: useful, wasted and wrong steps, and kinds of failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.cascade import stage_of
from pagetrail.annotation.metrics.result import weighted_share
from pagetrail.annotation.statistics.attempt_weights import weights
from pagetrail.exports.reports.charts.stages import STAGES
from pagetrail.exports.reports.metrics.cells import PARTICIPANT, Options, share_cell
from pagetrail.exports.reports.metrics.judging.judge_verdicts import Verdict
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Column, Section, Table

_NO_STAGE = lazy_gettext("(in no stage)")


def judged_steps(
    participants: Sequence[Participant], rows: Sequence[MeasuredAttempt], options: Options
) -> Section | None:
    """The section; None if no steps were judged."""
    verdicts = [row.verdict for row in rows if row.verdict is not None]
    if not any(verdict.marks or verdict.failures for verdict in verdicts):
        return None
    parts = [_steps(participants, verdicts)]
    if any(verdict.failure is not None for verdict in verdicts):
        parts += [_failures(participants, verdicts, options), _beside_the_cascade(participants)]
    return Section("Trajectories as judged", parts)


def _judged_attempts(participant: Participant) -> list[tuple[MeasuredAttempt, Verdict]]:
    return [(row, row.verdict) for row in participant.rows if row.verdict is not None]


def _steps(participants: Sequence[Participant], verdicts: Sequence[Verdict]) -> Table:
    marks = list(dict.fromkeys(mark for verdict in verdicts for mark in sorted(verdict.marks)))
    rows = []
    for participant in participants:
        marked_attempts = [
            (row, verdict.marks) for row, verdict in _judged_attempts(participant) if verdict.marks
        ]
        if marked_attempts:
            counts = pd.DataFrame([dict(c) for _, c in marked_attempts], columns=marks).fillna(0)
            weighted = counts.mul(weights([row.unit for row, _ in marked_attempts]), axis=0).sum()
            rows.append(
                {
                    "side": participant.name,
                    "attempts": len(marked_attempts),
                    "marks": int(counts.to_numpy().sum()),
                    **(weighted / weighted.sum()).to_dict(),
                }
            )
    return Table.from_rows(
        key="judged-steps",
        title="Steps as judged",
        question="How many steps bring the answer closer?",
        columns=(
            PARTICIPANT,
            Column("attempts", "Attempts", "count", "Attempts whose steps were marked."),
            Column("marks", "Marks", "count", "Marks of steps, of all judges."),
            *(
                Column(mark, mark.capitalize(), "share", "Of all marks, weighted.")
                for mark in marks
            ),
        ),
        rows=rows,
        notes=[
            "Each judge’s mark of each step counts once. Shares weight a mark like its attempt, "
            "by 1/(annotators of the task)."
        ],
    )


def _failures(
    participants: Sequence[Participant], verdicts: Sequence[Verdict], options: Options
) -> Table:
    kinds = sorted({verdict.failure for verdict in verdicts if verdict.failure is not None})
    rows = []
    for participant in participants:
        failed_attempts = [
            (row, v.failure) for row, v in _judged_attempts(participant) if v.failure is not None
        ]
        for kind in kinds if failed_attempts else ():
            inside = [row.scored(float(failure == kind)) for row, failure in failed_attempts]
            count = sum(failure == kind for _, failure in failed_attempts)
            share = share_cell(weighted_share(inside, "no_rows"), inside, options)
            rows.append(
                {
                    "side": participant.name,
                    "kind": kind,
                    "count": count,
                    "attempts": len(failed_attempts),
                    "share": share,
                }
            )
    differ = sum(bool(verdict.failures) and verdict.failure is None for verdict in verdicts)
    return Table.from_rows(
        key="judged-failures",
        title="Kinds of failure as judged",
        question="Where do attempts fail according to the verdicts?",
        columns=(
            PARTICIPANT,
            Column("kind", "Kind", "text", "As named by most judges of the attempt."),
            Column("count", "n", "count", "Attempts with this failure."),
            Column("attempts", "Failures", "count", "Attempts with a kind of failure."),
            Column("share", "Share", "share", "Of these, weighted."),
        ),
        rows=rows,
        notes=[
            lazy_gettext(
                "Attempts on whose kind of failure judges are tied: {differ:,}.", differ=differ
            )
        ],
    )


def _beside_the_cascade(participants: Sequence[Participant]) -> Table:
    counts: Counter[tuple[str, str, str]] = Counter()
    for participant in participants:
        for row, verdict in _judged_attempts(participant):
            if verdict.failure is not None:
                stage = stage_of(row)
                words = STAGES[stage].label if stage else _NO_STAGE
                counts[participant.name, verdict.failure, words] += 1
    return Table.from_rows(
        key="judged-beside-cascade",
        title="Judged failures and the automatic cascade",
        question="Does the cascade agree with the verdicts?",
        columns=(
            PARTICIPANT,
            Column("judged", "As judged", "text"),
            Column("stage", "By the cascade", "text", "First stage that failed."),
            Column("attempts", "Attempts", "count"),
        ),
        rows=[
            {
                "side": participant,
                "judged": kind,
                "stage": stage,
                "attempts": count,
            }
            for (participant, kind, stage), count in counts.items()
        ],
    )

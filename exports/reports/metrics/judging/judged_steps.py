"""What judges of trajectories found: useful, wasted and wrong steps, and kinds of failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.cascade import stage_of
from pagetrail.annotation.metrics.result import weighted_share
from pagetrail.annotation.statistics.attempt_weights import weights
from pagetrail.exports.reports.charts.stages import STAGES
from pagetrail.exports.reports.metrics.cells import SIDE, Options, share_cell
from pagetrail.exports.reports.metrics.judging.judge_verdicts import Verdict
from pagetrail.exports.reports.metrics.participants import Side
from pagetrail.exports.reports.model import Column, Section, Table

_NO_STAGE = "(in no stage)"


def judged_steps(
    sides: Sequence[Side], judged: Mapping[str, Verdict], options: Options
) -> Section | None:
    """The section; None where no steps were judged.

    Args:
        judged: attempt → what was said of it.
    """
    if not any(verdict.marks or verdict.failures for verdict in judged.values()):
        return None
    parts = [_steps(sides, judged)]
    kinds = sorted({each.failure for each in judged.values() if each.failure is not None})
    if kinds:
        parts += [_failures(sides, judged, kinds, options), _beside_the_cascade(sides, judged)]
    return Section("Trajectories as judged", parts)


def _of(side: Side, judged: Mapping[str, Verdict]) -> list[tuple[Attempt, Verdict]]:
    return [(row, judged[row.attempt]) for row in side.rows if row.attempt in judged]


def _steps(sides: Sequence[Side], judged: Mapping[str, Verdict]) -> Table:
    marks = list(dict.fromkeys(mark for each in judged.values() for mark in sorted(each.marks)))
    rows = []
    for side in sides:
        marked = [(row, verdict.marks) for row, verdict in _of(side, judged) if verdict.marks]
        weighted: dict[str, float] = dict.fromkeys(marks, 0.0)
        for weight, (_, counts) in zip(
            weights([row.unit for row, _ in marked]), marked, strict=True
        ):
            for mark, n in counts.items():
                weighted[mark] += weight * n
        whole = sum(weighted.values())
        if marked:
            total = sum(counts.total() for _, counts in marked)
            shares = {mark: weighted[mark] / whole for mark in marks}
            cells = {
                "side": side.name,
                "attempts": len(marked),
                "marks": total,
            }
            rows.append(cells | shares)
    return Table.from_rows(
        key="judged-steps",
        title="Steps as judged",
        question="How many steps bring the answer closer?",
        columns=(
            SIDE,
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
    sides: Sequence[Side], judged: Mapping[str, Verdict], kinds: Sequence[str], options: Options
) -> Table:
    rows = []
    for side in sides:
        named = [(row, v.failure) for row, v in _of(side, judged) if v.failure is not None]
        for kind in kinds if named else ():
            inside = [row.scored(float(failure == kind)) for row, failure in named]
            count = sum(failure == kind for _, failure in named)
            share = share_cell(weighted_share(inside, "no_rows"), inside, options)
            rows.append(
                {
                    "side": side.name,
                    "kind": kind,
                    "count": count,
                    "attempts": len(named),
                    "share": share,
                }
            )
    differ = sum(bool(each.failures) and each.failure is None for each in judged.values())
    return Table.from_rows(
        key="judged-failures",
        title="Kinds of failure as judged",
        question="Where do attempts fail according to the verdicts?",
        columns=(
            SIDE,
            Column("kind", "Kind", "text", "As named by most judges of the attempt."),
            Column("count", "n", "count", "Attempts with this failure."),
            Column("attempts", "Failures", "count", "Attempts with a kind of failure."),
            Column("share", "Share", "share", "Of these, weighted."),
        ),
        rows=rows,
        notes=[f"Attempts on whose kind of failure judges are tied: {differ:,}."],
    )


def _beside_the_cascade(sides: Sequence[Side], judged: Mapping[str, Verdict]) -> Table:
    counts: Counter[tuple[str, str, str]] = Counter()
    for side in sides:
        for row, verdict in _of(side, judged):
            if verdict.failure is not None:
                stage = stage_of(row)
                words = STAGES[stage].label if stage else _NO_STAGE
                counts[side.name, verdict.failure, words] += 1
    return Table.from_rows(
        key="judged-beside-cascade",
        title="Judged failures and the automatic cascade",
        question="Does the cascade agree with the verdicts?",
        columns=(
            SIDE,
            Column("judged", "As judged", "text"),
            Column("stage", "By the cascade", "text", "First stage that failed."),
            Column("attempts", "Attempts", "count"),
        ),
        rows=[
            {
                "side": side,
                "judged": kind,
                "stage": stage,
                "attempts": count,
            }
            for (side, kind, stage), count in counts.items()
        ],
        notes=[],
    )

"""How stable judges are: repeated runs with the same prompt, compared with each other.

Source: Loison et al. 2026 (ViDoRe V3), appendix H: Krippendorff's alpha over runs on the same
answers, and mean and standard deviation of their scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

import numpy as np

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.correctness import JUDGED_CORRECT_FROM, JUDGEMENTS
from pagetrail.annotation.metrics.result import weighted_mean_result
from pagetrail.exports.reports.cells import coefficient_cell
from pagetrail.exports.reports.metrics.cells import Options, share_cell
from pagetrail.exports.reports.metrics.judging.judge import Judge
from pagetrail.exports.reports.model import Cell, Column, RowValues, Table


def runs_stability_table(
    judges: Sequence[Judge], rows: Sequence[Attempt], options: Options
) -> Table | None:
    """One row per judge with several runs; None without any.

    Args:
        rows: attempts at answerable tasks.
    """
    runs_of: dict[tuple[object, ...], list[Judge]] = {}
    for judge in judges:
        if judge.info is not None:
            runs_of.setdefault(judge.configuration, []).append(judge)
    repeated = [runs for runs in runs_of.values() if len(runs) > 1]
    if not repeated:
        return None
    return Table.from_rows(
        key="judges-runs",
        title="Repeated runs of a judge",
        question="Does a judge give the same verdict again?",
        columns=(
            Column("judge", "Judge", "text", "Who judged."),
            Column("round", "Round", "count", "Round of developing the prompt."),
            Column("runs", "Runs", "count", "Sets of verdicts with the same model and prompt."),
            Column("answers", "n", "count", "Answers with a verdict in at least two runs."),
            Column("alpha", "Alpha", "score", "Krippendorff’s alpha over runs, ordinal."),
            Column("flips", "Flips", "count", "Answers whose verdict is not the same in all runs."),
            Column("flip_share", "Flips (share)", "share", "Of the answers, weighted."),
            Column(
                "crossing",
                "Correct or not",
                "count",
                "Flips between correct (from 0.5 on) and incorrect.",
            ),
            Column(
                "mean",
                "Called correct",
                "share",
                "Mean over runs of the weighted share called correct, of answers in all runs.",
            ),
            Column("sd", "SD over runs", "share", "Standard deviation of that share over runs."),
        ),
        rows=[_cells(runs, rows, options) for runs in repeated],
        notes=[
            lazy_gettext(
                "Answers that match gold exactly never reach the judge and are left out. Alpha "
                "counts each answer once, with intervals over resampled tasks."
            )
        ],
    )


def _cells(runs: Sequence[Judge], rows: Sequence[Attempt], options: Options) -> RowValues:
    verdicts_of = [(row, [judge.verdict(row) for judge in runs]) for row in rows]
    repeated = [
        (row, verdicts)
        for row, verdicts in verdicts_of
        if sum(verdict is not None for verdict in verdicts) > 1
    ]
    info = runs[0].info
    assert info is not None  # only sets have runs
    values: RowValues = {
        "judge": runs[0].judged_by,
        "round": Cell(reason="not_stated") if info.round is None else info.round,
        "runs": len(runs),
        "answers": len(repeated),
    }
    if not repeated:
        undefined = ("alpha", "flips", "flip_share", "crossing", "mean", "sd")
        return {**values, **dict.fromkeys(undefined, Cell(reason="no_answer_in_two_runs"))}
    distinct_verdicts = [
        {verdict for verdict in verdicts if verdict is not None} for _, verdicts in repeated
    ]
    flips = [
        row.scored(float(len(verdicts) > 1))
        for (row, _), verdicts in zip(repeated, distinct_verdicts, strict=True)
    ]
    crossing = sum(
        len({verdict >= JUDGED_CORRECT_FROM for verdict in verdicts}) > 1
        for verdicts in distinct_verdicts
    )
    ratings = np.array(
        [[np.nan if v is None else v for v in verdicts] for _, verdicts in repeated], dtype=float
    )
    alpha = options.resampling.coefficients(
        ratings,
        clusters=[row.task for row, _ in repeated],
        categories=JUDGEMENTS,
        level="ordinal",
        keys=("krippendorff_alpha",),
    )["krippendorff_alpha"]
    return {
        **values,
        "alpha": coefficient_cell(alpha, len({row.task for row, _ in repeated})),
        "flips": sum(len(verdicts) > 1 for verdicts in distinct_verdicts),
        "flip_share": share_cell(weighted_mean_result(flips, "no_rows"), flips, options),
        "crossing": crossing,
        **_scores_over_runs(repeated, len(runs)),
    }


def _scores_over_runs(
    repeated: Sequence[tuple[Attempt, Sequence[float | None]]], n_runs: int
) -> RowValues:
    complete = [(row, verdicts) for row, verdicts in repeated if None not in verdicts]
    if not complete:
        undefined = Cell(reason="no_answer_in_all_runs")
        return {"mean": undefined, "sd": undefined}
    shares = []
    for run in range(n_runs):
        scored = [
            row.scored(float((verdicts[run] or 0.0) >= JUDGED_CORRECT_FROM))
            for row, verdicts in complete
        ]
        shares.append(weighted_mean_result(scored, "no_rows").value or 0.0)
    return {"mean": Cell(fmean(shares), n=len(complete)), "sd": stdev(shares)}

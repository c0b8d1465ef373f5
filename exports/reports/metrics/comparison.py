"""Comparison: two participants at a time on the tasks that both attempted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.result import mean, weighted_mean_result
from pagetrail.annotation.metrics.system_comparison import Pair, compare_two
from pagetrail.annotation.statistics.attempt_weights import AttemptScores, task_means
from pagetrail.annotation.statistics.task_bootstrap import FEW_CLUSTERS
from pagetrail.exports.reports.cells import range_cell, value_cell
from pagetrail.exports.reports.charts.matrices import kappa_chart
from pagetrail.exports.reports.charts.stages import STAGES
from pagetrail.exports.reports.metrics.cells import (
    UNDECIDED_ANSWERS,
    Options,
    open_answers,
    share_cell,
    task_mean_cell,
)
from pagetrail.exports.reports.metrics.errors import STAGE_COLUMNS
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Column, RowValues, Section, Table
from pagetrail.exports.reports.resampling import ResampledUnits

Numbers = NDArray[np.float64]
PairStatistic = Callable[[Numbers, Numbers, Numbers], Numbers]

A = Column("a", "Participant A", "text")
B = Column("b", "Participant B", "text")

PAIR_COLUMNS = (
    A,
    B,
    Column("tasks", "Shared", "count", "Tasks attempted by both and decided for both."),
    Column("kappa", "Kappa", "score", "Cohen's kappa of their correctness (Cohen 1960); 0: chance"),
    Column("observed", "Observed", "share", "Share of tasks solved by both or by neither."),
    Column("expected", "Expected", "share", "The same share as expected by chance."),
    Column("both", "Both correct", "number", "Tasks, as weighted pairs of attempts."),
    Column("only_a", "Only A", "number", "Likewise."),
    Column("only_b", "Only B", "number", "Likewise."),
    Column("neither", "Neither", "number", "Likewise."),
    Column("accuracy_a", "Accuracy A", "share", "On the shared tasks."),
    Column("accuracy_b", "Accuracy B", "share", "On the shared tasks."),
    Column("difference", "A − B", "share", "Difference in accuracy; paired bootstrap over tasks."),
    Column("alone_a", "A alone", "count", "Tasks left out: not attempted by B."),
    Column("alone_b", "B alone", "count", "Tasks left out: not attempted by A."),
    Column(
        "undecided", "Undecided", "count", "Shared tasks left out: undecided for one of the two."
    ),
)

_NO_ERROR = 1e-12


def comparison(participants: Sequence[Participant], options: Options) -> Section | str:
    """The comparison section, or why there is none."""
    present = [participant for participant in participants if participant.rows]
    pairs = [
        (a, b, compare_two(a.name, a.rows, b.name, b.rows))
        for a, b in combinations(present, 2)
        # People together include each single person.
        if {a.kind, b.kind} != {"humans", "annotator"}
    ]
    if not pairs:
        return lazy_gettext(
            "Comparison is left out: it needs two participants with submitted attempts."
        )
    if not any(pair.tasks for _, _, pair in pairs):
        return lazy_gettext(
            "Comparison is left out: no two participants share a task that is decided for both."
        )
    cells = [_pair_cells(pair, options) for _, _, pair in pairs]
    table = Table.from_rows(
        key="comparison",
        title="Who solved what",
        question="Do two participants solve the same tasks?",
        columns=PAIR_COLUMNS,
        rows=cells,
        notes=[
            "Answerable tasks only. Each attempt of one participant is paired with each attempt "
            "of the other at the same task, and the pairs of a task together weigh 1: a task that"
            " the system and one of two people solved counts half as “both correct”.",
            _interval_note(options.resampling.units),
        ],
    )
    chart = kappa_chart(
        [
            (pair.a, pair.b, None, UNDECIDED_ANSWERS)
            if open_answers([*pair.rows_a, *pair.rows_b])
            else (pair.a, pair.b, pair.kappa.value, pair.kappa.reason)
            for _, _, pair in pairs
        ]
    )
    return Section("Comparison", [table, chart, *_disagreements(pairs)])


def _interval_note(units: ResampledUnits) -> str:
    if units == "tasks":
        return lazy_gettext("Kappa's interval is analytic, over tasks; the others resample tasks.")
    return lazy_gettext("Intervals resample tasks and annotators; between two systems, tasks only.")


def _pair_cells(pair: Pair, options: Options) -> RowValues:
    kappa, solved = pair.kappa, pair.solved

    undecided = open_answers([*pair.rows_a, *pair.rows_b])

    def ratio(value: float | None) -> Cell:
        return Cell(reason=UNDECIDED_ANSWERS) if undecided else value_cell(value, "no_shared_task")

    def accuracy(rows: Sequence[Attempt]) -> Cell:
        scores = _scores(rows)
        return share_cell(weighted_mean_result(scores, "no_shared_task"), scores, options)

    return {
        "a": pair.a,
        "b": pair.b,
        "tasks": len(pair.tasks),
        "kappa": Cell(reason=UNDECIDED_ANSWERS) if undecided else _kappa_cell(pair, options),
        "observed": ratio(kappa.observed),
        "expected": ratio(kappa.expected),
        **{
            name: Cell(reason=UNDECIDED_ANSWERS) if undecided else getattr(solved, name)
            for name in ("both", "only_a", "only_b", "neither")
        },
        "accuracy_a": accuracy(pair.rows_a),
        "accuracy_b": accuracy(pair.rows_b),
        "difference": _difference_cell(pair, options),
        "alone_a": pair.left_out["only_a_attempted"],
        "alone_b": pair.left_out["only_b_attempted"],
        "undecided": pair.left_out["undecided"],
    }


def _scores(rows: Sequence[Attempt]) -> AttemptScores:
    return AttemptScores(row.scored_answer() for row in rows)


def _difference_cell(pair: Pair, options: Options) -> Cell:
    """Difference in accuracy with a paired bootstrap over tasks; a range if some are undecided."""
    a, b = _scores(pair.rows_a), _scores(pair.rows_b)
    cell = _difference_of_scores(pair, a, b, options)
    undecided = a.undecided + b.undecided
    if cell.value is None or not undecided:
        return cell
    lower = _difference_of_scores(pair, a, b.with_undecided_right(), options)
    upper = _difference_of_scores(pair, a.with_undecided_right(), b, options)
    return range_cell(cell, lower, upper, undecided)


def _difference_of_scores(pair: Pair, a: AttemptScores, b: AttemptScores, options: Options) -> Cell:
    means = [task_means(scores) for scores in (a, b)]
    differences = [(task, means[0][task] - means[1][task]) for task in pair.tasks]
    difference = task_mean_cell(
        mean([difference for _, difference in differences], "no_shared_task"), differences, options
    )
    if options.resampling.units == "tasks" or difference.value is None:
        return difference
    return _over_annotators(
        difference, (a, b), "difference", lambda a, b, both_correct: a - b, options
    )


def _over_annotators(
    cell: Cell,
    scores: tuple[AttemptScores, AttemptScores],
    name: str,
    statistic: PairStatistic,
    options: Options,
) -> Cell:
    interval = options.resampling.pair(name, *scores, statistic)
    return replace(
        cell,
        low=interval.low,
        high=interval.high,
        se=interval.se,
        flag=interval.reason or ("few_clusters" if interval.few_clusters else None),
    )


def _kappa_of_means(a: Numbers, b: Numbers, both_correct: Numbers) -> Numbers:
    """Cohen's kappa from the accuracies and the share of pairs that are both right."""
    expected = a * b + (1 - a) * (1 - b)
    observed = 1 - a - b + 2 * both_correct
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(1 - expected > _NO_ERROR, (observed - expected) / (1 - expected), np.nan)


def _kappa_cell(pair: Pair, options: Options) -> Cell:
    """Kappa with its interval; a standard error of 0 only means that nothing varied."""
    kappa = pair.kappa
    if kappa.value is None:
        return Cell(reason=kappa.reason)
    if kappa.se is None or kappa.interval is None:
        return Cell(kappa.value, flag="one_cluster")
    if any(len({row.correct for row in rows}) == 1 for rows in (pair.rows_a, pair.rows_b)):
        return Cell(kappa.value, flag="one_side_constant")
    if kappa.se < _NO_ERROR:
        return Cell(kappa.value, flag="no_variation")
    if options.resampling.units == "tasks_and_annotators":
        scores = _scores(pair.rows_a), _scores(pair.rows_b)
        return _over_annotators(Cell(kappa.value), scores, "kappa", _kappa_of_means, options)
    low, high = kappa.interval
    flag = "few_clusters" if len(pair.tasks) < FEW_CLUSTERS else None
    return Cell(kappa.value, low=low, high=high, se=kappa.se, flag=flag)


def _disagreements(pairs: Sequence[tuple[Participant, Participant, Pair]]) -> list[Table]:
    """Where each participant failed on the tasks that only the other one solved."""
    rows = []
    single = False
    for a, b, pair in pairs:
        if "annotator" in (a.kind, b.kind):
            single = True
            continue
        if open_answers([*pair.rows_a, *pair.rows_b]):
            continue
        for participant, stages in ((a, pair.stages_a), (b, pair.stages_b)):
            head = {"a": a.name, "b": b.name, "side": participant.name}
            rows += [
                {
                    **head,
                    "stage": STAGES[stage].label,
                    "attempts": failures.attempts,
                    "tasks": failures.weight,
                    "share": failures.share,
                }
                for stage, failures in stages.items()
                if failures.share is not None
            ]
    if not rows:
        return []
    return [
        Table.from_rows(
            key="disagreements",
            title="Where the participants failed when they differ",
            question="On the tasks that only one of the two solved, how far did each get?",
            columns=(
                A,
                B,
                Column("side", "Participant", "text", "Participant whose attempts are counted."),
                STAGE_COLUMNS[0],
                Column("attempts", "n", "count", "Attempts in this stage."),
                Column("tasks", "Tasks", "number", "Their weight, in tasks."),
                Column("share", "Share", "share", "Share of the weight of all stages."),
            ),
            rows=rows,
            notes=[
                "Pairs of attempts with different outcomes, weighted as in the table above. "
                "“Correct” counts the tasks that this participant solved.",
                *(
                    [lazy_gettext("Individual annotators are only in the table above.")]
                    if single
                    else []
                ),
            ],
        )
    ]

"""Comparison: two participants at a time on the tasks that both attempted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.result import mean
from pagetrail.annotation.metrics.system_comparison import Kappa, Pair, compare_two, first_attempts
from pagetrail.annotation.statistics.task_bootstrap import FEW_CLUSTERS
from pagetrail.exports.reports.charts.matrices import kappa_chart
from pagetrail.exports.reports.metrics.cells import Options, interval_cell, plain
from pagetrail.exports.reports.metrics.errors import STAGE_COLUMNS, stage_cells
from pagetrail.exports.reports.metrics.participants import Side
from pagetrail.exports.reports.model import Cell, Column, Row, Section, Table

A = Column("a", "Participant A", "text")
B = Column("b", "Participant B", "text")

PAIR_COLUMNS = (
    A,
    B,
    Column("tasks", "Shared", "count", "Tasks that both attempted and that are decided for both."),
    Column("kappa", "Kappa", "score", "Cohen's kappa of their correctness (Cohen 1960); 0: chance"),
    Column("observed", "Observed", "share", "Tasks that both solved, or neither."),
    Column("expected", "Expected", "share", "What chance would give of that."),
    Column("both", "Both right", "count"),
    Column("only_a", "Only A", "count"),
    Column("only_b", "Only B", "count"),
    Column("neither", "Neither", "count"),
    Column("accuracy_a", "Accuracy A", "share", "On the shared tasks."),
    Column("accuracy_b", "Accuracy B", "share", "On the shared tasks."),
    Column("difference", "A − B", "share", "Difference in accuracy; tasks are resampled in pairs."),
    Column("alone_a", "A alone", "count", "Tasks left out, since B has no attempt at them."),
    Column("alone_b", "B alone", "count", "Tasks left out, since A has no attempt at them."),
    Column("undecided", "Undecided", "count", "Shared tasks left out, since nothing decided one."),
)

Attempts = Mapping[str, Attempt]

_NO_ERROR = 1e-12


def comparison(
    sides: Sequence[Side], handed_in: Mapping[str, str], options: Options
) -> Section | str:
    """The section of comparison, or why there is none.

    Args:
        handed_in: attempt → when it was submitted; of several people at one task, who was first
            stands for people.
    """
    present = [side for side in sides if side.rows]
    firsts = {side.name: first_of(side, handed_in) for side in present}
    pairs = [
        (a, b, compare_two(a.name, firsts[a.name][0], b.name, firsts[b.name][0]))
        for a, b in combinations(present, 2)
        # Everybody is part of all people.
        if {a.kind, b.kind} != {"humans", "annotator"}
    ]
    if not pairs:
        return "Comparison is left out: it takes two participants with submitted attempts."
    if not any(pair.kappa.counts["shared"] for _, _, pair in pairs):
        return "Comparison is left out: no two participants share a task that is decided for both."
    left = sum(n for _, n in firsts.values())
    table = Table(
        key="comparison",
        title="Who solved what",
        question="Do two participants solve the same tasks?",
        columns=PAIR_COLUMNS,
        rows=[
            Row(_pair_cells(pair, firsts[a.name][0], firsts[b.name][0], options))
            for a, b, pair in pairs
        ],
        notes=[
            "Tasks with an answer. Of several people at one task the attempt that was submitted "
            f"first stands for all; {left:,} later ones are left out.",
            "Kappa's interval is analytic, over tasks; that of the difference resamples tasks.",
        ],
    )
    chart = kappa_chart(
        [(pair.a, pair.b, pair.kappa.value, pair.kappa.reason) for _, _, pair in pairs]
    )
    return Section("Comparison", [table, chart, *_disagreements(pairs, firsts)])


def first_of(side: Side, handed_in: Mapping[str, str]) -> tuple[dict[str, Attempt], int]:
    """Task → the participant's attempt, and how many others there are."""
    ordered = sorted(side.rows, key=lambda row: (handed_in[row.attempt], row.system, row.attempt))
    kept, left = first_attempts(ordered, lambda row: side.name)
    return {row.task: row for row in kept}, left


def _pair_cells(pair: Pair, of_a: Attempts, of_b: Attempts, options: Options) -> dict[str, Cell]:
    kappa, counts = pair.kappa, pair.kappa.counts
    shared = sorted({task for part in vars(pair.solved).values() for task in part})
    right_a = [(task, float(of_a[task].correct is True)) for task in shared]
    right_b = [(task, float(of_b[task].correct is True)) for task in shared]
    less = [(task, x - y) for (task, x), (_, y) in zip(right_a, right_b, strict=True)]

    def share(scored: list[tuple[str, float]]) -> Cell:
        found = mean([score for _, score in scored], "no_shared_task")
        return interval_cell(found, scored, options)

    def ratio(value: float | None) -> Cell:
        return Cell(value) if value is not None else Cell(reason="no_shared_task")

    return {
        "a": plain(pair.a),
        "b": plain(pair.b),
        "tasks": plain(counts["shared"]),
        "kappa": _kappa_cell(kappa),
        "observed": ratio(kappa.observed),
        "expected": ratio(kappa.expected),
        **{name: plain(counts[name]) for name in ("both", "only_a", "only_b", "neither")},
        "accuracy_a": share(right_a),
        "accuracy_b": share(right_b),
        "difference": share(less),
        "alone_a": plain(pair.left_out["only_a_attempted"]),
        "alone_b": plain(pair.left_out["only_b_attempted"]),
        "undecided": plain(pair.left_out["undecided"]),
    }


def _kappa_cell(kappa: Kappa) -> Cell:
    """Kappa with its interval; a standard error of 0 says only that nothing varied."""
    if kappa.value is None:
        return Cell(reason=kappa.reason)
    if kappa.se is None or kappa.interval is None:
        return Cell(kappa.value, flag="one_cluster")
    counts = kappa.counts
    right_a, right_b = counts["both"] + counts["only_a"], counts["both"] + counts["only_b"]
    if {right_a, right_b} & {0, counts["shared"]}:
        return Cell(kappa.value, flag="one_side_constant")
    if kappa.se < _NO_ERROR:
        return Cell(kappa.value, flag="no_variation")
    low, high = kappa.interval
    few = "few_clusters" if counts["shared"] < FEW_CLUSTERS else None
    return Cell(kappa.value, low=low, high=high, se=kappa.se, flag=few)


def _disagreements(
    pairs: Sequence[tuple[Side, Side, Pair]],
    firsts: Mapping[str, tuple[dict[str, Attempt], int]],
) -> list[Table]:
    """Where each failed on the tasks that only the other solved, and how it solved its own."""
    rows = []
    single = False
    for a, b, pair in pairs:
        if "annotator" in (a.kind, b.kind):
            single = True
            continue
        differing = (*pair.solved.only_a, *pair.solved.only_b)
        for side, cascade in ((a, pair.cascade_a), (b, pair.cascade_b)):
            if not cascade.n:
                continue
            of_side = [firsts[side.name][0][task] for task in differing]
            head = {"a": plain(a.name), "b": plain(b.name), "side": plain(side.name)}
            rows += [Row({**head, **cells}) for cells in stage_cells(of_side, cascade, None)]
    if not rows:
        return []
    return [
        Table(
            key="disagreements",
            title="Where the participants failed when they differ",
            question="On the tasks that only one of the two solved, where did each get to?",
            columns=(
                A,
                B,
                Column("side", "Participant", "text", "Whose attempts."),
                *STAGE_COLUMNS,
            ),
            rows=rows,
            notes=[
                "The tasks that the participant itself solved are among its right answers.",
                *(["Annotators one by one are only in the table above."] if single else []),
            ],
        )
    ]

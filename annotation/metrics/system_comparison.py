"""Comparison of systems: who solved what, beyond chance, and where each failed when they differ.

Sources: Cohen 1960 (Educ. Psychol. Meas. 20) for kappa; its use on the correctness of people and
agents in MADQA, Borchmann et al. 2026, arXiv 2603.12180.

A participant is a person, all people together, or a system. Where it has several attempts at a
task, each shares the task's weight of 1 (docs/metrics.md, Weights): every attempt of one is paired
with every attempt of the other at the task, and all pairs of a task together weigh 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.cascade import STAGES, Stage, reason_left_out, stage_of
from pagetrail.annotation.metrics.result import Result
from pagetrail.annotation.statistics.student_t import two_sided_t


@dataclass(frozen=True, kw_only=True)
class Kappa(Result):
    """Cohen's kappa of the correctness of two participants; 0 is chance, below 0 less than chance.

    Undefined: ``no_shared_task``; ``no_variation``, where both solved all, or none.

    Attributes:
        se, interval: analytic standard error and 95 % interval, over tasks; None for one task.
        observed, expected: the weighted share of pairs of attempts of which both are right or
            both wrong, and what chance would give; None without shared tasks.
    """

    se: float | None = None
    interval: tuple[float, float] | None = None
    observed: float | None = None
    expected: float | None = None


@dataclass(frozen=True)
class WhoSolved:
    """The shared tasks by who solved them: sums over tasks of the shares of pairs of attempts.

    Whole numbers where each participant has one attempt at each task.
    """

    both: float
    only_a: float
    only_b: float
    neither: float


@dataclass(frozen=True)
class DisagreementStage:
    """One stage of the attempts at tasks that only one of two participants solved.

    Attributes:
        attempts: that are in the stage and of which the other participant has an attempt with the
            other outcome.
        weight: of these: each pair of attempts with different outcomes has the weight of a pair.
        share: ``weight`` of the weights of all stages; None without any.
    """

    attempts: int
    weight: float
    share: float | None


@dataclass(frozen=True)
class Pair:
    """Two participants on the tasks that both attempted.

    Attributes:
        a, b: their names.
        tasks: compared, sorted.
        rows_a, rows_b: the decided attempts at these.
        kappa: of their correctness.
        solved: the 2×2 of who solved what.
        stages_a, stages_b: each one's stages on what only one of the two solved; the attempts that
            solved it are ``correct``.
        left_out: tasks of either that are not in the comparison: ``only_a_attempted``,
            ``only_b_attempted``, ``undecided``.
    """

    a: str
    b: str
    tasks: tuple[str, ...]
    rows_a: Sequence[Row]
    rows_b: Sequence[Row]
    kappa: Kappa
    solved: WhoSolved
    stages_a: Mapping[Stage, DisagreementStage]
    stages_b: Mapping[Stage, DisagreementStage]
    left_out: Mapping[str, int]


def compare_two(a: str, rows_a: Iterable[Row], b: str, rows_b: Iterable[Row]) -> Pair:
    """Two participants on the tasks that both attempted and that are decided for both."""
    rows_of_a, rows_of_b = list(rows_a), list(rows_b)
    attempted_a, attempted_b = ({row.task for row in rows} for rows in (rows_of_a, rows_of_b))
    shared = attempted_a & attempted_b
    share_a, share_b = _shares_correct(rows_of_a), _shares_correct(rows_of_b)
    both_decided = share_a.keys() & share_b.keys()
    tasks = tuple(sorted(both_decided))
    decided_a, decided_b = (
        [row for row in rows if row.correct is not None and row.task in both_decided]
        for rows in (rows_of_a, rows_of_b)
    )
    shares = [(share_a[task], share_b[task]) for task in tasks]
    return Pair(
        a=a,
        b=b,
        tasks=tasks,
        rows_a=decided_a,
        rows_b=decided_b,
        kappa=correctness_kappa(shares),
        solved=_who_solved(shares),
        stages_a=_disagreement_stages(decided_a, share_b),
        stages_b=_disagreement_stages(decided_b, share_a),
        left_out={
            "only_a_attempted": len(attempted_a - shared),
            "only_b_attempted": len(attempted_b - shared),
            "undecided": len(shared) - len(tasks),
        },
    )


def correctness_kappa(shares: Sequence[tuple[float, float]]) -> Kappa:
    """Cohen's kappa from the shares of right attempts of two participants at each task.

    With shares of 0 and 1 it is Cohen's kappa of two raters, and the standard error that of
    Fleiss, Cohen & Everitt 1969; otherwise both are taken over all pairs of attempts at a task.
    """
    n = len(shares)
    counts = {"shared": n}
    choices = {"level": 0.95}
    if not n:
        return Kappa(value=None, reason="no_shared_task", counts=counts, choices=choices)
    a, b = (math.fsum(share) / n for share in zip(*shares, strict=True))
    agree = [x * y + (1 - x) * (1 - y) for x, y in shares]
    observed = math.fsum(agree) / n
    expected = a * b + (1 - a) * (1 - b)
    if 1 - expected <= 1e-12:
        return Kappa(
            value=None,
            reason="no_variation",
            observed=observed,
            expected=expected,
            counts=counts,
            choices=choices,
        )
    kappa = (observed - expected) / (1 - expected)
    se = interval = None
    if n > 1:
        # Contributions to p_o − (1 − κ) p_e, with ∂p_e/∂a = 2b − 1 and ∂p_e/∂b = 2a − 1.
        influences = [
            (is_same - observed) - (1 - kappa) * ((2 * b - 1) * (x - a) + (2 * a - 1) * (y - b))
            for is_same, (x, y) in zip(agree, shares, strict=True)
        ]
        se = math.sqrt(math.fsum(u * u for u in influences)) / n / (1 - expected)
        reach = two_sided_t(0.95, n - 1) * se
        interval = (kappa - reach, min(1.0, kappa + reach))
    return Kappa(
        value=kappa,
        se=se,
        interval=interval,
        observed=observed,
        expected=expected,
        counts=counts,
        choices=choices,
    )


def _shares_correct(rows: Iterable[Row]) -> dict[str, float]:
    """Task → the share of right attempts among those that are decided."""
    by_task: dict[str, list[bool]] = {}
    for row in rows:
        if row.correct is not None:
            by_task.setdefault(row.task, []).append(row.correct)
    return {task: sum(outcomes) / len(outcomes) for task, outcomes in by_task.items()}


def _who_solved(shares: Sequence[tuple[float, float]]) -> WhoSolved:
    return WhoSolved(
        both=math.fsum(x * y for x, y in shares),
        only_a=math.fsum(x * (1 - y) for x, y in shares),
        only_b=math.fsum((1 - x) * y for x, y in shares),
        neither=math.fsum((1 - x) * (1 - y) for x, y in shares),
    )


def _disagreement_stages(
    rows: Sequence[Row], other: Mapping[str, float]
) -> dict[Stage, DisagreementStage]:
    """The stages of a participant's decided attempts, against the other's shares of right ones."""
    sizes = Counter(row.task for row in rows)
    weighted = [
        (
            stage_of(row),
            (1 - other[row.task] if row.correct else other[row.task]) / sizes[row.task],
        )
        for row in rows
        if reason_left_out(row) is None
    ]
    total_weight = math.fsum(weight for _, weight in weighted)
    stages: dict[Stage, DisagreementStage] = {}
    for stage in STAGES:
        inside = [weight for row_stage, weight in weighted if weight and row_stage == stage]
        weight = math.fsum(inside)
        stages[stage] = DisagreementStage(
            len(inside), weight, weight / total_weight if total_weight else None
        )
    return stages

"""Comparison of systems: who solved what, beyond chance, and where each failed when they differ.

Sources: Cohen 1960 (Educ. Psychol. Meas. 20) for kappa, computed by ``annotation.agreement``; its
use on the correctness of people and agents in MADQA, Borchmann et al. 2026, arXiv 2603.12180.

A participant is a person, all people together, or a system. It has at most one attempt at a task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from pagetrail.annotation.agreement import coefficients
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.cascade import Cascade, error_cascade
from pagetrail.annotation.metrics.result import Result

Grouping = Callable[[Row], str]
Attempts = Mapping[str, Row]
"""Task → the participant's attempt at it."""


@dataclass(frozen=True, kw_only=True)
class Kappa(Result):
    """Cohen's kappa of the correctness of two participants; 0 is chance, below 0 less than chance.

    Undefined: ``no_shared_task``; ``no_variation``, where both solved all, or none.

    Attributes:
        se, interval: analytic standard error and 95 % interval, over tasks; None for one task.
        observed, expected: the share of tasks on which both are right or both wrong, and what
            chance would give; None without shared tasks.
    """

    se: float | None = None
    interval: tuple[float, float] | None = None
    observed: float | None = None
    expected: float | None = None


@dataclass(frozen=True)
class WhoSolved:
    """The shared tasks by who solved them, sorted."""

    both: tuple[str, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    neither: tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    """Two participants on the tasks that both attempted.

    Attributes:
        a, b: their names.
        kappa: of their correctness.
        solved: the 2×2 of who solved what.
        cascade_a, cascade_b: each one's error cascade on the tasks that only one of them solved;
            the tasks that it solved itself are among its ``right`` answers.
        left_out: tasks of either that are not in the comparison: ``only_a_attempted``,
            ``only_b_attempted``, ``undecided``.
    """

    a: str
    b: str
    kappa: Kappa
    solved: WhoSolved
    cascade_a: Cascade
    cascade_b: Cascade
    left_out: Mapping[str, int]


def first_attempts(
    rows: Iterable[Row], participant: Grouping = lambda row: row.system
) -> tuple[list[Row], int]:
    """The first row per participant and task, in the given order, and how many were left out."""
    listed = list(rows)
    kept: dict[tuple[str, str], Row] = {}
    for row in listed:
        kept.setdefault((participant(row), row.task), row)
    return list(kept.values()), len(listed) - len(kept)


def compare_two(a: str, of_a: Attempts, b: str, of_b: Attempts) -> Pair:
    """Two participants on the tasks that both attempted and that are decided for both."""
    shared = sorted(of_a.keys() & of_b.keys())
    decided = [
        task for task in shared if of_a[task].correct is not None and of_b[task].correct is not None
    ]
    solved = _who_solved(decided, of_a, of_b)
    differing = (*solved.only_a, *solved.only_b)
    return Pair(
        a=a,
        b=b,
        kappa=_kappa(solved),
        solved=solved,
        cascade_a=error_cascade(of_a[task] for task in differing),
        cascade_b=error_cascade(of_b[task] for task in differing),
        left_out={
            "only_a_attempted": len(of_a) - len(shared),
            "only_b_attempted": len(of_b) - len(shared),
            "undecided": len(shared) - len(decided),
        },
    )


def _who_solved(tasks: Iterable[str], of_a: Attempts, of_b: Attempts) -> WhoSolved:
    cells: dict[tuple[bool, bool], list[str]] = {
        (True, True): [],
        (True, False): [],
        (False, True): [],
        (False, False): [],
    }
    for task in tasks:
        cells[of_a[task].correct is True, of_b[task].correct is True].append(task)
    return WhoSolved(*(tuple(names) for names in cells.values()))


def _kappa(solved: WhoSolved) -> Kappa:
    counts = {
        "both": len(solved.both),
        "only_a": len(solved.only_a),
        "only_b": len(solved.only_b),
        "neither": len(solved.neither),
    }
    counts["shared"] = sum(counts.values())
    choices = {"level": 0.95}
    if not counts["shared"]:
        return Kappa(value=None, reason="no_shared_task", counts=counts, choices=choices)
    ratings = [
        *([[True, True]] * counts["both"]),
        *([[True, False]] * counts["only_a"]),
        *([[False, True]] * counts["only_b"]),
        *([[False, False]] * counts["neither"]),
    ]
    found = coefficients(ratings, categories=[False, True])["cohen_kappa"]
    return Kappa(
        value=found.value,
        reason=None if found.value is not None else str(found.reason),
        se=found.se,
        interval=found.ci,
        observed=found.pa,
        expected=found.pe,
        counts=counts,
        choices=choices,
    )

"""Accuracy and attribution of a set of rows: means over tasks, by group, unanswerable ones apart.

Source: MADQA, Borchmann et al. 2026, arXiv 2603.12180.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.metrics.result import Result, mean_over_tasks
from annotation.metrics.rows import Row


@dataclass(frozen=True)
class Scores:
    """Means over tasks; attempts at one task are averaged first.

    Attributes:
        attempts, tasks: how many there are, with or without gold.
        accuracy: share of right answers.
        score: mean of what decided: the judgement, ANLS*, or 1 and 0.
        page_f1, doc_f1: undefined, like the others, where no row has one; rows without one are
            counted in ``left_out``.
        decided_by: rows by what decided them; undecided ones under the reason.
    """

    attempts: int
    tasks: int
    accuracy: Result
    score: Result
    page_f1: Result
    doc_f1: Result
    decided_by: Mapping[str, int]


@dataclass(frozen=True)
class Unanswerable:
    """Tasks that the collection holds no answer to.

    Attributes:
        accuracy: share that was recognised as such.
        answered, cited: share that got an answer, or a citation, all the same.
    """

    attempts: int
    tasks: int
    accuracy: Result
    answered: Result
    cited: Result


@dataclass(frozen=True)
class ScoreReport:
    """The scores of answerable tasks, all and by hop type, and of the unanswerable ones."""

    answerable: Scores
    by_hop: Mapping[str, Scores]
    unanswerable: Unanswerable


def score_report(rows: Iterable[Row]) -> ScoreReport:
    """The scores of a set of rows."""
    listed = list(rows)
    answerable = [row for row in listed if not row.unanswerable]
    return ScoreReport(
        answerable=scores(answerable),
        by_hop=scores_by(answerable, lambda row: row.hop),
        unanswerable=_unanswerable([row for row in listed if row.unanswerable]),
    )


def scores(rows: Iterable[Row]) -> Scores:
    """The scores of these rows together."""
    listed = list(rows)
    return Scores(
        attempts=len(listed),
        tasks=_tasks(listed),
        accuracy=_mean(listed, lambda row: row.correct),
        score=_mean(listed, lambda row: row.correctness.score),
        page_f1=_mean(listed, lambda row: row.page_f1.value),
        doc_f1=_mean(listed, lambda row: row.doc_f1.value),
        decided_by=dict(
            sorted(
                Counter(
                    row.correctness.decided_by or row.correctness.reason or "undecided"
                    for row in listed
                ).items()
            )
        ),
    )


def scores_by(
    rows: Iterable[Row], group: Callable[[Row], str | None], *, none: str = "(none)"
) -> dict[str, Scores]:
    """The scores of each group, sorted by name; rows of no group stand under ``none``."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(group(row) or none, []).append(row)
    return {name: scores(groups[name]) for name in sorted(groups)}


def _unanswerable(rows: Sequence[Row]) -> Unanswerable:
    return Unanswerable(
        attempts=len(rows),
        tasks=_tasks(rows),
        accuracy=_mean(rows, lambda row: row.correct),
        answered=_mean(rows, lambda row: row.answered),
        cited=_mean(rows, lambda row: row.cited > 0),
    )


def _mean(rows: Sequence[Row], score: Callable[[Row], float | None]) -> Result:
    scored = [(row.task, value) for row in rows if (value := score(row)) is not None]
    reason = "no_rows" if not rows else "undefined_for_every_row"
    return mean_over_tasks(scored, reason, counts={"left_out": len(rows) - len(scored)})


def _tasks(rows: Iterable[Row]) -> int:
    return len({row.task for row in rows})

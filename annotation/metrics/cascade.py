"""Where attempts fail first: no answer, retrieval, navigation, comprehension.

Source: the error analysis of MADQA, Borchmann et al. 2026, arXiv 2603.12180; the order of the
stages is that of docs/metrics.md, Errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.result import Choice, Result, share

Stage = Literal["no_answer", "retrieval", "navigation", "comprehension", "correct"]
STAGES: tuple[Stage, ...] = ("no_answer", "retrieval", "navigation", "comprehension", "correct")


@dataclass(frozen=True)
class Cascade:
    """The rows by the first stage that they did not get past; every row is in one.

    Attributes:
        stages: by stage, in order, its share of the rows. Its counts have ``right``, the right
            answers among them: one without the right evidence fails in retrieval or navigation.
        n: rows that are in a stage.
        left_out: rows that are in none, by reason: ``unanswerable``, ``no_gold_evidence``,
            ``no_citations_asked``, ``undecided``.
    """

    stages: Mapping[Stage, Result]
    n: int
    left_out: Mapping[str, int]
    choices: Mapping[str, Choice]


def stage(
    *, answered: bool, doc_f1: float | None, page_f1: float | None, correct: bool | None
) -> Stage | None:
    """The first of the stages that holds; None where an undefined result decides.

    Nothing answered; Doc F1 = 0: retrieval; Page F1 = 0: navigation; wrong: comprehension.
    """
    if not answered:
        return "no_answer"
    if doc_f1 is None or page_f1 is None:
        return None
    if doc_f1 == 0:
        return "retrieval"
    if page_f1 == 0:
        return "navigation"
    if correct is None:
        return None
    return "correct" if correct else "comprehension"


def stage_of(row: Row) -> Stage | None:
    """The stage of a row; None where it has none."""
    if reason_left_out(row):
        return None
    return stage(
        answered=row.answered,
        doc_f1=row.doc_f1.value,
        page_f1=row.page_f1.value,
        correct=row.correct,
    )


def reason_left_out(row: Row) -> str | None:
    """Why a row is in no stage; None where it is in one.

    A row without gold evidence or verdict is left out whatever became of it: it could only ever
    be counted where it failed.
    """
    if row.unanswerable:
        return "unanswerable"
    if row.page_f1.reason:
        return row.page_f1.reason
    return "undecided" if row.correct is None else None


def error_cascade(rows: Iterable[Row]) -> Cascade:
    """The cascade of a set of rows."""
    listed = list(rows)
    staged = [(found, row) for row in listed if (found := stage_of(row))]
    left_out = Counter(reason for row in listed if (reason := reason_left_out(row)))
    return Cascade(
        stages={
            name: share(
                sum(found == name for found, _ in staged),
                len(staged),
                "no_rows",
                counts={
                    "right": sum(found == name and row.correct is True for found, row in staged)
                },
            )
            for name in STAGES
        },
        n=len(staged),
        left_out=dict(sorted(left_out.items())),
        choices={"order": " > ".join(STAGES)},
    )

"""Where incorrect attempts fail: no answer, retrieval, navigation, comprehension.

Source: the error decomposition of MADQA, Borchmann et al. 2026, arXiv 2603.12180, appendix H.3.
Correct answers are a stage of their own, whatever was cited (docs/metrics.md, Errors).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.result import Choice, Result, weighted_share
from pagetrail.annotation.statistics.attempt_weights import AttemptScores

Stage = Literal["no_answer", "retrieval", "navigation", "comprehension", "correct"]
STAGES: tuple[Stage, ...] = ("no_answer", "retrieval", "navigation", "comprehension", "correct")


@dataclass(frozen=True)
class Cascade:
    """The rows by stage; every row is in one or left out.

    Attributes:
        staged: the rows that are in a stage, with it.
        stages: by stage, in order, its weighted share of the rows. Its counts have ``part``, the
            rows in this stage, and ``whole``.
        n: rows that are in a stage.
        left_out: rows that are in none, by reason: ``unanswerable``, ``no_gold_evidence``,
            ``no_citations_asked``, ``undecided``.
    """

    staged: Sequence[tuple[Row, Stage]]
    stages: Mapping[Stage, Result]
    n: int
    left_out: Mapping[str, int]
    choices: Mapping[str, Choice]

    def scores(self, stage: Stage) -> AttemptScores:
        """1 for each row in the stage, 0 for each in another."""
        return _scores(self.staged, stage)


def _scores(staged: Sequence[tuple[Row, Stage]], stage: Stage) -> AttemptScores:
    if stage == "correct":
        return AttemptScores(row.scored_answer() for row, _ in staged)
    return AttemptScores(row.scored(float(row_stage == stage)) for row, row_stage in staged)


def stage(
    *, answered: bool, doc_f1: float | None, page_f1: float | None, correct: bool | None
) -> Stage | None:
    """The stage of an attempt; None where nothing decided it, or without gold evidence.

    A correct answer is ``correct`` whatever was cited. Of the incorrect: nothing answered; Doc
    F1 = 0: retrieval; Page F1 = 0: navigation; else comprehension. An empty answer comes before
    retrieval, although the paper lists it last: it has no citations.
    """
    if correct is None:
        return None
    if correct:
        return "correct"
    if not answered:
        return "no_answer"
    if doc_f1 is None or page_f1 is None:
        return None
    if doc_f1 == 0:
        return "retrieval"
    return "navigation" if page_f1 == 0 else "comprehension"


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

    A row without gold evidence or verdict is left out whether it is correct or not.
    """
    if row.unanswerable:
        return "unanswerable"
    if row.page_f1.reason:
        return row.page_f1.reason
    return "undecided" if row.correct is None else None


def error_cascade(rows: Iterable[Row]) -> Cascade:
    """The cascade of a set of rows."""
    all_rows = list(rows)
    left_out = Counter(reason for row in all_rows if (reason := reason_left_out(row)))
    staged = [(row, row_stage) for row in all_rows if (row_stage := stage_of(row))]
    stages = {name: weighted_share(_scores(staged, name), "no_rows") for name in STAGES}
    return Cascade(
        staged=staged,
        stages=stages,
        n=stages["correct"].counts["whole"],
        left_out=dict(sorted(left_out.items())),
        choices={"order": "correct, else " + " > ".join(STAGES[:-1])},
    )


AnswerType = Literal["correct", "verbose", "comprehension", "navigation", "retrieval", "no_answer"]
ANSWER_TYPES: tuple[AnswerType, ...] = (
    "correct",
    "verbose",
    "comprehension",
    "navigation",
    "retrieval",
    "no_answer",
)
ERROR_TYPES: tuple[AnswerType, ...] = ("retrieval", "comprehension", "navigation", "no_answer")
"""In the order of MADQA's table 17."""

_VERBOSE = 0.5


def answer_type(row: Row) -> AnswerType | None:
    """The row's stage in the cascade; ``verbose`` where it is correct by a judge's 0.5.

    None where the row has no stage (``left_out``).
    """
    stage = stage_of(row)
    decided = row.correctness
    if stage == "correct" and decided.decided_by == "judgement" and decided.score == _VERBOSE:
        return "verbose"
    return stage


def left_out(rows: Iterable[Row]) -> dict[str, int]:
    """Reason → rows that have no type, sorted by reason."""
    return dict(sorted(Counter(reason for row in rows if (reason := reason_left_out(row))).items()))

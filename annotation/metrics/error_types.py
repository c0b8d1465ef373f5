"""The stages of the error cascade with verbose answers apart, as in MADQA's charts.

Source: MADQA, Borchmann et al. 2026, arXiv 2603.12180, figure 8 and appendix H.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.cascade import reason_left_out, stage_of

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

"""Rows made by hand."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.attribution import F1
from pagetrail.annotation.metrics.correctness import Correctness
from pagetrail.annotation.metrics.search.steps import SearchStep
from pagetrail.annotation.tasks.task import Hop


def f1(value: float | None) -> F1:
    """An F1 of that value; without one there is no gold."""
    reason = "no_gold_evidence" if value is None else None
    return F1(value=value, reason=reason, precision=value, recall=value)


def query(number: int, text: str = "otters", *gold: tuple[str, int]) -> SearchStep:
    """A search that showed these gold pages among five."""
    return SearchStep(
        number=number,
        query=text,
        shown=5,
        total_hits=50,
        gold_pages=gold,
        gold_documents=tuple(dict.fromkeys(document for document, _ in gold)),
    )


UNDECIDED_ANSWER = Correctness(False, "undecided", 0.0, reason="gold_is_prose")


def make_row(
    task: str = "q1",
    correct: bool | None = True,
    *,
    page: float | None = 1.0,
    doc: float | None = 1.0,
    searches: tuple[SearchStep, ...] = (),
    seconds: float = 30,
    hop: Hop | None = "single",
    **fields: Any,
) -> Row:
    """A row; whatever is not given is the same in all of them."""
    score = None if correct is None else float(correct)
    decided = None if correct is None else "exact_match"
    values: dict[str, Any] = {
        "attempt": f"{task}-a",
        "task": task,
        "system": "Ada",
        "domain": None,
        "category": None,
        "query_type": None,
        "language": None,
        "hop": hop,
        "unanswerable": False,
        "outcome": "answered",
        "answered": True,
        "correctness": Correctness(
            correct, decided, score, reason=None if decided else "no_gold_answer"
        ),
        "page_f1": f1(page),
        "doc_f1": f1(doc),
        "cited": 1,
        "gold_pages": 1,
        "gold_documents": 1,
        "searches": searches,
        "tool_steps": 2 * len(searches),
        "active_s": {60: seconds, 100: seconds, 120: seconds},
        "wall_s": seconds,
        "submit_s": seconds,
    }
    return Row(**(values | fields))

"""The scores of MADQA's evaluator for rows of results, taken as they are given.

Nothing is repaired and no matched row is dropped: a page ``"4"`` is not page 4, page 0 and a
citation without a page count as given, unanswerable tasks count, and an answer that is missing,
null or empty scores 0. docs/metrics.md, MADQA convention, says where that differs from this
project's own measures.
Source: OxRML/MADQA, eval/evaluate.py and eval/metrics.py; Borchmann et al. 2026.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pagetrail.annotation.answers.anls import ANLS_THRESHOLD, anls_of_lists
from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.tasks.task import Hop, pages_zero

HOPS: tuple[Hop, ...] = ("single", "cross_page", "cross_doc")

RowPart = Literal["answer", "citations", "effort"]
"""The parts of a row of results that decide its scores."""

EVALUATOR_ERRORS = (TypeError, AttributeError, ValueError, OverflowError, RecursionError)
"""What MADQA's evaluator raises on rows that it does not accept."""


@dataclass(frozen=True)
class GoldTask:
    """What a task accepts.

    Attributes:
        variants: accepted answers, each a list of texts.
        evidence: (document, page) of the gold, also pages 0.
    """

    id: str
    question: str
    variants: Sequence[Sequence[str]]
    evidence: Sequence[tuple[str, int]]

    @property
    def hop(self) -> Hop:
        """By the evidence; without any, ``single``."""
        if len({document for document, _ in self.evidence}) > 1:
            return "cross_doc"
        return "cross_page" if len(set(self.evidence)) > 1 else "single"


@dataclass(frozen=True)
class ScoredRow:
    """A row of results against its gold; ``steps`` is 0 where it states no positive effort."""

    hop: Hop
    anls: float
    page_f1: float
    doc_f1: float
    steps: float

    @property
    def correct(self) -> bool:
        """Whether the answer is right: from ANLS* 0.5 on."""
        return self.anls >= ANLS_THRESHOLD


@dataclass(frozen=True)
class Scores:
    """Means over rows.

    Attributes:
        kuiper: None where all rows with an effort are right or all wrong, or there are none.
        wasted_effort: None where no right row has an effort; 0 where no wrong one has.
    """

    n: int
    accuracy: float
    anls: float
    page_f1: float
    doc_f1: float
    kuiper: float | None
    wasted_effort: float | None


class Evaluator:
    """Scores rows against the tasks; of tasks with the same question, the last one counts."""

    def __init__(self, gold: Iterable[GoldTask]) -> None:
        tasks = list(gold)
        self._by_question = {task.question.strip(): task for task in tasks}
        self._by_id = {task.id: task for task in tasks}

    def row(self, row: Any) -> ScoredRow | None:
        """The scores of a row, matched by question, else by id; None if neither is a task's.

        Raises:
            MeasureError: MADQA's evaluator would end with an error here.
        """
        try:
            return self._scored(row)
        except EVALUATOR_ERRORS as error:
            raise MeasureError(f"MADQA's evaluator does not accept this row: {error}") from error

    def _scored(self, row: Any) -> ScoredRow | None:
        id_ = row.get("id", "")
        task = self._by_question.get(row.get("question", "").strip())
        if task is None and id_:
            task = self._by_id.get(id_)
        if task is None:
            return None
        return ScoredRow(
            hop=task.hop,
            anls=_anls(row.get("answer", ""), task.variants),
            page_f1=_f1(row, task.evidence, cited_pages),
            doc_f1=_f1(row, {document for document, _ in task.evidence}, cited_documents),
            steps=effort_of_row(row),
        )


def scores(rows: Sequence[ScoredRow]) -> Scores | None:
    """The means; None without rows."""
    if not rows:
        return None
    n = len(rows)
    return Scores(
        n=n,
        accuracy=sum(row.correct for row in rows) / n,
        anls=sum(row.anls for row in rows) / n,
        page_f1=sum(row.page_f1 for row in rows) / n,
        doc_f1=sum(row.doc_f1 for row in rows) / n,
        kuiper=_kuiper(rows),
        wasted_effort=_wasted_effort(rows),
    )


def gold_task(record: Mapping[str, Any]) -> GoldTask:
    """The gold in a task's record, with evidence on page 0 that was left out on import."""
    refs = [*(record.get("evidence") or ()), *pages_zero(record)]
    return GoldTask(
        id=str(record["id"]),
        question=str(record["question"]),
        variants=record.get("answer_variants") or (),
        evidence=[(ref.get("document") or ref.get("file"), int(ref["page"])) for ref in refs],
    )


def differing_parts(row: Mapping[str, Any], stored: Mapping[str, Any]) -> tuple[RowPart, ...]:
    """The parts of a row that the evaluator reads differently in the row that is stored for it."""
    return tuple(part for part, read in _PARTS.items() if _read(read, row) != _read(read, stored))


def answer_texts(row: Any) -> list[str]:
    """The answers of a row as they are compared, in lower case."""
    answer = row.get("answer", "")
    answers = [answer] if isinstance(answer, str) else answer
    return [str(part).lower() for part in answers or ()]


def cited_pages(row: Any) -> set[Any]:
    """The (document, page) pairs that a row cites; those with neither missing."""
    cited = {
        (_document(citation), citation.get("page"))
        for citation in row.get("citations", []) or ()
        if _document(citation) is not None
    }
    return {pair for pair in cited if pair[1] is not None}


def cited_documents(row: Any) -> set[Any]:
    """The documents that a row cites."""
    names = {_document(citation) for citation in row.get("citations", []) or ()}
    return {name for name in names if name}


def effort_of_row(row: Any) -> float:
    """The number of searches of a row, else its iterations; 0 where that is no positive number."""
    history = row.get("search_history", [])
    steps = len(history) if history else row.get("iterations", 0)
    try:
        effort = float(steps)
    except (TypeError, ValueError):
        return 0.0
    return effort if effort > 0 else 0.0


_PARTS: Mapping[RowPart, Callable[[Any], Any]] = {
    "answer": lambda row: sorted(" ".join(text.split()) for text in answer_texts(row)),
    "citations": lambda row: (cited_pages(row), cited_documents(row)),
    "effort": effort_of_row,
}


def _read(read: Callable[[Any], Any], row: Any) -> Any:
    """A part as the evaluator reads it; None where it would end with an error."""
    try:
        return read(row)
    except EVALUATOR_ERRORS:
        return None


def _document(citation: Any) -> Any:
    return citation.get("file") or citation.get("document")


def _anls(answer: Any, variants: Sequence[Sequence[str]]) -> float:
    if not variants:
        return 0.0
    texts = answer_texts({"answer": answer})
    if not texts:
        return 0.0
    return max(anls_of_lists(texts, [str(part) for part in variant]) for variant in variants)


def _f1(row: Any, evidence: Iterable[Any], read_citations: Callable[[Any], set[Any]]) -> float:
    """F1 of sets; without gold the citations are not read, so that malformed ones are accepted."""
    gold = set(evidence)
    if not gold:
        return 0.0
    cited = read_citations(row)
    hits = len(gold & cited)
    precision = hits / len(cited) if cited else 0.0
    recall = hits / len(gold)
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0


def _kuiper(rows: Sequence[ScoredRow]) -> float | None:
    """Rows of one effort keep their order, and the start of the curve, 0, is not on it."""
    tried = sorted((row for row in rows if row.steps > 0), key=lambda row: row.steps)
    correct = np.array([row.correct for row in tried], dtype=float)
    if not tried or correct.min() == correct.max():
        return None
    curve = np.cumsum(correct - correct.mean())
    return float(curve.max() - curve.min())


def _wasted_effort(rows: Sequence[ScoredRow]) -> float | None:
    right, wrong = (
        [row.steps for row in rows if row.steps > 0 and row.correct is is_correct]
        for is_correct in (True, False)
    )
    if not right:
        return None
    return (float(np.mean(wrong)) if wrong else 0.0) / float(np.mean(right))

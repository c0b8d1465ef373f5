"""The scores of MADQA's evaluator for rows of results, taken as they are given.

Nothing is repaired and no matched row is dropped: a page ``"4"`` is not page 4, page 0 and a
citation without a page are what they are, unanswerable tasks count, and an answer that is missing,
null or empty scores 0. Where that differs from this project's own measures is in docs/metrics.md,
MADQA convention.
Source: OxRML/MADQA, eval/evaluate.py and eval/metrics.py; Borchmann et al. 2026.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagetrail.annotation.answers.anls import anls_of_lists
from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.correctness import ANLS_THRESHOLD
from pagetrail.annotation.tasks.task import Hop

HOPS: tuple[Hop, ...] = ("single", "cross_page", "cross_doc")


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
    """Scores rows against the tasks; of tasks that ask the same, the last one counts."""

    def __init__(self, gold: Iterable[GoldTask]) -> None:
        tasks = list(gold)
        self._by_question = {task.question.strip(): task for task in tasks}
        self._by_id = {task.id: task for task in tasks}

    def row(self, row: Any) -> ScoredRow | None:
        """The scores of a row, which is found by its question, else by its id; None if by neither.

        Raises:
            MeasureError: MADQA's evaluator would end with an error here.
        """
        try:
            return self._scored(row)
        except (TypeError, AttributeError, ValueError) as error:
            raise MeasureError(f"MADQA's evaluator does not accept this row: {error}") from error

    def _scored(self, row: Any) -> ScoredRow | None:
        id_ = row.get("id", "")
        task = self._by_question.get(row.get("question", "").strip())
        if task is None and id_:
            task = self._by_id.get(id_)
        if task is None:
            return None
        cited = [
            (cite.get("file") or cite.get("document"), cite.get("page"))
            for cite in row.get("citations", []) or ()
        ]
        pages = {(name, page) for name, page in cited if name is not None and page is not None}
        documents = {name for name, _ in cited if name}
        history = row.get("search_history", [])
        return ScoredRow(
            hop=task.hop,
            anls=_anls(row.get("answer", ""), task.variants),
            page_f1=_f1(pages, set(task.evidence)),
            doc_f1=_f1(documents, {document for document, _ in task.evidence}),
            steps=_effort(len(history) if history else row.get("iterations", 0)),
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
    """The gold in a task's record, with evidence that was left out when it was imported."""
    refs = [*(record.get("evidence") or ()), *(record.get("evidence_left_out") or ())]
    return GoldTask(
        id=str(record["id"]),
        question=str(record["question"]),
        variants=record.get("answer_variants") or (),
        evidence=[(ref.get("document") or ref.get("file"), int(ref["page"])) for ref in refs],
    )


def _anls(answer: Any, variants: Sequence[Sequence[str]]) -> float:
    given = [answer] if isinstance(answer, str) else answer
    if not given or not variants:
        return 0.0
    texts = [str(part).lower() for part in given]
    return max(
        anls_of_lists(texts, [str(part).lower() for part in variant]) for variant in variants
    )


def _f1(cited: set[Any], gold: set[Any]) -> float:
    if not gold:
        return 0.0
    hits = len(gold & cited)
    precision = hits / len(cited) if cited else 0.0
    recall = hits / len(gold)
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0


def _effort(steps: Any) -> float:
    try:
        effort = float(steps)
    except (TypeError, ValueError):
        return 0.0
    return effort if effort > 0 else 0.0


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
        [row.steps for row in rows if row.steps > 0 and row.correct is side]
        for side in (True, False)
    )
    if not right:
        return None
    return (float(np.mean(wrong)) if wrong else 0.0) / float(np.mean(right))

"""How far people who worked on the same task gave the same answer on the same evidence.

Compared pair by pair, without regard to who is right. As for zones (docs/metrics.md, Boxes): where
one of two gave nothing they agree by 0, where neither did there is nothing to compare, and such
pairs are left out. What a task's pairs make is averaged first, so that a task of many annotators
weighs no more than one of two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import combinations

from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.measures import answer_anls
from pagetrail.annotation.metrics.correctness import exact_match
from pagetrail.annotation.statistics.set_overlap import overlap


@dataclass(frozen=True)
class AnswerPair:
    """Two people on one task, each measure in [0, 1]; None where there is nothing to compare.

    Attributes:
        same_outcome: 1 or 0.
        exact_match: whether the answers say the same, in any order.
        anls: ANLS*, the mean of each answer measured against the other.
        anls_both: the same, None unless both answered.
        page_f1, doc_f1: F1 of the sets of cited pages and of their documents.
        page_jaccard: pages that both cited, of those that either did.
    """

    same_outcome: float
    exact_match: float | None
    anls: float | None
    anls_both: float | None
    page_f1: float | None
    doc_f1: float | None
    page_jaccard: float | None


@dataclass(frozen=True)
class TaskAnswers:
    """All pairs of people of one task.

    Attributes:
        n_both, n_one, n_none: pairs of which both, one or none answered.
        means: of each measure over the pairs that have it; None where none has.
        pairs: (names of the two, how far they agree), every pair.
    """

    task: str
    n_pairs: int
    n_both: int
    n_one: int
    n_none: int
    means: dict[str, float | None]
    pairs: tuple[tuple[tuple[str, str], AnswerPair], ...] = ()

    def compared(self, measure: str) -> int:
        """How many pairs have a measure."""
        return sum(getattr(pair, measure) is not None for _, pair in self.pairs)


MEASURES: tuple[str, ...] = tuple(measure.name for measure in fields(AnswerPair))


def answer_pair(a: Submission, b: Submission) -> AnswerPair:
    """How far two people agree on a task; the same whichever comes first."""
    exact: float | None = None
    both_answered = bool(a.answer) and bool(b.answer)
    if both_answered:
        exact = float(_exact(a.answer, b.answer) and _exact(b.answer, a.answer))
    elif a.answer or b.answer:
        exact = 0.0
    anls = answer_anls(a, b)
    pages = overlap(frozenset(a.pages), frozenset(b.pages))
    documents = (frozenset(name for name, _ in submission.pages) for submission in (a, b))
    return AnswerPair(
        same_outcome=float(a.outcome == b.outcome),
        exact_match=exact,
        anls=anls,
        anls_both=anls if both_answered else None,
        page_f1=pages.f1,
        doc_f1=overlap(*documents).f1,
        page_jaccard=pages.jaccard,
    )


def task_answers(task: str, submissions: Iterable[Submission]) -> TaskAnswers:
    """The pairs of one task; there is none where fewer than two people submitted it."""
    submission_pairs = list(combinations(submissions, 2))
    pairs = [answer_pair(a, b) for a, b in submission_pairs]
    kinds = [bool(a.answer) + bool(b.answer) for a, b in submission_pairs]
    return TaskAnswers(
        task=task,
        n_pairs=len(pairs),
        n_both=kinds.count(2),
        n_one=kinds.count(1),
        n_none=kinds.count(0),
        means={name: _mean(getattr(pair, name) for pair in pairs) for name in MEASURES},
        pairs=tuple(
            ((a.name, b.name), pair) for (a, b), pair in zip(submission_pairs, pairs, strict=True)
        ),
    )


def _exact(answer: Sequence[str], other: Sequence[str]) -> bool:
    return bool(exact_match(answer, [other]))


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(defined) if defined else None

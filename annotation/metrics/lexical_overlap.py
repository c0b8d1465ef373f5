"""Could questions be solved by searching for their words? N-grams of questions on pages.

Source: MADQA, Borchmann et al. 2026, arXiv 2603.12180, appendix E.1. Stop words are taken out of
questions and pages alike, so that an n-gram never bridges a gap in one of them only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pagetrail.annotation.authoring.tokens import STOP_WORDS
from pagetrail.annotation.metrics.attribution import Page
from pagetrail.annotation.statistics.tfidf import words

SIZES = (1, 2, 3)
QUESTION_WORDS = frozenset(
    ("describe", "find", "give", "identify", "list", "name", "show", "state", "tell")
)
"""Words of requests; left out of questions like stop words."""

Gram = tuple[str, ...]


@dataclass(frozen=True)
class Matches:
    """The pages that the n-grams of one question lead to.

    Attributes:
        pages: pages with one of them at least.
        found: gold pages among them.
        gold: gold pages of the question.
        grams: n-grams that the question has.
    """

    task: str
    pages: int
    found: int
    gold: int
    grams: int

    @property
    def precision(self) -> float | None:
        """None where no page matches."""
        return self.found / self.pages if self.pages else None

    @property
    def recall(self) -> float | None:
        """None without gold."""
        return self.found / self.gold if self.gold else None


def lexical_matches(
    questions: Mapping[str, tuple[str, frozenset[Page]]], pages: Iterable[tuple[Page, str]]
) -> dict[int, list[Matches]]:
    """Size of n-gram → what each question matches, in the order of the questions.

    Args:
        questions: task → (question, gold pages).
        pages: every page of the collection once, with its text.
    """
    tasks_by_gram: dict[Gram, list[str]] = {}
    grams = {
        (task, size): set(_grams(text, size))
        for task, (text, _) in questions.items()
        for size in SIZES
    }
    for (task, _), task_grams in grams.items():
        for gram in task_grams:
            tasks_by_gram.setdefault(gram, []).append(task)
    matched = dict.fromkeys(grams, 0)
    occurrences = dict.fromkeys(grams, 0)
    for page, text in pages:
        hit = {
            (task, size)
            for size in SIZES
            for gram in set(_grams(text, size))
            for task in tasks_by_gram.get(gram, ())
        }
        for key in hit:
            matched[key] += 1
            occurrences[key] += page in questions[key[0]][1]
    return {
        size: [
            Matches(
                task,
                matched[task, size],
                occurrences[task, size],
                len(questions[task][1]),
                len(grams[task, size]),
            )
            for task in questions
        ]
        for size in SIZES
    }


def _grams(text: str, size: int) -> Iterable[Gram]:
    content_words = [
        word for word in words(text) if word not in STOP_WORDS and word not in QUESTION_WORDS
    ]
    return zip(*(content_words[start:] for start in range(size)), strict=False)

"""Near duplicates among a campaign's questions, by vectors that a model made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pagetrail.annotation.authoring.duplicates import SIMILAR, question_similarity
from pagetrail.annotation.statistics.text_vectors import TextVectors

NEAR_DUPLICATE = 0.9
"""The threshold is this project's."""

_ROWS_AT_ONCE = 1_000
"""Rows of the matrix of cosines that are in memory at a time."""


@dataclass(frozen=True)
class NearDuplicate:
    """Two tasks with similar questions.

    Attributes:
        by_words: whether the check of written questions finds them similar too.
    """

    task: str
    other: str
    cosine: float
    by_words: bool


def near_duplicates(questions: Mapping[str, str], vectors: TextVectors) -> list[NearDuplicate]:
    """Pairs of tasks whose questions have a cosine of at least ``NEAR_DUPLICATE``.

    The most similar come first. Questions without a vector are left out.

    Args:
        questions: task → its question.
    """
    tasks = sorted(task for task, question in questions.items() if vectors.has(question))
    if len(tasks) < 2:
        return []
    matrix = vectors.of_texts([questions[task] for task in tasks]).astype(np.float64)
    pairs: list[tuple[float, int, int]] = []
    for begin in range(0, len(tasks), _ROWS_AT_ONCE):
        cosines = matrix[begin : begin + _ROWS_AT_ONCE] @ matrix.T
        # Rounding must not leave out a cosine at the threshold.
        rows, columns = np.nonzero(cosines >= NEAR_DUPLICATE - 1e-6)
        pairs += [
            (min(1.0, float(cosines[row, column])), begin + int(row), int(column))
            for row, column in zip(rows, columns, strict=True)
            if begin + row < column
        ]
    pairs.sort(key=lambda pair: (-round(pair[0], 9), pair[1], pair[2]))
    return [
        NearDuplicate(
            tasks[row],
            tasks[column],
            cosine,
            question_similarity(questions[tasks[row]], questions[tasks[column]]) >= SIMILAR,
        )
        for cosine, row, column in pairs
    ]

"""Where two people's transcriptions of a page differ, as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NotRequired

from typing_extensions import TypedDict

from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.review.text_merging import passages


class TextPassage(TypedDict):
    """A stretch of two texts; ``right`` only where it differs from ``left``."""

    left: str
    right: NotRequired[str]


class TextPair(TypedDict):
    """Two people's texts, cut where differences begin and end.

    Attributes:
        left: attempt.
        right: attempt.
    """

    left: str
    right: str
    passages: list[TextPassage]


def text_pairs(submissions: Sequence[Submission]) -> list[TextPair]:
    """Every pair of submitted transcriptions."""
    texts = [
        (submission.attempt, submission.transcript)
        for submission in submissions
        if submission.transcript is not None
    ]
    return [
        {
            "left": left,
            "right": right,
            "passages": [
                {"left": passage.left, "right": passage.right}
                if passage.differs
                else {"left": passage.left}
                for passage in passages(left_text, right_text)
            ],
        }
        for (left, left_text), (right, right_text) in combinations(texts, 2)
    ]

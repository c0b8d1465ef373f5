"""Where two transcriptions of a page differ, as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.review.drafts import merged_versions
from pagetrail.annotation.review.text_merging import PART, passages


class TextPassage(TypedDict):
    """A stretch of two texts; ``right`` only where it differs from ``left``."""

    left: str
    right: NotRequired[str]


class TextPair(TypedDict):
    """Two texts, cut where differences begin and end.

    Attributes:
        left: attempt.
        right: attempt, or key of a model's draft.
    """

    left: str
    right: str
    passages: list[TextPassage]


def text_pairs(
    submissions: Sequence[Submission], drafts: Sequence[GoldSubmission]
) -> list[TextPair]:
    """Every pair of submitted transcriptions, and of one with a model's."""
    written = [submission for submission in submissions if submission.transcript is not None]
    return [
        {
            "left": left.attempt,
            "right": right.attempt,
            "passages": [
                {"left": passage.left, "right": passage.right}
                if passage.differs
                else {"left": passage.left}
                for passage in passages(left.transcript or "", right.transcript or "")
            ],
        }
        for left, right in merged_versions(written, drafts, PART)
    ]

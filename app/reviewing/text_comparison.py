"""Where transcriptions of a page differ, as JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.events.review import Choice
from pagetrail.annotation.review.drafts import merged_versions, versions_to_merge
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.text_merging import PART, Passage, passages, text_steps


class TextPassage(TypedDict):
    """A stretch of two texts; ``right`` only where it differs from ``left``."""

    left: str
    right: NotRequired[str]


class TextPair(TypedDict):
    """Two texts, cut where differences begin and end.

    Attributes:
        left: attempt.
        right: attempt, or key of a model's draft.
        merged_from: attempts and drafts that the left text was merged of, in place of ``left``.
        first_number: of the differences, where earlier ones were decided for the left text.
    """

    left: str
    right: str
    merged_from: NotRequired[list[str]]
    first_number: NotRequired[int]
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
            "passages": _passages_json(passages(left.transcript or "", right.transcript or "")),
        }
        for left, right in merged_versions(written, drafts, PART)
    ]


def running_text_pair(
    submissions: Sequence[Submission], drafts: Sequence[GoldSubmission], pick: Pick | Choice | None
) -> TextPair | None:
    """The text merged so far and the version that is compared with it; None before there is one."""
    versions = versions_to_merge((*submissions, *drafts), pick) if pick else []
    if pick is None or len(versions) < 3:
        return None
    texts = [version.transcript or "" for version in versions]
    steps = text_steps(texts, pick.text_decisions)
    return {
        "left": pick.sides[0],
        "right": pick.sides[len(steps)],
        "merged_from": list(pick.sides[: len(steps)]),
        "first_number": steps[-1].first_number,
        "passages": _passages_json(steps[-1].passages),
    }


def _passages_json(cut: Iterable[Passage]) -> list[TextPassage]:
    return [
        {"left": passage.left, "right": passage.right}
        if passage.differs
        else {"left": passage.left}
        for passage in cut
    ]

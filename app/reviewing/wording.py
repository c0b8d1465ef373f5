"""Words of review, the same on the screen and in the terminal."""

from __future__ import annotations

from pagetrail.annotation.review.status import Status
from pagetrail.annotation.review.status_words import STATUS_WORDS
from pagetrail.storage.review.queue import PartRow, QueueRow

STATUS_HELP: dict[Status, str] = {
    "conflict": "People differ, somebody flagged it, or the campaign has every task looked at.",
    "changed": "The work that the gold rests on was handed in anew since.",
    "check": "Became gold by the rule, and was drawn at random to be looked at.",
    "single": "Fewer people than the rule asks for gave anything.",
    "returned": "With its annotator again, who has not handed it in since.",
    "waiting": "People are still at work on it, or nobody has begun.",
    "agreed": "Meets the rule, and becomes gold next.",
    "accepted": "Gold by the rule, without a look.",
    "decided": "Gold by a reviewer.",
}
MOST_PARTS = 3


def differing(parts: tuple[PartRow, ...]) -> str:
    """The parts that differ most, each with its score."""
    shown = [f"{part.label} {part.score:.2f}" for part in parts[:MOST_PARTS]]
    more = len(parts) - len(shown)
    return ", ".join([*shown, *([f"{more} more"] if more else [])])


def status_words(row: QueueRow) -> str:
    """Where a task stands, and by whose decision."""
    words = STATUS_WORDS[row.status]
    return f"{words} by {row.decided_by}" if row.status == "decided" and row.decided_by else words


def shortened(text: str, length: int) -> str:
    """The text on one line, cut with an ellipsis where it is longer."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"

"""Where a task stands in review, in words: the same on every screen, chart and terminal."""

from __future__ import annotations

from pagetrail.annotation.review.status import Status

STATUS_WORDS: dict[Status, str] = {
    "waiting": "With annotators",
    "returned": "Sent back",
    "conflict": "To decide",
    "changed": "Handed in anew",
    "check": "To check",
    "single": "Nothing to compare",
    "agreed": "Agreed",
    "accepted": "Accepted by the rule",
    "decided": "Decided",
}
"""In the order of the work."""

"""The status of a task in review, in words: the same on every screen, chart and terminal."""

from __future__ import annotations

from pagetrail.annotation.review.status import Status

STATUS_WORDS: dict[Status, str] = {
    "waiting": "With annotators",
    "returned": "Returned",
    "conflict": "To decide",
    "changed": "Resubmitted",
    "incomplete": "Incomplete gold",
    "check": "To check",
    "single": "Nothing to compare",
    "alone": "One annotator",
    "agreed": "Agreed",
    "accepted": "Accepted automatically",
    "decided": "Decided",
}
"""In the order of the work."""

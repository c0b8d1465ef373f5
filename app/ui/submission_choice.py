"""Labels of the option that selects the submission that counts."""

from __future__ import annotations

from collections.abc import Mapping

from pagetrail.annotation.attempts.submission import SubmissionVersion

SUBMISSIONS: Mapping[SubmissionVersion, str] = {"first": "First", "final": "Final"}
SUBMISSION_HELP = (
    "First: what was submitted before anybody returned the task, commented on it or showed its "
    "gold. Final: the last submission. Changes after the first submission are counted."
)

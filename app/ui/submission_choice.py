"""Labels of the option that selects the submission that counts."""

from __future__ import annotations

from collections.abc import Mapping

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.messages import N_

SUBMISSIONS: Mapping[SubmissionVersion, str] = {"first": N_("First"), "final": N_("Final")}
SUBMISSION_HELP = N_(
    "First: what was submitted before anybody returned the task, commented "
    "on it or showed its gold. Final: the last submission. Changes after "
    "the first submission are counted."
)

"""Which submission of an attempt counts, in words: an option of results and exports."""

from __future__ import annotations

from collections.abc import Mapping

from pagetrail.annotation.attempts.submission import Which

SUBMISSIONS: Mapping[Which, str] = {"first": "First", "final": "Final"}
SUBMISSION_HELP = (
    "First: what people submitted before anybody sent the task back, commented on it or showed its "
    "gold. Final: their last submission. Changes after the first submission are counted."
)

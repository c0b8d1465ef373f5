"""What annotators flagged or skipped of a task under review, as JSON values."""

from __future__ import annotations

from typing import Any

from pagetrail.storage.review.submissions import TaskWork


def raised_flags(work: TaskWork) -> list[dict[str, Any]]:
    """Every flag and skip, also of work that is not submitted, and whether it was handled."""
    return [
        {
            "attempt": worked.attempt,
            "name": worked.name,
            "flag": worked.state.flag,
            "skipped": worked.state.status == "skipped",
            "skip_reason": worked.state.skip_reason,
            "handled": work.is_handled(worked),
        }
        for worked in work.attempts
        if worked.state.flag is not None or worked.state.status == "skipped"
    ]

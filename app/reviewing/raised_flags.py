"""What annotators flagged or skipped of a task under review, as JSON values."""

from __future__ import annotations

from typing_extensions import TypedDict

from pagetrail.storage.review.submissions import TaskWork


class RaisedFlag(TypedDict):
    """A flag or skip of one person; ``handled`` by a supervisor."""

    attempt: str
    name: str
    flag: str | None
    skipped: bool
    skip_reason: str | None
    handled: bool


def raised_flags(task_work: TaskWork) -> list[RaisedFlag]:
    """Every flag and skip, also of work that is not submitted, and whether it was handled."""
    return [
        {
            "attempt": participant.attempt,
            "name": participant.name,
            "flag": participant.state.flag,
            "skipped": participant.state.status == "skipped",
            "skip_reason": participant.state.skip_reason,
            "handled": task_work.is_handled(participant),
        }
        for participant in task_work.attempts
        if participant.state.flag is not None or participant.state.status == "skipped"
    ]

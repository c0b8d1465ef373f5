"""The time limit of a task: how much of it is used, and what goes when it is up."""

from __future__ import annotations

from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.attempts.state import AttemptState, work_since

GRACE_MS = 5_000
"""What was typed when the time was up may still arrive this much later."""

TOLERANCE_MS = 2_000
"""So much earlier than here may the time be up by the browser's count, which the way of each
message moves a little. A submission is accepted as it is from this moment on."""


def over_by_ms(context: AttemptContext, state: AttemptState, elapsed_ms: int) -> int | None:
    """Milliseconds worked beyond the limit, negative before it; None where there is none.

    Args:
        elapsed_ms: the time, counted from the attempt's first event.
    """
    limit = context.protocol.clock.limit_s
    if limit is None or context.imported or context.review:
        return None
    return state.work_ms + work_since(state, elapsed_ms) - limit * 1_000


def accepts_unfinished(context: AttemptContext, state: AttemptState, elapsed_ms: int) -> bool:
    """Whether the task can be submitted as it is, whatever is missing."""
    over_ms = over_by_ms(context, state, elapsed_ms)
    return over_ms is not None and over_ms >= -TOLERANCE_MS

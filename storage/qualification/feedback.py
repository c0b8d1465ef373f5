"""Feedback on pilot tasks: the stored comparison with gold."""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.qualification.submissions import (
    FEEDBACK_EVENT,
)


def feedback_command(row: AttemptRow, state: AttemptState) -> Command | None:
    """The command that stores the comparison of a submitted pilot task with its gold.

    None if there is nothing to store: not a pilot with feedback, not submitted, no gold, or already
    stored.
    """
    pilot = row.protocol.pilot
    handed_in = state.status in ("submitted", "skipped")
    if not (pilot.enabled and pilot.feedback and handed_in) or state.feedback is not None:
        return None
    feedback = compare(row.context().form(state), row.record)
    if feedback is None:
        return None
    payload = ev.FeedbackGiven(right=feedback.right, score=feedback.score, parts=feedback.parts)
    # The stored comparison must be of the submitted work, even if another tab reopens the task now.
    return Command(FEEDBACK_EVENT, payload, based_on=state.last_seq)

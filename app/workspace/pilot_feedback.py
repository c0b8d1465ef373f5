"""Feedback on a submitted pilot task: compares it with gold, then stores and shows the result."""

from __future__ import annotations

from typing import Annotated, Any

from typing_extensions import TypedDict

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.against_gold import ShownGold, compare, shown_gold
from pagetrail.annotation.comparison.feedback_reasons import reasons
from pagetrail.annotation.errors import NOT_SUBMITTED, Refusal
from pagetrail.annotation.json_types import DumpOf
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import own_attempt
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.qualification.gate import batch_result
from pagetrail.storage.qualification.submissions import (
    FEEDBACK_EVENT,
    feedback_command,
    replaced_verdict,
)

_TRIES = 5


class PilotProgress(TypedDict):
    """A person's result in a pilot so far."""

    done: int
    total: int
    right: int
    pass_mark: float
    passed: bool | None
    undecided: int
    waiting: bool


class FeedbackReply(TypedDict):
    """A task's feedback; ``reasons`` has a sentence for each part that needs one."""

    feedback: Annotated[dict[str, Any], DumpOf(Feedback)]
    gold: ShownGold
    reasons: dict[str, str]
    progress: PilotProgress | None


def give_feedback(services: Services, person: Person, attempt_id: str) -> FeedbackReply:
    """Feedback, gold and the person's progress in the pilot; repeated calls return the same.

    The comparison is stored before any gold leaves the server, and from then on the task cannot
    be reopened.

    Raises:
        Refusal: the campaign is not a pilot with feedback, or the task is not submitted.
        NotFoundError, Forbidden: as ``own_attempt``.
    """
    row = own_attempt(services, person, attempt_id)
    feedback = shown_feedback(services, row, _stored_feedback(services, row))
    form = row.context().form(services.log.state(attempt_id))
    with services.workspace.engine.connect() as connection:
        progress = None if services.is_practice else batch_result(connection, row)
    return {
        "feedback": feedback.model_dump(mode="json"),
        "gold": shown_gold(row.protocol, row.record),
        "reasons": reasons(form, row.record, feedback),
        "progress": None
        if progress is None
        else {
            "done": progress.done,
            "total": progress.total,
            "right": progress.right,
            "pass_mark": progress.pass_mark,
            "passed": progress.passed,
            "undecided": progress.undecided,
            "waiting": progress.is_waiting,
        },
    }


def shown_feedback(services: Services, row: AttemptRow, stored: Feedback) -> Feedback:
    """The feedback as it counts: a supervisor may have replaced the verdict since it was given."""
    with services.workspace.engine.connect() as connection:
        replaced = replaced_verdict(connection, row.campaign_id, row.user_id, row.attempt_id)
    return stored if replaced is None else replaced


def _stored_feedback(services: Services, row: AttemptRow) -> Feedback:
    pilot = row.protocol.pilot
    if row.is_gold or not (pilot.enabled and pilot.feedback):
        raise Refusal(gettext("This campaign gives no feedback on its tasks."), code="no_feedback")
    for _ in range(_TRIES):
        state = services.log.state(row.attempt_id)
        if state.feedback is not None:
            return state.feedback
        row.require_changeable()
        if state.status not in ("submitted", "skipped"):
            raise Refusal(
                gettext("There is feedback once the task is submitted or skipped."),
                code=NOT_SUBMITTED,
            )
        if state.closed:
            return _compare_closed(row, state)
        command = feedback_command(row, state)
        if command is None:
            raise _nothing_to_compare()
        outcome = services.recorder.record(row.context(), [command])
        refusal = outcome.refusals.get(FEEDBACK_EVENT)
        if refusal is not None and refusal.code != "outdated":
            raise refusal
    raise Refusal(gettext("This task is being changed in another tab. Try again."), code="outdated")


def _compare_closed(row: AttemptRow, state: AttemptState) -> Feedback:
    """Feedback on a task whose batch was closed without it; nothing can be stored any more."""
    feedback = compare(row.context().form(state), row.record)
    if feedback is None:
        raise _nothing_to_compare()
    return feedback


def _nothing_to_compare() -> Refusal:
    return Refusal(gettext("This task has no gold to compare with."), code="no_gold")

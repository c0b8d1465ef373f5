"""Actions of annotators: checks their rights, then records events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from typing_extensions import TypedDict

from pagetrail.annotation.attempts.recorder import Command, Recorded
from pagetrail.annotation.attempts.state import AttemptState, Status
from pagetrail.annotation.errors import (
    BadRequest,
    ConflictError,
    Forbidden,
    NotFoundError,
    Refusal,
)
from pagetrail.annotation.events import Submitted, event_types, parse_payload
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.sentences import sentence
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.decisions_above import is_withdrawal_shown, mark_withdrawal_shown
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.attempts.unsent_work import keep_unsent
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.open_close import close_assignment, ensure_attempts
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.roles import is_supervisor

MAX_EVENTS = 200
MAX_AGE_MS = 30 * 86_400_000
"""Maximum age of an action when a browser sends it."""
EVENTS_AT_ONCE = 20
MAX_DOCUMENT_VERSION = 1_000_000
_SERVER_ONLY = event_types(server_only=True)


class SentEvent(BaseModel):
    """An event from a browser; ``age_ms`` is how long ago it happened.

    ``document_version``: of the payload's document, that was on screen.
    """

    model_config = ConfigDict(extra="forbid")
    id: str = Field(min_length=1, max_length=90, pattern=r"^[A-Za-z0-9_.:-]+$")
    type: str
    payload: dict[str, Any] = Field(default_factory=dict)
    client_ts: str | None = Field(default=None, max_length=40)
    age_ms: int = Field(default=0, ge=0, le=MAX_AGE_MS)
    document_version: int = Field(default=1, ge=1, le=MAX_DOCUMENT_VERSION)


class EventBatch(BaseModel):
    """The body of an event request."""

    model_config = ConfigDict(extra="ignore")
    session: str = Field(default="", max_length=100)
    events: list[SentEvent] = Field(max_length=MAX_EVENTS)


class StoredReceipt(TypedDict):
    """An event that is stored; ``repeated`` if it was before."""

    id: str
    seq: int
    server_ts: str
    elapsed_ms: int
    repeated: bool


class EventRefusal(TypedDict):
    """An event that was refused, and the field that it is about."""

    id: str
    code: str
    message: str
    field: str | None


class EventsReply(TypedDict):
    """The answer to a batch of events."""

    receipts: list[StoredReceipt]
    refusals: list[EventRefusal]
    last_seq: int
    status: Status
    work_ms: int
    saved_at: str | None
    epoch: str


def own_attempt(services: Services, person: Person, attempt_id: str) -> AttemptRow:
    """The attempt, if it is this person's, or a gold stream that this supervisor holds.

    Raises:
        NotFoundError: no such attempt.
        Forbidden: somebody else's; written to the audit log.
        ConflictError: gold that this supervisor has not taken to review.
        Refusal: its turn has not come, in a campaign with a fixed order of tasks.
    """
    row = queries.attempt(services.workspace.engine, attempt_id)
    if row.is_gold and is_supervisor(person):
        _holder_check(services, person)(services.log.state(attempt_id))
        return replace(row, user_name=person.name)
    if row.user_id != person.id:
        forbid(services, person, "attempt", attempt_id)
    if row.protocol.study.in_turn and services.log.state(attempt_id).last_seq == 0:
        _require_turn(services, row)
    return row


def _require_turn(services: Services, row: AttemptRow) -> None:
    if row.assignment_id is None:
        return
    tasks = queries.batch_tasks(services.workspace.engine, row.assignment_id)
    if next((task.attempt_id for task in tasks if not task.is_done), None) != row.attempt_id:
        raise Refusal(sentence("not_in_turn"), code="not_in_turn")


def attempt_to_open(services: Services, person: Person, attempt_id: str) -> AttemptRow:
    """``own_attempt``, for display.

    Raises:
        Refusal: it is finished, in a campaign without access to finished tasks.
    """
    row = own_attempt(services, person, attempt_id)
    if not row.protocol.study.go_back and not row.is_gold:
        status = services.log.state(attempt_id).status
        if status in ("submitted", "skipped"):
            raise Refusal(sentence("no_going_back", status=gettext(status)), code="no_going_back")
    return row


def _holder_check(services: Services, person: Person) -> Callable[[AttemptState], None]:
    def check(state: AttemptState) -> None:
        holder = services.reviews.streams.holder(state)
        if holder != person.name:
            message = (
                gettext(
                    "{person} is reviewing this task. Open it from “Review” to continue.",
                    person=holder,
                )
                if holder
                else gettext("You no longer hold this task. Open it from “Review” to continue.")
            )
            raise ConflictError(message, code="taken")

    return check


def storage_guard(
    services: Services, person: Person, row: AttemptRow
) -> Callable[[AttemptState], None] | None:
    """Check to repeat in the write transaction: who holds a gold draft, and whether an annotator
    still has the batch.

    A search or a check may take seconds between ``own_attempt`` and storing.
    """
    if row.is_gold:
        return _holder_check(services, person)

    def check(_state: AttemptState) -> None:
        if row.assignment_id and is_withdrawal_shown(services.workspace.engine, row.assignment_id):
            raise Refusal(sentence("withdrawn"), code="withdrawn")

    return check


def mark_decision_shown(services: Services, row: AttemptRow, shown_mark: str) -> None:
    """Record that the annotator's screen has shown the withdrawal of the batch."""
    withdrawn = row.decisions.withdrawn and shown_mark == row.decisions.mark
    if withdrawn and row.assignment_id is not None and not row.is_withdrawal_shown:
        mark_withdrawal_shown(services.workspace.engine, row.assignment_id, services.clock)


def forbid(services: Services, person: Person, kind: str, target: object) -> None:
    """Record the refused access and raise Forbidden."""
    services.security_log.record(person.name, f"forbidden {kind}", str(target)[:200])
    raise Forbidden(gettext("This is not yours to open. The access was noted."))


def count_events(body: object) -> int:
    """Number of events in an unchecked request."""
    events = body.get("events") if isinstance(body, dict) else None
    return len(events) if isinstance(events, list) else 0


def record_events(services: Services, person: Person, attempt_id: str, body: object) -> EventsReply:
    """Store a batch of client events; returns receipts and refusals by event id.

    A malformed event is refused on its own; the others are stored. What no genuine
    client sends is recorded in the audit log.

    Raises:
        BadRequest: the body as a whole is not a batch.
        NotFoundError, Forbidden: as ``own_attempt``.
    """
    row = own_attempt(services, person, attempt_id)
    try:
        batch = EventBatch.model_validate(body)
    except ValidationError as error:
        problem = BadRequest(
            gettext("This is not a batch of events: {problem}", problem=describe(error))
        )
        services.security_log.record(
            person.name, "refused request", f"{attempt_id}: {problem.message}"
        )
        raise problem from error
    commands: list[Command] = []
    malformed: dict[str, Refusal] = {}
    for event in batch.events:
        try:
            commands.append(_command(event, services.age_ms))
        except Refusal as refusal:
            malformed[event.id] = refusal
    outcome = _record_in_parts(services, person, row, commands)
    refusals = [*malformed.values(), *outcome.refusals.values()]
    services.security_log.record_refusals(person.name, attempt_id, refusals)
    if any(refusal.code == "attempt_full" for refusal in refusals):
        services.security_log.record(person.name, "attempt full", attempt_id)
    return reply(services, outcome, malformed)


def record_command(
    services: Services, person: Person, row: AttemptRow, command: Command
) -> AttemptState:
    """Record an event that the server made; returns the attempt's state after it.

    Raises:
        Refusal: the attempt does not take it.
    """
    guard = storage_guard(services, person, row)
    outcome = services.recorder.record(row.context(), [command], guard)
    for refusal in outcome.refusals.values():
        raise refusal
    return outcome.state


def _record_in_parts(
    services: Services, person: Person, row: AttemptRow, commands: Sequence[Command]
) -> Recorded:
    """Record a limited number of commands per transaction, so that others can write in between.

    Parts that are refused as a whole are stored separately for supervisors.
    """
    guard = storage_guard(services, person, row)
    parts: list[Recorded] = []
    for start in range(0, max(1, len(commands)), EVENTS_AT_ONCE):
        part = commands[start : start + EVENTS_AT_ONCE]
        try:
            row.require_changeable()
            parts.append(services.recorder.record(row.context(), part, guard))
        except Refusal as refusal:
            keep_unsent(services.workspace.engine, row.attempt_id, part, services.clock)
            refusals = {command.client_event_id: refusal for command in part}
            state = services.log.state(row.attempt_id)
            parts.append(Recorded(refusals=refusals, state=state))
    return Recorded(
        receipts=[receipt for part in parts for receipt in part.receipts],
        refusals={id_: refusal for part in parts for id_, refusal in part.refusals.items()},
        state=parts[-1].state,
    )


def reply(
    services: Services, outcome: Recorded, malformed: dict[str, Refusal] | None = None
) -> EventsReply:
    """The answer to a batch of events."""
    refusals = {**(malformed or {}), **outcome.refusals}
    return {
        "receipts": [
            {
                "id": receipt.client_event_id,
                "seq": receipt.seq,
                "server_ts": receipt.server_ts,
                "elapsed_ms": receipt.elapsed_ms,
                "repeated": receipt.repeated,
            }
            for receipt in outcome.receipts
        ],
        "refusals": [
            {"id": id_, "code": refusal.code, "message": refusal.message, "field": refusal.field}
            for id_, refusal in refusals.items()
        ],
        "last_seq": outcome.state.last_seq,
        "status": outcome.state.status,
        "work_ms": outcome.state.work_ms,
        "saved_at": outcome.state.updated_at,
        "epoch": services.epoch,
    }


def open_assignment(services: Services, person: Person, assignment_id: int) -> str:
    """Open a batch; returns the attempt to show, see ``task_to_open``.

    Raises:
        NotFoundError, Forbidden: no such batch, or not this person's.
    """
    engine = services.workspace.engine
    owner, _ = queries.assignment_owner(engine, assignment_id)
    if owner != person.id:
        forbid(services, person, "assignment", assignment_id)
    ensure_attempts(engine, assignment_id, services.clock)
    task = queries.task_to_open(queries.batch_tasks(engine, assignment_id))
    if task is None:
        raise NotFoundError(gettext("This batch has no tasks."))
    return task.attempt_id


def claim_batch(services: Services, person: Person, campaign: str) -> str:
    """Take the campaign's next free batch and open it; returns the attempt to show.

    Raises:
        ConflictError: nothing is left, or the campaign is closed.
    """
    assignment_id = claim_next_batch(services.workspace, campaign, person.id, clock=services.clock)
    if assignment_id is None:
        raise ConflictError(
            gettext(
                "No batch of “{campaign}” has a free slot. Ask your supervisor.", campaign=campaign
            )
        )
    return open_assignment(services, person, assignment_id)


def close_batch(services: Services, person: Person, assignment_id: int) -> None:
    """Close one's own batch.

    Raises:
        ConflictError: tasks are still open.
        NotFoundError, Forbidden: no such batch, or not this person's.
    """
    owner, _ = queries.assignment_owner(services.workspace.engine, assignment_id)
    if owner != person.id:
        forbid(services, person, "assignment", assignment_id)
    close_assignment(services.workspace.engine, services.recorder, assignment_id)


def _command(event: SentEvent, server_age_ms: float) -> Command:
    """The event as a command. What happened before this server started, a screen of an earlier
    version may have kept and sent.
    """
    if event.type in _SERVER_ONLY:
        raise Refusal(
            gettext("A browser cannot send “{type}”.", type=event.type), code="server_only"
        )
    try:
        payload = parse_payload(event.type, event.payload)
    except ValidationError as error:
        raise Refusal(
            gettext(
                "This {type!r} is not valid: {problem}", type=event.type, problem=describe(error)
            ),
            code="invalid",
        ) from (error)
    if isinstance(payload, Submitted) and payload.confidence is not None:
        raise Refusal(gettext("Only agents state a confidence."), code="no_confidence")
    is_from_screen = event.age_ms < server_age_ms
    return Command(
        event.id,
        payload,
        event.client_ts,
        event.age_ms,
        document_version=event.document_version,
        is_from_screen=is_from_screen,
    )

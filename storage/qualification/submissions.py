"""Submitted pilot tasks with their verdicts, read mostly without parsing states.

A verdict that was shown is an event, found by its id. Work is compared here only if a batch was
closed without feedback, once per state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, and_, func, select
from sqlalchemy.orm import aliased

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.task import given_pages
from pagetrail.storage.attempts.cache import AttemptKey, SharedCache, attempt_key
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.campaigns.counting_tasks import COUNTS
from pagetrail.storage.database.json_cache import as_text, record_of
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    EventRow,
    Task,
    User,
)
from pagetrail.storage.qualification.records import (
    Grade,
    Qualification,
    latest_grades,
    qualification_history,
)

FEEDBACK_EVENT = "/feedback"
"""Id of the feedback event. Browsers cannot send ids with a slash."""

CLOSING_EVENT = "/batch-closed"
"""Id of the closing event, likewise."""

STATES_AT_ONCE = 200

_SKIPPED_FEEDBACK = Feedback(right=False, score=0, parts=())
_verdicts: SharedCache[AttemptKey, Feedback] = SharedCache(20_000)


@dataclass(frozen=True)
class HeldBatch:
    """A batch of a pilot that somebody has.

    Attributes:
        tasks: number of its tasks.
    """

    assignment_id: int
    user_id: int
    user_name: str
    code_name: str
    tasks: int


@dataclass(frozen=True)
class SubmittedTask:
    """A pilot task that somebody submitted or skipped.

    Attributes:
        verdict: the comparison with the gold, once feedback was given or the batch is closed.
            An earlier verdict would reveal the gold while the answer can still be changed.
    """

    assignment_id: int
    attempt_id: str
    last_seq: int
    task_id: int
    key: str
    status: str
    verdict: Feedback | None


def read_held_batches(
    connection: Connection, campaign_id: int, user_id: int | None = None
) -> list[HeldBatch]:
    """The pilot's assigned batches, in the order they were assigned.

    Withdrawn batches are left out, though they are not assigned to the same person again.
    """
    n_tasks = (
        select(func.count())
        .select_from(Task)
        .where(Task.batch_id == Batch.id, COUNTS)
        .scalar_subquery()
    )
    statement = (
        select(
            Assignment.id, Assignment.user_id, User.name, Batch.code_name,
            n_tasks.label("tasks"),
        )
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(User, User.id == Assignment.user_id)
        .where(Batch.campaign_id == campaign_id, Assignment.status != WITHDRAWN)
        .order_by(Assignment.id)
    )  # fmt: skip
    if user_id is not None:
        statement = statement.where(Assignment.user_id == user_id)
    return [HeldBatch(*row) for row in connection.execute(statement)]


def read_submitted_tasks(
    connection: Connection, campaign_id: int, protocol: Protocol, user_id: int | None = None
) -> list[SubmittedTask]:
    """The submitted tasks of a pilot, by assignment and position in the batch."""
    feedback_event, closing = aliased(EventRow), aliased(EventRow)
    statement = (
        select(
            Attempt.assignment_id,
            Attempt.id,
            AttemptStateRow.last_seq,
            Task.id.label("task_id"),
            Task.key,
            AttemptStateRow.status,
            feedback_event.payload,
            closing.id.label("closed"),
        )
        .select_from(Assignment)
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(Attempt, Attempt.assignment_id == Assignment.id)
        .join(Task, Task.id == Attempt.task_id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .outerjoin(
            feedback_event,
            and_(
                feedback_event.attempt_id == Attempt.id,
                feedback_event.client_event_id == FEEDBACK_EVENT,
            ),
        )
        .outerjoin(
            closing,
            and_(closing.attempt_id == Attempt.id, closing.client_event_id == CLOSING_EVENT),
        )
        .where(
            Batch.campaign_id == campaign_id,
            COUNTS,
            AttemptStateRow.status.in_(SUBMITTED_OR_SKIPPED),
        )
        .order_by(Assignment.id, Task.position, Task.id)
    )
    if user_id is not None:
        statement = statement.where(Assignment.user_id == user_id)
    rows = connection.execute(statement).all()
    grades = valid_grades(connection, qualification_history(connection, campaign_id, user_id))
    silent = [row for row in rows if row.payload is None and row.closed and row.id not in grades]
    compared = _compared(connection, protocol, silent) if silent else {}
    return [
        SubmittedTask(
            assignment_id=row.assignment_id,
            attempt_id=row.id,
            last_seq=row.last_seq,
            task_id=row.task_id,
            key=row.key,
            status=row.status,
            verdict=grades[row.id].feedback
            if row.id in grades
            else compared.get(row.id)
            if row.payload is None
            else _stored_verdict(row.payload),
        )
        for row in rows
    ]


@dataclass(frozen=True)
class AttemptForm:
    """A submitted task as needed for comparing: the completed form and its record."""

    attempt_id: str
    user_id: int
    task: str
    form: Form
    record: dict[str, Any]


def forms_of(
    connection: Connection, protocol: Protocol, attempts: Sequence[str]
) -> Iterator[AttemptForm]:
    """The completed forms of these attempts, read a few at a time; those without are left out."""
    left = iter(attempts)
    while chunk := list(islice(left, STATES_AT_ONCE)):
        rows = connection.execute(
            select(
                Attempt.id,
                Attempt.user_id,
                Task.key,
                AttemptStateRow.state,
                as_text(Task.record).label("record"),
            )
            .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
            .join(Task, Task.id == Attempt.task_id)
            .where(Attempt.id.in_(chunk))
            .order_by(Task.id, Attempt.id)
        )
        for row in rows:
            record = record_of(row.record)
            state = AttemptState.model_validate_json(row.state)
            form = Form(protocol, state, given_pages(protocol.pages, record))
            yield AttemptForm(row.id, row.user_id, row.key, form, record)


def valid_grades(connection: Connection, rows: Sequence[Qualification]) -> dict[str, Grade]:
    """Attempt → the verdict that replaced the others last, unless it was resubmitted since."""
    grades = latest_grades(rows)
    submissions = last_submissions(connection, list(grades))
    return {
        attempt: grade
        for attempt, grade in grades.items()
        if submissions.get(attempt) == grade.submission
    }


def replaced_verdict(
    connection: Connection, campaign_id: int, user_id: int, attempt_id: str
) -> Feedback | None:
    """The verdict that replaced that of the feedback; None where none did."""
    rows = qualification_history(connection, campaign_id, user_id)
    grade = valid_grades(connection, rows).get(attempt_id)
    return None if grade is None else grade.feedback


def last_submissions(connection: Connection, attempts: Sequence[str]) -> dict[str, int]:
    """Attempt → number of the event that last submitted or skipped it."""
    last_seqs: dict[str, int] = {}
    left = iter(attempts)
    while chunk := list(islice(left, STATES_AT_ONCE)):
        rows = connection.execute(
            select(EventRow.attempt_id, func.max(EventRow.seq))
            .where(EventRow.attempt_id.in_(chunk), EventRow.type.in_(SUBMITTED_OR_SKIPPED))
            .group_by(EventRow.attempt_id)
        )
        last_seqs |= {row[0]: row[1] for row in rows}
    return last_seqs


def _stored_verdict(payload: dict[str, Any]) -> Feedback:
    fields = {name: payload[name] for name in ("right", "score", "parts")}
    return Feedback.model_validate(fields)


def _compared(
    connection: Connection, protocol: Protocol, silent: Sequence[Any]
) -> dict[str, Feedback]:
    """Verdicts on closed tasks without feedback, by attempt."""
    rules = protocol.model_dump_json()
    tasks = connection.execute(
        select(Task.id, as_text(Task.record).label("record")).where(
            Task.id.in_({row.task_id for row in silent})
        )
    )
    gold = {task.id: hash((rules, task.record)) for task in tasks}
    keys = {
        row.id: attempt_key(connection, row.id, row.last_seq, gold[row.task_id]) for row in silent
    }
    verdicts = {attempt: kept for attempt in keys if (kept := _verdicts.get(keys[attempt]))}
    for attempt_form in forms_of(connection, protocol, [a for a in keys if a not in verdicts]):
        verdict = compare(attempt_form.form, attempt_form.record) or _SKIPPED_FEEDBACK
        verdicts[attempt_form.attempt_id] = _verdicts.store(keys[attempt_form.attempt_id], verdict)
    return verdicts


def feedback_command(row: AttemptRow, state: AttemptState) -> Command | None:
    """The command that stores the comparison of a submitted pilot task with its gold.

    None if there is nothing to store: not a pilot with feedback, not submitted, no gold, or already
    stored.
    """
    pilot = row.protocol.pilot
    is_finished = state.status in ("submitted", "skipped")
    if not (pilot.enabled and pilot.feedback and is_finished) or state.feedback is not None:
        return None
    feedback = compare(row.context().form(state), row.record)
    if feedback is None:
        return None
    payload = ev.FeedbackGiven(right=feedback.right, score=feedback.score, parts=feedback.parts)
    # The stored comparison must be of the submitted work, even if another tab reopens the task now.
    return Command(FEEDBACK_EVENT, payload, based_on=state.last_seq)

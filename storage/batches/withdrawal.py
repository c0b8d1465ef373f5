"""Withdrawing a batch from its annotator; the work in it stays stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.campaigns.counting_tasks import IN_BATCH, NOT_IN_BATCH
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    EventRow,
    ReviewTask,
    Task,
    UnsentEventRow,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import Detail, PersonName, audit_in


@dataclass(frozen=True)
class Withdrawal:
    """A batch that was withdrawn from somebody.

    Attributes:
        events: number of events stored for it; they stay.
    """

    campaign: str
    batch: str
    annotator: str
    events: int


def withdraw_batch(
    workspace: Workspace, assignment_id: int, *, started: bool = False, by: str | None = None
) -> Withdrawal:
    """Withdraw a batch from the person who has it.

    An assignment without work is removed, unless hidden gold was drawn for it, which the person may
    have seen and must not get again. Otherwise all work stays stored, submitted tasks still count,
    and the slot becomes free. The same person can be assigned the batch again and resumes the work.
    Browsers with one of its tasks open are told at once; their unsent work is accepted until they
    have shown the withdrawal, and stored outside the log after that
    (``storage.attempts.unsent_work``).

    Args:
        started: whether to withdraw a batch with work in it; otherwise it is refused, so that
            nobody withdraws work by mistake.
        by: as ``assign_batch``.

    Raises:
        NotFoundError: no such assignment.
        ConflictError: work has started, all of it is submitted, or it is already withdrawn.
    """
    with write_transaction(workspace.engine) as connection:
        withdrawal = withdraw_in(connection, assignment_id, started=started)
        batch = f"{withdrawal.campaign}: {withdrawal.batch} from "
        detail = [batch, PersonName(withdrawal.annotator), events_note(withdrawal)]
        audit_if_named(connection, by, "batch_taken_back", detail)
        return withdrawal


def withdraw_in(connection: Connection, assignment_id: int, *, started: bool) -> Withdrawal:
    """``withdraw_batch`` inside a transaction that holds the write lock."""
    row = assignment_row(connection, assignment_id)
    if row.status == WITHDRAWN:
        raise ConflictError(
            gettext(
                "Batch {code_name} has already been withdrawn from {name}.",
                code_name=row.code_name,
                name=row.name,
            )
        )
    attempts = select(Attempt.id).where(Attempt.assignment_id == assignment_id)
    events = connection.execute(
        select(func.count()).select_from(EventRow).where(EventRow.attempt_id.in_(attempts))
    ).scalar_one()
    withdrawal = Withdrawal(row.campaign, row.code_name, row.name, int(events))
    unsent = connection.execute(
        select(func.count())
        .select_from(UnsentEventRow)
        .where(UnsentEventRow.attempt_id.in_(attempts))
    ).scalar_one()
    mark_skipped_tasks(connection, row.batch_id)
    is_assignment = Assignment.id == assignment_id
    if not events and not unsent:  # late work stays readable
        if _has_hidden_gold(connection, assignment_id):
            connection.execute(update(Assignment).where(is_assignment).values(status=WITHDRAWN))
            return withdrawal
        connection.execute(delete(AttemptStateRow).where(AttemptStateRow.attempt_id.in_(attempts)))
        connection.execute(delete(Attempt).where(Attempt.assignment_id == assignment_id))
        connection.execute(delete(Assignment).where(is_assignment))
        return withdrawal
    if row.status == "closed" or not _has_unsubmitted(connection, assignment_id, row.batch_id):
        raise ConflictError(
            gettext(
                "{name} has submitted all of batch {code_name}. There is nothing to withdraw.",
                name=row.name,
                code_name=row.code_name,
            )
        )
    if not started:
        raise ConflictError(
            gettext(
                "{name} has already worked on batch {code_name}: {events} events are "
                "stored. It can be withdrawn as a started batch; its events then stay "
                "stored, and submitted tasks still count.",
                name=row.name,
                code_name=row.code_name,
                events=events,
            )
        )
    connection.execute(update(Assignment).where(is_assignment).values(status=WITHDRAWN))
    return withdrawal


def _has_hidden_gold(connection: Connection, assignment_id: int) -> bool:
    hidden_gold = (
        select(func.count())
        .select_from(Attempt)
        .join(Task, Task.id == Attempt.task_id)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .where(Attempt.assignment_id == assignment_id, Campaign.check_kind == "gold")
    )
    return connection.execute(hidden_gold).scalar_one() > 0


def mark_skipped_tasks(connection: Connection, batch_id: int) -> None:
    """Mark the review of a batch's skipped tasks as stale, since its annotators have changed."""
    skipped = (
        select(Attempt.task_id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .join(Task, Task.id == Attempt.task_id)
        .where(Task.batch_id == batch_id, AttemptStateRow.status == "skipped")
    )
    connection.execute(update(ReviewTask).where(ReviewTask.task_id.in_(skipped)).values(stale=True))


def assignment_row(connection: Connection, assignment_id: int) -> Row[*tuple[Any, ...]]:
    """An assignment's person (``name``), batch, campaign and status.

    Raises:
        NotFoundError: there is none.
    """
    row = connection.execute(
        select(
            User.name,
            Batch.id.label("batch_id"),
            Batch.code_name,
            Campaign.id.label("campaign_id"),
            Campaign.name.label("campaign"),
            Assignment.status,
        )
        .select_from(Assignment)
        .join(User, User.id == Assignment.user_id)
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(Campaign, Campaign.id == Batch.campaign_id)
        .where(Assignment.id == assignment_id)
    ).one_or_none()
    if row is None:
        raise NotFoundError(
            gettext("There is no assignment {assignment_id}.", assignment_id=assignment_id)
        )
    return row


def events_note(withdrawal: Withdrawal) -> str:
    """The audit log's note on work in the batch."""
    return f"; {withdrawal.events} events kept" if withdrawal.events else ""


def audit_if_named(connection: Connection, by: str | None, action: str, detail: Detail) -> None:
    """Record an action in the audit log, in its own transaction, if somebody is named for it."""
    if by is not None:
        audit_in(connection, by, action, detail)


def _has_unsubmitted(connection: Connection, assignment_id: int, batch_id: int) -> bool:
    """Whether the assignment has tasks that are neither submitted nor skipped."""
    tasks = select(func.count()).select_from(Task).where(Task.batch_id == batch_id, IN_BATCH)
    checks = select(Assignment.checks).where(Assignment.id == assignment_id)
    submitted = (
        select(func.count())
        .select_from(Attempt)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(
            Attempt.assignment_id == assignment_id,
            Attempt.task_id.not_in(NOT_IN_BATCH),
            AttemptStateRow.status.in_(SUBMITTED_OR_SKIPPED),
        )
    )
    total: int = sum(connection.execute(statement).scalar_one() for statement in (tasks, checks))
    return total > connection.execute(submitted).scalar_one()

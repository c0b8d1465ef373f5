"""Opening a batch creates its attempts; closing it makes them read-only."""

from __future__ import annotations

from collections import Counter
from uuid import uuid4

from sqlalchemy import Connection, Engine, insert, select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import AttemptContext, Command, Recorder
from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.conditions import condition_of, drawn_condition, setting_name
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.checks import draw_checks
from pagetrail.storage.campaigns.counting_tasks import IN_BATCH
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import WITHDRAWN
from pagetrail.storage.database.tables import Assignment, Attempt, Batch, Campaign, Task
from pagetrail.storage.qualification.submissions import CLOSING_EVENT, feedback_command


def ensure_attempts(engine: Engine, assignment_id: int, clock: Clock) -> None:
    """Create the attempts of an assignment that do not exist yet; idempotent.

    Raises:
        ConflictError: the batch was withdrawn.
    """
    with write_transaction(engine) as connection:
        user_id, status, batch_id, campaign_id, data = connection.execute(
            select(
                Assignment.user_id,
                Assignment.status,
                Assignment.batch_id,
                Campaign.id,
                Campaign.protocol,
            )
            .join(Batch, Batch.id == Assignment.batch_id)
            .join(Campaign, Campaign.id == Batch.campaign_id)
            .where(Assignment.id == assignment_id)
        ).one()
        _require_not_withdrawn(status)
        existing = set(
            connection.execute(
                select(Attempt.task_id).where(Attempt.assignment_id == assignment_id)
            ).scalars()
        )
        in_batch = (
            select(Task.id).where(Task.batch_id == batch_id, IN_BATCH).order_by(Task.position)
        )
        task_ids = list(connection.execute(in_batch).scalars())
        if not existing:
            task_ids += draw_checks(connection, assignment_id, clock)
        setting = _setting(connection, campaign_id, user_id, stored_protocol(data))
        missing = [
            {
                "id": uuid4().hex,
                "task_id": task_id,
                "user_id": user_id,
                "assignment_id": assignment_id,
                "setting": setting,
                "created_at": iso(clock.now()),
            }
            for task_id in task_ids
            if task_id not in existing
        ]
        if missing:
            connection.execute(insert(Attempt), missing)


def _setting(connection: Connection, campaign_id: int, user_id: int, protocol: Protocol) -> str:
    """The setting of a person's attempts, with the person's condition, drawn on first use."""
    if not protocol.study.conditions:
        return protocol.name
    rows = connection.execute(
        select(Attempt.user_id, Attempt.setting)
        .join(Task, Task.id == Attempt.task_id)
        .where(Task.campaign_id == campaign_id)
        .distinct()
    )
    conditions = {row.user_id: condition_of(protocol.name, row.setting) for row in rows}
    condition = conditions.get(user_id)
    if condition is None:
        people = Counter(name for name in conditions.values() if name is not None)
        condition = drawn_condition(protocol, people, str(campaign_id), str(user_id))
    return setting_name(protocol.name, condition)


def close_assignment(engine: Engine, recorder: Recorder, assignment_id: int) -> None:
    """Close a batch whose tasks are all submitted or skipped; each attempt gets an event.

    After a crash the batch can be closed again: the event's id is fixed, so that no attempt gets it
    twice, and the assignment's status changes last.

    Raises:
        ConflictError: tasks are still open (the message says how many), or the batch was withdrawn.
        NotFoundError: no such assignment.
    """
    require_not_withdrawn(engine, assignment_id)
    tasks = queries.batch_tasks(engine, assignment_id)
    unfinished = [task for task in tasks if task.status not in ("submitted", "skipped")]
    if unfinished or not tasks:
        raise ConflictError(
            gettext(
                "{unfinished_count} of {tasks} tasks are not submitted or skipped yet. "
                "Finish them before you close the batch.",
                unfinished_count=len(unfinished),
                tasks=len(tasks),
            )
        )
    for task in tasks:
        row = queries.attempt(engine, task.attempt_id)
        row.require_changeable()
        context: AttemptContext = row.context()
        # In a pilot, tasks count even if their feedback was not viewed before the batch is closed.
        state = SqlEventLog(engine).state(task.attempt_id)
        feedback = feedback_command(row, state)
        # A task that was sent back, or whose next round began after its batch was closed, is closed
        # again.
        n_reopenings = sum(comment.returns for comment in state.comments)
        n_reopenings += max(0, (state.transcript or state.tables).round - 1)
        closing = Command(
            f"{CLOSING_EVENT}-{n_reopenings}" if n_reopenings else CLOSING_EVENT, ev.BatchClosed()
        )
        outcome = recorder.record(context, [*([feedback] if feedback else []), closing])
        if closing.client_event_id in outcome.refusals:
            raise ConflictError(
                gettext(
                    "Task {position} has been reopened. Submit it first.", position=task.position
                )
            )
    with write_transaction(engine) as connection:
        connection.execute(
            update(Assignment).where(Assignment.id == assignment_id).values(status="closed")
        )


def require_not_withdrawn(engine: Engine, assignment_id: int) -> None:
    """Refuse a withdrawn batch.

    Raises:
        ConflictError: it was withdrawn.
        NotFoundError: no such assignment.
    """
    _require_not_withdrawn(queries.assignment_owner(engine, assignment_id)[1])


def _require_not_withdrawn(status: str) -> None:
    if status == WITHDRAWN:
        raise ConflictError(
            gettext(
                "A supervisor withdrew this batch. Your work in it is kept; your other "
                "batches are under My batches."
            )
        )

"""Work that arrives too late for the log: its batch is withdrawn or its campaign archived.

It is not part of the attempt. Supervisors can read it and enter what they want to keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, func, select

from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.clock import iso
from pagetrail.annotation.events import Payload
from pagetrail.annotation.ports import Clock
from pagetrail.storage.attempts.event_rows import stored_payload
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import as_text
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import Attempt, EventRow, Task, UnsentEventRow

MOST_KEPT = 2_000
"""Maximum number of kept changes per attempt, more than a day offline produces."""


@dataclass(frozen=True)
class UnsentEvent:
    """One change that was not accepted.

    Attributes:
        task: key of its task.
        at: when the server received it, ISO-8601 UTC.
    """

    task: str
    at: str
    payload: Payload


def keep_unsent(engine: Engine, attempt_id: str, commands: Sequence[Command], clock: Clock) -> None:
    """Store those commands that are changes and are neither in the log nor kept already.

    At most ``MOST_KEPT`` per attempt.
    """
    rows = [
        {
            "attempt_id": attempt_id,
            "received_at": iso(clock.now()),
            "client_ts": command.client_ts,
            "client_event_id": command.client_event_id,
            "type": command.payload.type,
            "payload": command.payload.model_dump(mode="json", exclude={"type"}),
        }
        for command in commands
        if command.payload.is_content
    ]
    if not rows:
        return
    with write_transaction(engine) as connection:
        stored = set(
            connection.execute(
                select(EventRow.client_event_id).where(
                    EventRow.attempt_id == attempt_id,
                    EventRow.client_event_id.in_([row["client_event_id"] for row in rows]),
                )
            ).scalars()
        )
        n_kept = connection.execute(
            select(func.count()).where(UnsentEventRow.attempt_id == attempt_id)
        ).scalar_one()
        late = [row for row in rows if row["client_event_id"] not in stored]
        late = late[: max(0, MOST_KEPT - n_kept)]
        if late:
            added = insert_into(connection, UnsentEventRow).on_conflict_do_nothing()
            connection.execute(added, late)


def unsent_events(engine: Engine, assignment_id: int) -> list[UnsentEvent]:
    """The kept changes of an assignment, in order of arrival."""
    statement = (
        select(
            Task.key,
            UnsentEventRow.received_at,
            UnsentEventRow.type,
            as_text(UnsentEventRow.payload),
            UnsentEventRow.attempt_id,
        )
        .select_from(UnsentEventRow)
        .join(Attempt, Attempt.id == UnsentEventRow.attempt_id)
        .join(Task, Task.id == Attempt.task_id)
        .where(Attempt.assignment_id == assignment_id)
        .order_by(UnsentEventRow.id)
    )
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    return [
        UnsentEvent(key, received_at, stored_payload(type_, payload, attempt_id))
        for key, received_at, type_, payload, attempt_id in rows
    ]

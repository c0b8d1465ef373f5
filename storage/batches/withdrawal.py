"""A batch is taken back from somebody; what was done in it stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select

from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import HANDED_IN, TAKEN_BACK
from pagetrail.storage.database.tables import (
    ASSIGNMENTS,
    ATTEMPTS,
    BATCHES,
    CAMPAIGNS,
    EVENTS,
    RESPONSES,
    TASKS,
    USERS,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import audit_in


@dataclass(frozen=True)
class TakenBack:
    """A batch that was taken back from somebody.

    Attributes:
        events: how many are stored of the work that had begun; they stay.
    """

    campaign: str
    batch: str
    annotator: str
    events: int


def take_back(
    workspace: Workspace, assignment_id: int, *, begun: bool = False, by: str | None = None
) -> TakenBack:
    """Undo an assignment.

    One that nobody has worked on is removed. Of one with begun work everything stays stored, what
    was handed in counts on, and the place becomes free for somebody else; the same person can be
    given it again and goes on where they were. A browser that has a task of it open may still send
    what it holds, so that nothing is lost; the batch cannot be opened anew.

    Args:
        begun: also where work has begun. Without it such a batch is refused, so that whoever
            believes it to be untouched is told.
        by: as ``give``.

    Raises:
        NotFoundError: no such assignment.
        ConflictError: work has begun; or all of it is handed in, so that there is nothing to
            take; or it was taken back already.
    """
    with write_transaction(workspace.engine) as connection:
        taken = take_back_in(connection, assignment_id, begun=begun)
        detail = f"{taken.campaign}: {taken.batch} from {taken.annotator}{kept(taken)}"
        note(connection, by, "batch_taken_back", detail)
        return taken


def take_back_in(connection: Connection, assignment_id: int, *, begun: bool) -> TakenBack:
    """``take_back`` inside a transaction that holds the write lock."""
    row = assignment_row(connection, assignment_id)
    if row.status == TAKEN_BACK:
        raise ConflictError(f"Batch {row.code_name} was taken back from {row.name} already.")
    attempts = select(ATTEMPTS.c.id).where(ATTEMPTS.c.assignment_id == assignment_id)
    events = connection.execute(
        select(func.count()).select_from(EVENTS).where(EVENTS.c.attempt_id.in_(attempts))
    ).scalar_one()
    done = TakenBack(row.campaign, row.code_name, row.name, int(events))
    own = ASSIGNMENTS.c.id == assignment_id
    if not events:
        connection.execute(RESPONSES.delete().where(RESPONSES.c.attempt_id.in_(attempts)))
        connection.execute(ATTEMPTS.delete().where(ATTEMPTS.c.assignment_id == assignment_id))
        connection.execute(ASSIGNMENTS.delete().where(own))
        return done
    if row.status == "closed" or not _left_to_do(connection, assignment_id, row.batch_id):
        raise ConflictError(
            f"{row.name} has handed in all of batch {row.code_name}. There is nothing to take back."
        )
    if not begun:
        raise ConflictError(
            f"{row.name} has worked on batch {row.code_name} already: {events} events are "
            "stored. It can be taken back as a batch that was begun; what is stored then stays, "
            "and what was handed in counts."
        )
    connection.execute(ASSIGNMENTS.update().where(own).values(status=TAKEN_BACK))
    return done


def assignment_row(connection: Connection, assignment_id: int) -> Row[*tuple[Any, ...]]:
    """An assignment's person (``name``), batch, campaign and status.

    Raises:
        NotFoundError: there is none.
    """
    row = connection.execute(
        select(
            USERS.c.name,
            BATCHES.c.id.label("batch_id"),
            BATCHES.c.code_name,
            CAMPAIGNS.c.id.label("campaign_id"),
            CAMPAIGNS.c.name.label("campaign"),
            ASSIGNMENTS.c.status,
        )
        .select_from(ASSIGNMENTS)
        .join(USERS, USERS.c.id == ASSIGNMENTS.c.user_id)
        .join(BATCHES, BATCHES.c.id == ASSIGNMENTS.c.batch_id)
        .join(CAMPAIGNS, CAMPAIGNS.c.id == BATCHES.c.campaign_id)
        .where(ASSIGNMENTS.c.id == assignment_id)
    ).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no assignment {assignment_id}.")
    return row


def kept(taken: TakenBack) -> str:
    """What the audit log says of begun work."""
    return f"; {taken.events} events kept" if taken.events else ""


def note(connection: Connection, by: str | None, action: str, detail: str) -> None:
    """Note an act in its own transaction, where somebody is named as its author."""
    if by is not None:
        audit_in(connection, by, action, detail)


def _left_to_do(connection: Connection, assignment_id: int, batch_id: int) -> bool:
    """Whether any task of the batch is not handed in by the assignment's person."""
    tasks = select(func.count()).select_from(TASKS).where(TASKS.c.batch_id == batch_id)
    handed_in = (
        select(func.count())
        .select_from(ATTEMPTS.join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id))
        .where(ATTEMPTS.c.assignment_id == assignment_id, RESPONSES.c.status.in_(HANDED_IN))
    )
    left: int = connection.execute(tasks).scalar_one() - connection.execute(handed_in).scalar_one()
    return left > 0

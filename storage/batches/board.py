"""A campaign's batches with their annotators, as shown on the board for assigning work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, select

from pagetrail.annotation.messages import N_
from pagetrail.storage.batches.assignments import batches_in_order
from pagetrail.storage.campaigns.batch_slots import taken_slots
from pagetrail.storage.campaigns.counting_tasks import IN_BATCH, NOT_IN_BATCH
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.portable_sql import count_where
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace

STATE_WORDS = {
    "untouched": N_("not started"),
    "begun": N_("started"),
    "done": N_("submitted"),
    "closed": N_("closed"),
    "taken_back": N_("withdrawn"),
}
"""Names of slot states on screens and in commands."""


@dataclass(frozen=True)
class Slot:
    """One person's slot in a batch.

    Attributes:
        active: whether the person may sign in.
        tasks: number of the batch's tasks, including hidden checks (``storage.batches.checks``).
        holds: whether it counts towards the campaign's overlap.
        status: of the assignment: ``open``, ``closed`` or ``taken_back``.
        begun: tasks with any work, including submitted ones.
        updated_at: time of the last work on it.
    """

    assignment_id: int
    batch: str
    annotator: str
    active: bool
    holds: bool
    status: str
    tasks: int
    submitted: int
    skipped: int
    flagged: int
    begun: int
    updated_at: str | None

    @property
    def finished(self) -> int:
        """Tasks that are submitted or skipped."""
        return self.submitted + self.skipped

    @property
    def state(self) -> str:
        """One of ``STATE_WORDS``."""
        if self.status in (WITHDRAWN, "closed"):
            return self.status
        if self.tasks and self.finished >= self.tasks:
            return "done"
        return "begun" if self.begun else "untouched"

    @property
    def unfinished(self) -> bool:
        """Whether its annotator still has tasks to submit."""
        return self.state in ("untouched", "begun")


@dataclass(frozen=True)
class BatchRow:
    """One batch.

    Attributes:
        free: free slots; 0 in a pilot, which everybody takes.
        slots: in order of assignment.
        due_on: its deadline (YYYY-MM-DD, UTC).
    """

    code_name: str
    position: int
    priority: int
    tasks: int
    free: int
    slots: tuple[Slot, ...]
    due_on: str | None = None

    def unfinished(self) -> bool:
        """Whether any of its annotators still has tasks to submit."""
        return any(slot.unfinished for slot in self.slots)


@dataclass(frozen=True)
class Board:
    """A campaign's batches in the order in which they are assigned.

    Attributes:
        overlap: annotators per batch.
        pilot: whether it is a pilot, which everybody takes.
        status: of the campaign.
    """

    campaign: str
    overlap: int
    pilot: bool
    status: str
    batches: tuple[BatchRow, ...]

    @property
    def slots(self) -> list[Slot]:
        """All slots, batch by batch."""
        return [slot for batch in self.batches for slot in batch.slots]


def board(workspace: Workspace, campaign: str) -> Board:
    """The campaign's current board.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        return board_in(connection, get_campaign(connection, campaign))


def board_in(connection: Connection, campaign: Campaign) -> Board:
    """``board`` on an open connection."""
    protocol = stored_protocol(campaign.protocol)
    sizes: dict[int, int] = {
        row.batch_id: row.n
        for row in connection.execute(
            select(Task.batch_id, func.count().label("n"))
            .where(Task.campaign_id == campaign.id, IN_BATCH)
            .group_by(Task.batch_id)
        )
    }
    taken_pairs = set(taken_slots(connection, campaign.id))
    slots: dict[int, list[Slot]] = {}
    for row in connection.execute(_slot_query(campaign.id)):
        slots.setdefault(row.batch_id, []).append(
            Slot(
                assignment_id=row.id,
                batch=row.code_name,
                annotator=row.name,
                active=bool(row.active),
                holds=(row.code_name, row.name) in taken_pairs,
                status=row.status,
                tasks=sizes.get(row.batch_id, 0) + row.checks,
                submitted=row.submitted,
                skipped=row.skipped,
                flagged=row.flagged,
                begun=row.begun,
                updated_at=row.updated_at,
            )
        )
    return Board(
        campaign=campaign.name,
        overlap=protocol.overlap,
        pilot=protocol.pilot.enabled,
        status=campaign.status,
        batches=tuple(
            BatchRow(
                code_name=batch.code_name,
                position=batch.position,
                priority=batch.priority,
                tasks=sizes.get(batch.id, 0),
                free=0
                if protocol.pilot.enabled
                else max(0, protocol.overlap - sum(p.holds for p in slots.get(batch.id, []))),
                slots=tuple(slots.get(batch.id, [])),
                due_on=batch.due_on,
            )
            for batch in batches_in_order(connection, campaign.id)
        ),
    )


def _slot_query(campaign_id: int) -> Any:
    submitted, skipped = SUBMITTED_OR_SKIPPED
    return (
        select(
            Assignment.id,
            Assignment.batch_id,
            Assignment.status,
            Assignment.checks,
            Batch.code_name,
            User.name,
            User.active,
            count_where(AttemptStateRow.status == submitted).label("submitted"),
            count_where(AttemptStateRow.status == skipped).label("skipped"),
            count_where(AttemptStateRow.flagged).label("flagged"),
            func.count(AttemptStateRow.attempt_id).label("begun"),
            func.max(AttemptStateRow.updated_at).label("updated_at"),
        )
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(User, User.id == Assignment.user_id)
        .outerjoin(Attempt, Attempt.assignment_id == Assignment.id)
        .outerjoin(
            AttemptStateRow,
            and_(AttemptStateRow.attempt_id == Attempt.id, Attempt.task_id.not_in(NOT_IN_BATCH)),
        )
        .where(Batch.campaign_id == campaign_id)
        .group_by(Assignment.id, Batch.id, User.id)
        .order_by(Assignment.id)
    )

"""A campaign's tasks with one system's progress, and whether it may work on them now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, bindparam, null, select

from pagetrail.annotation.attempts.state import AttemptState, Status
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.conditions import without_prefilter
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.attempts.stored_states import current_state
from pagetrail.storage.campaigns.counting_tasks import COUNTS
from pagetrail.storage.campaigns.lookup import get_campaign, get_open_campaign, require_open
from pagetrail.storage.database.json_cache import as_text, record_of, stored_protocol
from pagetrail.storage.database.tables import Attempt, AttemptStateRow, Batch, Campaign, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person

# Built once: every call of an agent runs some of these.
_STATUS = select(Campaign.status).where(Campaign.name == bindparam("campaign"))
_TASK = (
    select(Task.id)
    .join(Campaign, Campaign.id == Task.campaign_id)
    .where(Campaign.name == bindparam("campaign"), Task.key == bindparam("key"), COUNTS)
)
_ACTIVE = select(User.active).where(User.id == bindparam("user"))


@dataclass(frozen=True)
class SystemTask:
    """A task with one system's progress. ``record`` may contain gold: never pass it on.

    Attributes:
        status: of the system's own attempt; ``new`` if it has none.
        state: that attempt's state; a new attempt's unless states were asked for.
    """

    key: str
    record: dict[str, Any]
    status: Status
    state: AttemptState


def open_campaign(workspace: Workspace, campaign: str) -> tuple[Protocol, str]:
    """The protocol, without its pre-filter, and the guidelines (Markdown) of an open campaign.

    Raises:
        NotFoundError: no such campaign; the message lists those that exist.
        ConflictError: it is closed.
    """
    with workspace.engine.connect() as connection:
        row = get_open_campaign(connection, campaign)
        return without_prefilter(stored_protocol(row.protocol)), str(row.guidelines)


def check_access(workspace: Workspace, campaign: str, system: Person) -> None:
    """Refuse work in a closed campaign or by a deactivated system.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is closed, or the system is deactivated.
    """
    with workspace.engine.connect() as connection:
        status = connection.execute(_STATUS, {"campaign": campaign}).scalar()
        active = connection.execute(_ACTIVE, {"user": system.id}).scalar()
        if status != "open":
            require_open(get_campaign(connection, campaign))
    if not active:
        raise ConflictError(
            gettext(
                "The system {system} is deactivated. Use another name, or have it activated.",
                system=system.name,
            )
        )


def system_tasks(
    workspace: Workspace, campaign: str, system: Person, *, states: bool = False
) -> list[SystemTask]:
    """The campaign's tasks in order, with the system's progress; excluded ones are left out.

    Args:
        states: whether to load the attempts' states, which are large.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        is_own_attempt = and_(
            Attempt.task_id == Task.id,
            Attempt.user_id == system.id,
            Attempt.setting == row.protocol["name"],
        )
        rows = connection.execute(
            select(
                Task.key,
                as_text(Task.record).label("record"),
                Attempt.id,
                AttemptStateRow.status,
                AttemptStateRow.last_seq,
                AttemptStateRow.state if states else null().label("state"),
            )
            .join(Batch, Batch.id == Task.batch_id)
            .outerjoin(Attempt, is_own_attempt)
            .outerjoin(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
            .where(Task.campaign_id == row.id, COUNTS)
            .order_by(Batch.position, Task.position, Task.key)
        ).all()
        return [
            SystemTask(
                row.key,
                record_of(row.record),
                row.status or "new",
                AttemptState()
                if row.state is None
                else current_state(connection, row.id, row.state, row.last_seq),
            )
            for row in rows
        ]


def has_task(workspace: Workspace, campaign: str, key: str) -> bool:
    """Whether the campaign has a task with this key that is not excluded."""
    with workspace.engine.connect() as connection:
        task_row = connection.execute(_TASK, {"campaign": campaign, "key": key}).first()
    return task_row is not None

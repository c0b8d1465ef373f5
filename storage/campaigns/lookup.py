"""Finds campaigns by name, and lists them with their progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, and_, func, select

from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.campaigns.batch_slots import taken_slots
from pagetrail.storage.campaigns.counting_tasks import IN_BATCH
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import ARCHIVED, SUBMITTED_OR_SKIPPED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    Task,
)
from pagetrail.storage.database.workspace import Workspace


@dataclass(frozen=True)
class CampaignSummary:
    """A campaign with its counts.

    Attributes:
        protocol: the preset's name, which is the setting of its attempts.
        overlap: annotators per task.
        assignments: assigned batches, each counted once per person; withdrawn ones are left
            out.
        open_places: assignments still needed to fill the overlap.
        expected: number of answers from the current assignments (task × person), including those
            submitted before their batch was withdrawn.
        submitted, skipped, flagged: attempts in that state, by assigned people.
    """

    name: str
    protocol: str
    status: str
    seed: int
    overlap: int
    tasks: int
    batches: int
    assignments: int
    open_places: int
    expected: int
    submitted: int
    skipped: int
    flagged: int


def list_campaigns(workspace: Workspace, *, archived: bool = False) -> list[CampaignSummary]:
    """The campaigns, oldest first; archived ones only if asked for."""
    statement = select(Campaign).where(Campaign.checks_of.is_(None)).order_by(Campaign.id)
    if not archived:
        statement = statement.where(Campaign.status != ARCHIVED)
    with workspace.engine.connect() as connection:
        campaigns = connection.execute(statement).all()
        return [_summary(connection, Campaign.from_row(row)) for row in campaigns]


def protocols_of(engine: Engine, campaigns: Iterable[str]) -> dict[str, Protocol]:
    """Campaign → its protocol, oldest first."""
    statement = (
        select(Campaign.name, Campaign.protocol)
        .where(Campaign.name.in_(list(campaigns)))
        .order_by(Campaign.id)
    )
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    return {row.name: stored_protocol(row.protocol) for row in rows}


def find_campaign(connection: Connection, name: str) -> Campaign | None:
    """The campaign with this name, or None.

    Raises:
        ConflictError: a campaign's name differs in case only.
    """
    for row in connection.execute(select(Campaign)):
        if row.name == name:
            return Campaign.from_row(row)
        if row.name.casefold() == name.casefold():
            raise ConflictError(
                gettext(
                    "There is a campaign {name!r}; {given!r} differs in case only. Use its name.",
                    name=row.name,
                    given=name,
                )
            )
    return None


def get_open_campaign(connection: Connection, name: str) -> Campaign:
    """The open campaign with this name.

    Raises:
        NotFoundError: there is none; the message lists those that exist.
        ConflictError: it is closed, or its name differs in case only.
    """
    row = get_campaign(connection, name)
    require_open(row)
    return row


def get_campaign(connection: Connection, name: str) -> Campaign:
    """The campaign with this name, open or not.

    Raises:
        NotFoundError: there is none; the message lists those that exist.
        ConflictError: its name differs in case only.
    """
    row = find_campaign(connection, name)
    if row is None:
        names = connection.execute(select(Campaign.name).order_by(Campaign.id)).scalars().all()
        hint = (
            gettext("Campaigns: {names}.", names=", ".join(names))
            if names
            else gettext("There are no campaigns yet.")
        )
        raise NotFoundError(gettext("There is no campaign {name!r}. {hint}", name=name, hint=hint))
    return row


def get_task(connection: Connection, campaign: Campaign, key: str, *columns: Any) -> AnyRow:
    """A task of a campaign by its key: these columns of it, or all.

    Raises:
        NotFoundError: the campaign has no such task.
    """
    task = connection.execute(
        select(*(columns or (Task,))).where(Task.campaign_id == campaign.id, Task.key == key)
    ).one_or_none()
    if task is None:
        raise NotFoundError(
            gettext("Campaign {campaign} has no task {key!r}.", campaign=campaign.name, key=key)
        )
    return task


def require_open(campaign: Campaign) -> None:
    """Refuse a campaign that is not open.

    Raises:
        ConflictError: it is closed.
    """
    if campaign.status != "open":
        raise ConflictError(
            gettext(
                "Campaign {campaign} is {status}. Use another one.",
                campaign=campaign.name,
                status=campaign.status,
            )
        )


def _summary(connection: Connection, campaign: Campaign) -> CampaignSummary:
    protocol = stored_protocol(campaign.protocol)
    sizes: dict[str, int] = {
        row.code_name: row.tasks
        for row in connection.execute(
            select(Batch.code_name, func.count(Task.id).label("tasks"))
            .select_from(Batch)
            .outerjoin(Task, and_(Task.batch_id == Batch.id, IN_BATCH))
            .where(Batch.campaign_id == campaign.id)
            .group_by(Batch.code_name)
        )
    }
    assignments = (
        connection.execute(
            select(Batch.code_name)
            .select_from(Assignment)
            .join(Batch, Batch.id == Assignment.batch_id)
            .where(Batch.campaign_id == campaign.id, Assignment.status != WITHDRAWN)
        )
        .scalars()
        .all()
    )
    taken_by_batch = Counter(batch for batch, _ in taken_slots(connection, campaign.id))
    withdrawn = (Assignment.status == WITHDRAWN).label("withdrawn")
    states = connection.execute(
        select(AttemptStateRow.status, AttemptStateRow.flagged, withdrawn, func.count())
        .join(Attempt, Attempt.id == AttemptStateRow.attempt_id)
        .join(Assignment, Assignment.id == Attempt.assignment_id)
        .join(Task, Task.id == Attempt.task_id)
        .where(Task.campaign_id == campaign.id, IN_BATCH)
        .group_by(AttemptStateRow.status, AttemptStateRow.flagged, withdrawn)
    ).all()
    return CampaignSummary(
        name=campaign.name,
        protocol=protocol.name,
        status=campaign.status,
        seed=campaign.seed,
        overlap=protocol.overlap,
        tasks=sum(sizes.values()),
        batches=len(sizes),
        assignments=len(assignments),
        open_places=sum(
            max(0, protocol.overlap - taken_by_batch[batch]) for batch, n in sizes.items() if n
        ),
        expected=sum(sizes[batch] for batch in assignments)
        + sum(
            n
            for status, _, is_withdrawn, n in states
            if is_withdrawn and status in SUBMITTED_OR_SKIPPED
        ),
        submitted=sum(n for status, _, _, n in states if status == "submitted"),
        skipped=sum(n for status, _, _, n in states if status == "skipped"),
        flagged=sum(n for _, flagged, _, n in states if flagged),
    )


def protocol_of_campaign(workspace: Workspace, name: str) -> Protocol:
    """The protocol of the campaign with this name, open or not.

    Raises:
        NotFoundError: there is none.
    """
    with workspace.engine.connect() as connection:
        return stored_protocol(get_campaign(connection, name).protocol)

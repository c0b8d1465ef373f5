"""Which prerequisites of annotating a workspace has, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.campaigns.counting_tasks import COUNTS
from pagetrail.storage.database.json_cache import as_text, protocol_of
from pagetrail.storage.database.statuses import ARCHIVED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    Document,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.invitations import invitations


@dataclass(frozen=True)
class CampaignCounts:
    """A campaign that is not archived.

    Attributes:
        requires: the pilot that it requires, or None.
        people: annotators who have a batch of it.
        submitted: attempts that are submitted, without skipped ones.
    """

    name: str
    pilot: bool
    requires: str | None
    tasks: int
    people: int
    submitted: int


@dataclass(frozen=True)
class SetupState:
    """The workspace's prerequisites in numbers.

    Attributes:
        annotators: number of active annotators.
        archived: names of archived campaigns.
        invited: number of open invitations of annotators.
    """

    documents: int
    pages: int
    annotators: int
    campaigns: tuple[CampaignCounts, ...]
    archived: tuple[str, ...] = ()
    invited: int = 0

    @property
    def pilots(self) -> tuple[CampaignCounts, ...]:
        """The pilots."""
        return tuple(campaign for campaign in self.campaigns if campaign.pilot)

    @property
    def production(self) -> tuple[CampaignCounts, ...]:
        """The others."""
        return tuple(campaign for campaign in self.campaigns if not campaign.pilot)


def setup_state(workspace: Workspace) -> SetupState:
    """The workspace's current setup."""
    with workspace.engine.connect() as connection:
        documents, pages = connection.execute(
            select(func.count(), func.coalesce(func.sum(Document.n_pages), 0)).select_from(Document)
        ).one()
        annotators = connection.execute(
            select(func.count())
            .select_from(User)
            .where(User.role == "annotator", User.active.is_(True))
        ).scalar_one()
        # Campaigns of hidden checks are made by Pagetrail, so they are no part of the setup.
        campaigns = connection.execute(
            select(
                Campaign.id,
                Campaign.name,
                Campaign.status,
                as_text(Campaign.protocol).label("protocol"),
            )
            # Campaigns of hidden checks are made by others, not set up by anybody.
            .where(Campaign.checks_of.is_(None))
            .order_by(Campaign.id)
        ).all()
        # Three short statements per campaign, of which a workspace has few.
        counts = tuple(
            _counts(connection, row.id, row.name, protocol_of(row.protocol))
            for row in campaigns
            if row.status != ARCHIVED
        )
    archived = tuple(row.name for row in campaigns if row.status == ARCHIVED)
    invited = sum(invitation.role == "annotator" for invitation in invitations(workspace))
    return SetupState(int(documents), int(pages), int(annotators), counts, archived, invited)


def _counts(
    connection: Connection, campaign_id: int, name: str, protocol: Protocol
) -> CampaignCounts:
    tasks = select(func.count()).select_from(Task).where(Task.campaign_id == campaign_id, COUNTS)
    people = (
        select(func.count(Assignment.user_id.distinct()))
        .join(Batch, Batch.id == Assignment.batch_id)
        .where(Batch.campaign_id == campaign_id, Assignment.status != WITHDRAWN)
    )
    submitted = (
        select(func.count())
        .select_from(AttemptStateRow)
        .join(Attempt, Attempt.id == AttemptStateRow.attempt_id)
        .join(Task, Task.id == Attempt.task_id)
        .where(
            Task.campaign_id == campaign_id,
            COUNTS,
            AttemptStateRow.status == "submitted",
            Attempt.assignment_id.is_not(None),
        )
    )
    return CampaignCounts(
        name=name,
        pilot=protocol.pilot.enabled,
        requires=protocol.requires,
        tasks=int(connection.execute(tasks).scalar_one()),
        people=int(connection.execute(people).scalar_one()),
        submitted=int(connection.execute(submitted).scalar_one()),
    )

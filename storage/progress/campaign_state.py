"""How far a campaign is, in a few numbers: what its results rest on, and whether they are stale."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select

from pagetrail.storage.campaigns.lookup import known_campaign
from pagetrail.storage.database.tables import ATTEMPTS, RESPONSES, REVIEWS, TASKS, USERS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.system_roles import NOT_PEOPLE, REVIEW, SYSTEM


@dataclass(frozen=True)
class CampaignState:
    """A campaign at one moment.

    Attributes:
        protocol: the preset's name.
        events: how many events its attempts have. The log only grows, so that a campaign whose
            number is the same has seen no work in between.
        tasks, attempts: how many there are.
        submitted: attempts that people have handed in.
        people: how many people have handed in anything.
        shared: tasks that at least two people have handed in.
        systems: systems that have attempts, in alphabetical order.
        decided: tasks with gold decided in review, taken up again or not.
    """

    protocol: str
    events: int
    tasks: int
    attempts: int
    submitted: int
    people: int
    shared: int
    systems: tuple[str, ...]
    decided: int = 0


def campaign_state(workspace: Workspace, campaign: str) -> CampaignState:
    """The campaign as it is now.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        row = known_campaign(connection, campaign)
        tasks = select(func.count()).select_from(TASKS).where(TASKS.c.campaign_id == row.id)
        attempts, events = connection.execute(
            select(
                func.count(case((USERS.c.role != REVIEW, 1))),
                func.coalesce(func.sum(RESPONSES.c.last_seq), 0),
            )
            .select_from(ATTEMPTS)
            .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
            .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
            .outerjoin(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
            .where(TASKS.c.campaign_id == row.id)
        ).one()
        submitted, people, shared = _handed_in(connection, row.id)
        systems = connection.execute(
            select(USERS.c.name)
            .join(ATTEMPTS, ATTEMPTS.c.user_id == USERS.c.id)
            .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
            .where(TASKS.c.campaign_id == row.id, USERS.c.role == SYSTEM)
            .distinct()
            .order_by(USERS.c.name)
        ).scalars()
        decided = select(func.count()).where(
            REVIEWS.c.campaign_id == row.id, REVIEWS.c.gold_version > 0
        )
        return CampaignState(
            protocol=str(row.protocol["name"]),
            events=int(events),
            tasks=int(connection.execute(tasks).scalar_one()),
            attempts=int(attempts),
            submitted=submitted,
            people=people,
            shared=shared,
            systems=tuple(systems),
            decided=int(connection.execute(decided).scalar_one()),
        )


def _handed_in(connection: Connection, campaign_id: int) -> tuple[int, int, int]:
    """Attempts, people and tasks with two people or more, of what people have handed in."""
    done = (
        select(ATTEMPTS.c.task_id, ATTEMPTS.c.user_id)
        .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
        .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
        .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .where(
            TASKS.c.campaign_id == campaign_id,
            USERS.c.role.not_in(NOT_PEOPLE),
            RESPONSES.c.status == "submitted",
        )
        .subquery()
    )
    submitted, people = connection.execute(
        select(func.count(), func.count(done.c.user_id.distinct()))
    ).one()
    several = (
        select(done.c.task_id)
        .group_by(done.c.task_id)
        .having(func.count(done.c.user_id.distinct()) > 1)
        .subquery()
    )
    shared = connection.execute(select(func.count()).select_from(several)).scalar_one()
    return int(submitted), int(people), int(shared)

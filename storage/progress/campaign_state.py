"""A campaign's state in numbers: what its results are based on, and whether they are stale."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select

from pagetrail.storage.campaigns.counting_tasks import COUNTS, EXCLUDED, excluded_tasks
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.campaigns.pay_rates import rates_by_name
from pagetrail.storage.campaigns.price_tables import PRICE_TABLE_KEY
from pagetrail.storage.campaigns.runs_without_documents import is_without_documents
from pagetrail.storage.campaigns.verdict_sets import StoredVerdictSet, stored_verdict_sets
from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.json_cache import as_text
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Campaign,
    Meta,
    ReviewTask,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.profiles import profiles
from pagetrail.storage.people.system_roles import NOT_PEOPLE, REVIEW, SYSTEM

WorkspaceVersion = tuple[str, int, int, int]
"""Version of the data that results depend on: digest of settings; events, tasks, attempts."""


@dataclass(frozen=True)
class CampaignState:
    """A snapshot of a campaign's state.

    Attributes:
        protocol: the preset's name.
        events: number of events of its attempts. The log only grows, so an equal number means that
            no work was done in between.
        tasks, attempts: their numbers.
        submitted: attempts that people have submitted, without skipped ones.
        people: number of people with such attempts.
        shared: tasks that at least two people have submitted.
        systems: systems that have attempts, in alphabetical order.
        decided: tasks with gold decided in review, including reopened ones.
        verdicts: imported sets of verdicts.
        setting: a digest of the protocol, the collection's pages, people's profiles, prices and
            rates of pay.
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
    setting: str = ""
    verdicts: tuple[StoredVerdictSet, ...] = ()

    @property
    def version(self) -> WorkspaceVersion:
        """Equal versions mean equal results."""
        return self.setting, self.events, self.tasks, self.attempts


def campaign_state(workspace: Workspace, campaign: str) -> CampaignState:
    """The campaign's current state.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        tasks = select(func.count()).select_from(Task).where(Task.campaign_id == row.id, COUNTS)
        attempts, events = connection.execute(
            select(
                func.count(case((User.role != REVIEW, 1))),
                func.coalesce(func.sum(AttemptStateRow.last_seq), 0),
            )
            .select_from(Attempt)
            .join(Task, Task.id == Attempt.task_id)
            .join(User, User.id == Attempt.user_id)
            .outerjoin(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
            .where(Task.campaign_id == row.id, COUNTS)
        ).one()
        submitted, people, shared = _submitted_counts(connection, row.id)
        systems = connection.execute(
            select(User.name)
            .join(Attempt, Attempt.user_id == User.id)
            .join(Task, Task.id == Attempt.task_id)
            .where(Task.campaign_id == row.id, User.role == SYSTEM, ~is_without_documents())
            .distinct()
            .order_by(User.name)
        ).scalars()
        decided = select(func.count()).where(
            ReviewTask.campaign_id == row.id,
            ReviewTask.gold_version > 0,
            ReviewTask.task_id.not_in(EXCLUDED),
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
            setting=_setting_digest(connection, row.id),
            verdicts=tuple(stored_verdict_sets(connection, row.id)),
        )


def _setting_digest(connection: Connection, campaign_id: int) -> str:
    protocol = select(as_text(Campaign.protocol)).where(Campaign.id == campaign_id)
    corpus = select(Meta.value).where(Meta.key == REVISION_KEY)
    prices = select(Meta.value).where(Meta.key == PRICE_TABLE_KEY)
    settings = [connection.execute(statement).scalar() for statement in (protocol, corpus, prices)]
    settings.append(repr(sorted(excluded_tasks(connection, campaign_id).items())))
    settings.append(repr(sorted(profiles(connection).items())))
    settings.append(repr(sorted(rates_by_name(connection, campaign_id).items(), key=repr)))
    return hashlib.sha256(repr(settings).encode()).hexdigest()


def _submitted_counts(connection: Connection, campaign_id: int) -> tuple[int, int, int]:
    """Submitted attempts by people, the people, and tasks that two or more of them submitted."""
    done = (
        select(Attempt.task_id, Attempt.user_id)
        .join(Task, Task.id == Attempt.task_id)
        .join(User, User.id == Attempt.user_id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(
            Task.campaign_id == campaign_id,
            COUNTS,
            User.role.not_in(NOT_PEOPLE),
            AttemptStateRow.status == "submitted",
        )
        .subquery()
    )
    submitted, people = connection.execute(
        select(func.count(), func.count(done.c.user_id.distinct()))
    ).one()
    shared_tasks = (
        select(done.c.task_id)
        .group_by(done.c.task_id)
        .having(func.count(done.c.user_id.distinct()) > 1)
        .subquery()
    )
    shared = connection.execute(select(func.count()).select_from(shared_tasks)).scalar_one()
    return int(submitted), int(people), int(shared)

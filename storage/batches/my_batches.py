"""Assigned batches with their progress, and batches that can be claimed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, Engine, Select, and_, case, func, literal, select

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.attempts.queries import LAST_COMMENTED_BY
from pagetrail.storage.batches.claims import free_batches
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.portable_sql import as_json
from pagetrail.storage.database.records import CampaignRecord
from pagetrail.storage.database.statuses import ARCHIVED, TAKEN_BACK
from pagetrail.storage.database.tables import (
    ASSIGNMENTS,
    ATTEMPTS,
    BATCHES,
    CAMPAIGNS,
    EVENTS,
    GUIDELINE_VERSIONS,
    RESPONSES,
    TASKS,
    USERS,
)
from pagetrail.storage.people.accounts import person_of
from pagetrail.storage.qualification.gate import PilotResult, next_batch, result_of, why_closed


@dataclass(frozen=True)
class AssignmentRow:
    """An assigned batch with its progress.

    Attributes:
        opened: tasks started and not submitted, including those sent back.
        returned: tasks sent back and not resubmitted; counted for one person's batches only.
        due_on: day by which the batch is to be submitted (YYYY-MM-DD, UTC).
        unanswered: tasks whose last comment, a supervisor's, did not send them back; likewise.
        go_back: whether finished tasks can be looked at again.
        shows_progress: whether the annotator sees how many tasks there are and are done.
    """

    assignment_id: int
    campaign: str
    title: str
    code_name: str
    status: str
    tasks: int
    submitted: int
    skipped: int
    opened: int
    flagged: int
    updated_at: str | None
    user_name: str
    returned: int = 0
    unanswered: int = 0
    due_on: str | None = None
    go_back: bool = True
    shows_progress: bool = True

    def is_due(self, today: date) -> bool:
        """Whether it is due by that day, with tasks left."""
        unfinished = self.status == "open" and self.handled < self.tasks
        return self.due_on is not None and unfinished and self.due_on <= today.isoformat()

    @property
    def handled(self) -> int:
        """Tasks that are submitted or skipped."""
        return self.submitted + self.skipped


def assignments(
    engine: Engine, user_id: int | None = None, *, archived: bool = False
) -> list[AssignmentRow]:
    """One person's batches, or everybody's, high priority first.

    Withdrawn batches are in everybody's list only, since their work stays stored. Batches of
    archived campaigns are left out unless they are asked for.
    """
    n_tasks = (
        select(func.count())
        .select_from(TASKS)
        .where(TASKS.c.batch_id == BATCHES.c.id)
        .scalar_subquery()
    )

    def count(condition: Any) -> Any:
        return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)

    # States are parsed for one person's few attempts, not for everybody's.
    talk = user_id is not None
    back = and_(RESPONSES.c.status == "open", as_json(RESPONSES.c.state)["returned"].as_boolean())
    asked = USERS.c.name != LAST_COMMENTED_BY
    statement: Select[Any] = (
        select(
            ASSIGNMENTS.c.id,
            ASSIGNMENTS.c.status,
            CAMPAIGNS.c.name.label("campaign"),
            CAMPAIGNS.c.protocol,
            BATCHES.c.code_name,
            BATCHES.c.due_on,
            USERS.c.name.label("user_name"),
            (n_tasks + ASSIGNMENTS.c.checks).label("tasks"),
            count(RESPONSES.c.status == "submitted").label("submitted"),
            count(RESPONSES.c.status == "skipped").label("skipped"),
            count(RESPONSES.c.status == "open").label("opened"),
            count(RESPONSES.c.flagged).label("flagged"),
            func.max(RESPONSES.c.updated_at).label("updated_at"),
            (count(back) if talk else literal(0)).label("returned"),
            (count(asked) if talk else literal(0)).label("unanswered"),
        )
        .join(BATCHES, BATCHES.c.id == ASSIGNMENTS.c.batch_id)
        .join(CAMPAIGNS, CAMPAIGNS.c.id == BATCHES.c.campaign_id)
        .join(USERS, USERS.c.id == ASSIGNMENTS.c.user_id)
        .outerjoin(ATTEMPTS, ATTEMPTS.c.assignment_id == ASSIGNMENTS.c.id)
        .outerjoin(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .group_by(ASSIGNMENTS.c.id, CAMPAIGNS.c.id, BATCHES.c.id, USERS.c.id)
        .order_by(CAMPAIGNS.c.id, BATCHES.c.priority.desc(), BATCHES.c.position, USERS.c.name)
    )
    if not archived:
        statement = statement.where(CAMPAIGNS.c.status != ARCHIVED)
    if user_id is not None:
        statement = statement.where(
            ASSIGNMENTS.c.user_id == user_id, ASSIGNMENTS.c.status != TAKEN_BACK
        )
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    return [
        AssignmentRow(
            assignment_id=row.id,
            campaign=row.campaign,
            title=row.protocol["title"],
            code_name=row.code_name,
            status=row.status,
            tasks=row.tasks,
            submitted=row.submitted,
            skipped=row.skipped,
            opened=row.opened,
            flagged=row.flagged,
            updated_at=row.updated_at,
            user_name=row.user_name,
            returned=row.returned,
            unanswered=row.unanswered,
            due_on=row.due_on,
            go_back=row.protocol.get("study", {}).get("go_back", True),
            shows_progress=row.protocol.get("study", {}).get("progress", True),
        )
        for row in rows
    ]


def campaign_guidelines(engine: Engine, user_id: int) -> dict[str, str]:
    """Guidelines of the campaigns that a person has batches of: campaign → Markdown."""
    statement = (
        select(CAMPAIGNS.c.name, CAMPAIGNS.c.guidelines)
        .join(BATCHES, BATCHES.c.campaign_id == CAMPAIGNS.c.id)
        .join(ASSIGNMENTS, ASSIGNMENTS.c.batch_id == BATCHES.c.id)
        .where(ASSIGNMENTS.c.user_id == user_id)
        .where(CAMPAIGNS.c.status != ARCHIVED)
        .distinct()
        .order_by(CAMPAIGNS.c.name)
    )
    with engine.connect() as connection:
        return {row.name: row.guidelines for row in connection.execute(statement)}


def guidelines_unread(engine: Engine, campaign_id: int, user_id: int) -> bool:
    """Whether a person has done nothing in a campaign since its guidelines last changed.

    Whoever works meanwhile is told of a change on the task's screen.
    """
    changed = (
        select(func.coalesce(func.max(GUIDELINE_VERSIONS.c.at), ""))
        .where(GUIDELINE_VERSIONS.c.campaign_id == campaign_id)
        .scalar_subquery()
    )
    done = (
        select(EVENTS.c.id)
        .join(ATTEMPTS, ATTEMPTS.c.id == EVENTS.c.attempt_id)
        .join(ASSIGNMENTS, ASSIGNMENTS.c.id == ATTEMPTS.c.assignment_id)
        .join(BATCHES, BATCHES.c.id == ASSIGNMENTS.c.batch_id)
        .where(BATCHES.c.campaign_id == campaign_id, ASSIGNMENTS.c.user_id == user_id)
        .where(EVENTS.c.server_ts > changed)
        .limit(1)
    )
    with engine.connect() as connection:
        return connection.execute(done).first() is None


def claimable_campaigns(engine: Engine, user_id: int) -> dict[str, int]:
    """Open campaigns with batches that have a free slot and that this person has never had.

    In a pilot, that is the next batch; a campaign that requires a pilot not yet passed has none.

    Returns:
        campaign → number of such batches.
    """
    free: dict[str, int] = {}
    with engine.connect() as connection:
        user = connection.execute(select(USERS).where(USERS.c.id == user_id)).one()
        person = person_of(user)
        for record, protocol in _open_campaigns(connection):
            name = record.name
            if protocol.pilot.enabled:
                count = int(_has_next(connection, record.id, user_id))
            elif why_closed(connection, protocol, user_id):
                continue
            else:
                count = len(free_batches(connection, record, person))
            if count:
                free[name] = count
    return free


@dataclass(frozen=True)
class PilotStatus:
    """One person's pilots, and the campaigns that they close to that person.

    Attributes:
        results: pilot campaign → the person's result in it.
        closed: open campaign → why the person cannot claim a batch of it yet.
    """

    results: dict[str, PilotResult]
    closed: dict[str, str]


def pilot_status(engine: Engine, user_id: int) -> PilotStatus:
    """The pilots that a person takes or has taken, and the campaigns that require them."""
    found = PilotStatus({}, {})
    with engine.connect() as connection:
        for record, protocol in _open_campaigns(connection):
            name = record.name
            result = result_of(connection, name, user_id) if protocol.pilot.enabled else None
            if result is not None:
                found.results[name] = result
            reason = why_closed(connection, protocol, user_id)
            if reason is not None:
                found.closed[name] = reason
    return found


def _open_campaigns(connection: Connection) -> list[tuple[CampaignRecord, Protocol]]:
    rows = connection.execute(
        select(CAMPAIGNS).where(CAMPAIGNS.c.status == "open").order_by(CAMPAIGNS.c.id)
    )
    records = [CampaignRecord._make(row) for row in rows]
    return [(record, stored_protocol(record.protocol)) for record in records]


def _has_next(connection: Connection, campaign_id: int, user_id: int) -> bool:
    try:
        return next_batch(connection, campaign_id, user_id) is not None
    except ConflictError:
        return False

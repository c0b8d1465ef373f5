"""Assigned batches with their progress, and batches that can be claimed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, Engine, and_, func, literal, not_, select

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.attempts.queries import LAST_COMMENTED_BY, ROUND
from pagetrail.storage.batches.claims import free_batches
from pagetrail.storage.campaigns.batch_slots import BATCH_ORDER
from pagetrail.storage.campaigns.counting_tasks import IN_BATCH, NOT_IN_BATCH
from pagetrail.storage.database.base import AnySelect
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.portable_sql import as_json, count_where
from pagetrail.storage.database.statuses import ARCHIVED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    EventRow,
    GuidelineVersion,
    Task,
    User,
)
from pagetrail.storage.people.accounts import person_of
from pagetrail.storage.qualification.gate import (
    PilotResult,
    closed_reason,
    next_pilot_batch,
    pilot_result,
)


@dataclass(frozen=True)
class AssignmentRow:
    """An assigned batch with its progress.

    Attributes:
        protocol: the protocol's name.
        title: the protocol's title.
        opened: tasks started and not submitted, including those sent back.
        returned: tasks sent back and not resubmitted; counted for one person's batches only.
        next_round: other tasks that a model has answered and that are not resubmitted; counted for
            one person's batches only.
        due_on: the batch's deadline (YYYY-MM-DD, UTC).
        unanswered: tasks whose last comment is a supervisor's that did not send them back;
            counted for one person's batches only.
        go_back: whether finished tasks can be reopened.
        shows_progress: whether the annotator sees the numbers of tasks and finished tasks.
    """

    assignment_id: int
    campaign: str
    protocol: str
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
    next_round: int = 0
    unanswered: int = 0
    due_on: str | None = None
    go_back: bool = True
    shows_progress: bool = True

    def is_due(self, today: date) -> bool:
        """Whether it is due by ``today`` and has unfinished tasks."""
        unfinished = self.status == "open" and self.handled < self.tasks
        return self.due_on is not None and unfinished and self.due_on <= today.isoformat()

    @property
    def handled(self) -> int:
        """Tasks that are submitted or skipped."""
        return self.submitted + self.skipped


def assignments(
    engine: Engine, user_id: int | None = None, *, archived: bool = False
) -> list[AssignmentRow]:
    """One person's batches, or everybody's, highest priority first.

    Everybody's batches include withdrawn ones, since their work stays stored. Batches of archived
    campaigns are left out by default.
    """
    n_tasks = (
        select(func.count())
        .select_from(Task)
        .where(Task.batch_id == Batch.id, IN_BATCH)
        .scalar_subquery()
    )

    # States are parsed for one person's few attempts, not for everybody's.
    counts_per_person = user_id is not None
    is_returned = and_(
        AttemptStateRow.status == "open", as_json(AttemptStateRow.state)["returned"].as_boolean()
    )
    is_in_next_round = and_(AttemptStateRow.status == "open", not_(is_returned), ROUND > 1)
    # NULL, and so not counted, where nobody commented or the last comment sent the task back.
    has_question = and_(
        User.id != LAST_COMMENTED_BY, AttemptStateRow.attempt_id == Attempt.id
    )  # the state of an excluded task is not joined
    statement: AnySelect = (
        select(
            Assignment.id,
            Assignment.status,
            Campaign.name.label("campaign"),
            Campaign.protocol,
            Batch.code_name,
            Batch.due_on,
            User.name.label("user_name"),
            (n_tasks + Assignment.checks).label("tasks"),
            count_where(AttemptStateRow.status == "submitted").label("submitted"),
            count_where(AttemptStateRow.status == "skipped").label("skipped"),
            count_where(AttemptStateRow.status == "open").label("opened"),
            count_where(AttemptStateRow.flagged).label("flagged"),
            func.max(AttemptStateRow.updated_at).label("updated_at"),
            (count_where(is_returned) if counts_per_person else literal(0)).label("returned"),
            (count_where(is_in_next_round) if counts_per_person else literal(0)).label(
                "next_round"
            ),
            (
                count_where(and_(has_question, Attempt.task_id.not_in(NOT_IN_BATCH)))
                if counts_per_person
                else literal(0)
            ).label("unanswered"),
        )
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(Campaign, Campaign.id == Batch.campaign_id)
        .join(User, User.id == Assignment.user_id)
        .outerjoin(Attempt, Attempt.assignment_id == Assignment.id)
        .outerjoin(
            AttemptStateRow,
            and_(AttemptStateRow.attempt_id == Attempt.id, Attempt.task_id.not_in(NOT_IN_BATCH)),
        )
        .group_by(Assignment.id, Campaign.id, Batch.id, User.id)
        .order_by(Campaign.id, *BATCH_ORDER, User.name)
    )
    if not archived:
        statement = statement.where(Campaign.status != ARCHIVED)
    if user_id is not None:
        statement = statement.where(Assignment.user_id == user_id, Assignment.status != WITHDRAWN)
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    return [
        AssignmentRow(
            assignment_id=row.id,
            campaign=row.campaign,
            protocol=row.protocol["name"],
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
            next_round=row.next_round,
            unanswered=row.unanswered,
            due_on=row.due_on,
            go_back=row.protocol.get("study", {}).get("go_back", True),
            shows_progress=row.protocol.get("study", {}).get("progress", True),
        )
        for row in rows
    ]


def campaign_guidelines(engine: Engine, user_id: int) -> dict[str, str]:
    """Campaign → guidelines (Markdown), for campaigns in which the person has batches."""
    statement = (
        select(Campaign.name, Campaign.guidelines)
        .join(Batch, Batch.campaign_id == Campaign.id)
        .join(Assignment, Assignment.batch_id == Batch.id)
        .where(Assignment.user_id == user_id)
        .where(Campaign.status != ARCHIVED)
        .distinct()
        .order_by(Campaign.name)
    )
    with engine.connect() as connection:
        return {row.name: row.guidelines for row in connection.execute(statement)}


def guidelines_unread(engine: Engine, campaign_id: int, user_id: int) -> bool:
    """Whether a person has no event in a campaign since its guidelines last changed.

    Whoever has worked since has been told on the task's screen. Nothing else says who has read
    them.
    """
    changed = (
        select(func.coalesce(func.max(GuidelineVersion.at), ""))
        .where(GuidelineVersion.campaign_id == campaign_id)
        .scalar_subquery()
    )
    has_started = (
        select(EventRow.id)
        .join(Attempt, Attempt.id == EventRow.attempt_id)
        .join(Assignment, Assignment.id == Attempt.assignment_id)
        .join(Batch, Batch.id == Assignment.batch_id)
        .where(Batch.campaign_id == campaign_id, Assignment.user_id == user_id)
        .where(EventRow.server_ts > changed)
        .limit(1)
    )
    with engine.connect() as connection:
        return connection.execute(has_started).first() is None


def has_worked_elsewhere(engine: Engine, user_id: int, attempt_id: str) -> bool:
    """Whether a person has started another attempt than this one."""
    started = (
        select(EventRow.id)
        .join(Attempt, Attempt.id == EventRow.attempt_id)
        .join(Assignment, Assignment.id == Attempt.assignment_id)
        .where(Assignment.user_id == user_id, Attempt.id != attempt_id)
        .limit(1)
    )
    with engine.connect() as connection:
        return connection.execute(started).first() is not None


def claimable_campaigns(engine: Engine, user_id: int) -> dict[str, int]:
    """Open campaigns with batches that the person can claim.

    A pilot has at most one; a campaign whose required pilot is not passed has none.

    Returns:
        campaign → number of such batches.
    """
    free: dict[str, int] = {}
    with engine.connect() as connection:
        user = connection.execute(select(User).where(User.id == user_id)).one()
        person = person_of(user)
        for record, protocol in _open_campaigns(connection):
            name = record.name
            if protocol.pilot.enabled:
                count = int(_has_next(connection, record.id, user_id))
            elif closed_reason(connection, protocol, user_id):
                continue
            else:
                count = len(free_batches(connection, record, person))
            if count:
                free[name] = count
    return free


@dataclass(frozen=True)
class PilotStatus:
    """One person's pilots, and the campaigns that require them.

    Attributes:
        results: pilot campaign → the person's result in it.
        closed: open campaign → why the person cannot claim a batch of it yet.
    """

    results: dict[str, PilotResult]
    closed: dict[str, str]


def pilot_status(engine: Engine, user_id: int) -> PilotStatus:
    """A person's pilots, and the campaigns that require them."""
    status = PilotStatus({}, {})
    with engine.connect() as connection:
        for record, protocol in _open_campaigns(connection):
            name = record.name
            result = pilot_result(connection, name, user_id) if protocol.pilot.enabled else None
            if result is not None:
                status.results[name] = result
            reason = closed_reason(connection, protocol, user_id)
            if reason is not None:
                status.closed[name] = reason.message
    return status


def _open_campaigns(connection: Connection) -> list[tuple[Campaign, Protocol]]:
    rows = connection.execute(
        select(Campaign).where(Campaign.status == "open").order_by(Campaign.id)
    )
    records = [Campaign.from_row(row) for row in rows]
    return [(record, stored_protocol(record.protocol)) for record in records]


def _has_next(connection: Connection, campaign_id: int, user_id: int) -> bool:
    try:
        return next_pilot_batch(connection, campaign_id, user_id) is not None
    except ConflictError:  # the next one cannot be taken now, so there is none to offer
        return False

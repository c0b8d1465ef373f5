"""Data for a campaign's dashboard, from columns of projections; no state is parsed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, case, func, literal, select

from pagetrail.annotation.progress.summary import (
    NOT_SUBMITTED,
    OPEN,
    SKIPPED,
    SUBMITTED,
    CampaignWork,
)
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.campaigns.counting_tasks import COUNTS, EXCLUDED, excluded_tasks
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.base import AnySelect
from pagetrail.storage.database.engine import ids_in_order
from pagetrail.storage.database.json_cache import as_text, protocol_of
from pagetrail.storage.database.portable_sql import count_where
from pagetrail.storage.database.statuses import WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    AttemptSummary,
    Batch,
    Campaign,
    EventRow,
    ReviewTask,
    Task,
    User,
)
from pagetrail.storage.people.system_roles import NOT_PEOPLE, REVIEW

_STATUS = {"open": OPEN, "submitted": SUBMITTED, "skipped": SKIPPED}


@dataclass(frozen=True)
class DataVersion:
    """Version of a campaign's data: numbers with equal versions are equal.

    Attributes:
        events: events of the campaign's attempts, gold included; the log only grows.
        of_gold: number of these in gold streams.
        stale: number of tasks changed since they were compared.
        agreed: number of tasks that meet the acceptance rule and have no gold yet.
        setting: digest of the campaign, its batches and their assignments.
    """

    events: int
    of_gold: int
    stale: int
    agreed: int
    setting: str

    @property
    def to_do(self) -> tuple[int, int]:
        """(tasks to compare, tasks to accept automatically)."""
        return self.stale, self.agreed

    @property
    def compared(self) -> tuple[int, int, str]:
        """The part that comparisons of people's work depend on; decisions do not change it."""
        return self.events - self.of_gold, self.stale, self.setting


@dataclass(frozen=True)
class DashboardCampaign:
    """The campaign's row, parsed."""

    id: int
    name: str
    status: str
    protocol: Protocol


def campaign_of(engine: Engine, name: str) -> DashboardCampaign:
    """The campaign with this name.

    Raises:
        NotFoundError: no such campaign.
    """
    with engine.connect() as connection:
        row = get_campaign(connection, name)
        text = connection.execute(
            select(as_text(Campaign.protocol)).where(Campaign.id == row.id)
        ).scalar_one()
    return DashboardCampaign(row.id, row.name, row.status, protocol_of(text))


def last_event(engine: Engine) -> int:
    """A number that grows with every event."""
    # With concurrent writers, an event may become visible after one with a higher id.
    last = func.max(EventRow.id) if ids_in_order(engine) else func.sum(AttemptStateRow.last_seq)
    with engine.connect() as connection:
        return int(connection.execute(select(last)).scalar() or 0)


@dataclass(frozen=True)
class EventCount:
    """The number of events of a campaign's attempts.

    Attributes:
        last: id of the workspace's last event at that moment.
        of_gold: number of these in gold streams.
    """

    last: int
    events: int
    of_gold: int


def count_events(
    engine: Engine, campaign_id: int, previous: EventCount | None = None
) -> EventCount:
    """The number of events now.

    Args:
        previous: an earlier count; if ids allow, only later events are counted.
    """
    if not ids_in_order(engine):
        previous = None
    number = AttemptStateRow.last_seq if previous is None else literal(1)
    statement = (
        select(func.sum(number), func.sum(case((User.role == REVIEW, number), else_=0)))
        .select_from(Attempt)
        .join(Task, Task.id == Attempt.task_id)
        .join(User, User.id == Attempt.user_id)
    )
    if previous is None:
        statement = statement.join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        statement = statement.where(Task.campaign_id == campaign_id)
    else:
        # A sum cannot use an index, so SQLite starts with the few new events, not with all tasks.
        statement = statement.join(EventRow, EventRow.attempt_id == Attempt.id).where(
            EventRow.id > previous.last, Task.campaign_id + 0 == campaign_id
        )
    with engine.connect() as connection, connection.begin():
        last = connection.execute(select(func.max(EventRow.id))).scalar() or 0
        if previous is not None and previous.last == last:
            return previous
        events, of_gold = (number or 0 for number in connection.execute(statement).one())
    if previous is None:
        return EventCount(last, events, of_gold)
    return EventCount(last, previous.events + events, previous.of_gold + of_gold)


def data_version(
    engine: Engine, campaign_id: int, event_count: EventCount | None = None
) -> DataVersion:
    """The campaign's current version.

    Args:
        event_count: its current number of events, if known.
    """
    current_count = event_count or count_events(engine, campaign_id)
    with engine.connect() as connection:
        stale, agreed = _pending_counts(connection, campaign_id)
        setting = setting_of(connection, campaign_id)
    return DataVersion(current_count.events, current_count.of_gold, stale, agreed, setting)


def still_to_do(engine: Engine, campaign_id: int) -> tuple[int, int]:
    """(tasks to compare, tasks to accept automatically)."""
    with engine.connect() as connection:
        return _pending_counts(connection, campaign_id)


def _pending_counts(connection: Connection, campaign_id: int) -> tuple[int, int]:
    fresh_agreed = case((~ReviewTask.stale & (ReviewTask.status == "agreed"), 1), else_=0)
    stale, agreed = connection.execute(
        select(
            count_where(ReviewTask.stale),
            func.coalesce(func.sum(fresh_agreed), 0),
        ).where(ReviewTask.campaign_id == campaign_id, ReviewTask.task_id.not_in(EXCLUDED))
    ).one()
    return int(stale), int(agreed)


def setting_of(connection: Connection, campaign_id: int) -> str:
    """A digest of a campaign, its batches with their numbers of tasks, exclusions, assignments."""
    campaign = connection.execute(
        select(Campaign.status, as_text(Campaign.protocol)).where(Campaign.id == campaign_id)
    ).one()
    batches = connection.execute(
        select(Batch.code_name, func.count())
        .join(Task, Task.batch_id == Batch.id)
        .where(Batch.campaign_id == campaign_id)
        .group_by(Batch.id)
        .order_by(Batch.id)
    ).all()
    assignments = connection.execute(_assignment_rows(campaign_id)).all()
    rows = [tuple(row) for row in (*batches, *assignments)]
    rows += sorted(excluded_tasks(connection, campaign_id).items())
    settings_text = repr((tuple(campaign), rows))
    return hashlib.sha256(settings_text.encode()).hexdigest()


def _assignment_rows(campaign_id: int) -> AnySelect:
    return (
        select(Assignment.batch_id, Assignment.user_id, User.name, Assignment.status)
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(User, User.id == Assignment.user_id)
        .where(Batch.campaign_id == campaign_id)
        .order_by(Assignment.id)
    )


def work_of(engine: Engine, campaign_id: int) -> CampaignWork:
    """All people's attempts at the campaign, without their states."""
    with engine.connect() as connection, connection.begin():
        batches = connection.execute(
            select(Batch.id, Batch.code_name)
            .where(Batch.campaign_id == campaign_id)
            .order_by(Batch.position)
        ).all()
        tasks = connection.execute(
            select(
                Task.id,
                Task.batch_id,
                func.coalesce(ReviewTask.status, "waiting"),
                func.coalesce(ReviewTask.stale, False),
            )
            .outerjoin(ReviewTask, ReviewTask.task_id == Task.id)
            .where(Task.campaign_id == campaign_id, COUNTS)
            .order_by(Task.id)
        ).all()
        assignments = connection.execute(_assignment_rows(campaign_id)).all()
        attempts = connection.execute(_attempts(campaign_id)).all()
        people_of = select(User.id, User.name).where(User.role.not_in(NOT_PEOPLE))
        names: dict[int, str] = {row.id: row.name for row in connection.execute(people_of)}
    attempts = [row for row in attempts if row[1] in names]
    users = {row.user_id for row in assignments} | {row[1] for row in attempts}
    people = sorted(users & names.keys(), key=lambda user: (names[user].casefold(), names[user]))
    batch_place = {row.id: position for position, row in enumerate(batches)}
    task_place = {row[0]: position for position, row in enumerate(tasks)}
    person_place = {user: position for position, user in enumerate(people)}
    counting = [
        row for row in assignments if row.status != WITHDRAWN and row.user_id in person_place
    ]
    task_ids, user_ids, statuses, flags, submitted_at, active_ms, wall_ms, hits = (
        zip(*attempts, strict=True) if attempts else [()] * 8
    )
    return CampaignWork(
        batches=tuple(row.code_name for row in batches),
        people=tuple(names[user] for user in people),
        task_batch=_integer_array(batch_place[row[1]] for row in tasks),
        task_status=np.array([row[2] for row in tasks], dtype=np.str_),
        task_stale=np.array([row[3] for row in tasks], dtype=np.bool_),
        place_batch=_integer_array(batch_place[row.batch_id] for row in counting),
        place_person=_integer_array(person_place[row.user_id] for row in counting),
        task=_integer_array(task_place[task] for task in task_ids),
        person=_integer_array(person_place[user] for user in user_ids),
        status=_integer_array(_STATUS.get(status or "", NOT_SUBMITTED) for status in statuses),
        flagged=np.array([bool(flag) for flag in flags], dtype=np.bool_),
        handed_s=_submission_times(statuses, submitted_at),
        active_ms=_float_array(active_ms),
        wall_ms=_float_array(wall_ms),
        hit=_float_array(hits),
    )


def _attempts(campaign_id: int) -> AnySelect:
    """Text columns come last in the table and are not selected, so SQLite skips their pages."""
    return (
        select(
            Attempt.task_id,
            Attempt.user_id,
            AttemptStateRow.status,
            AttemptStateRow.flagged,
            AttemptSummary.submitted_at,
            AttemptSummary.active_ms,
            AttemptSummary.wall_ms,
            AttemptSummary.first_query_hit,
        )
        .select_from(Task)
        .join(Attempt, Attempt.task_id == Task.id)
        .outerjoin(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .outerjoin(AttemptSummary, AttemptSummary.attempt_id == Attempt.id)
        .where(Task.campaign_id == campaign_id, COUNTS)
    )


def _integer_array(values: Iterator[int]) -> Any:
    return np.fromiter(values, dtype=np.intp)


def _float_array(values: Sequence[float | None]) -> Any:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _submission_times(statuses: Sequence[str | None], stamps: Sequence[str | None]) -> Any:
    """Seconds since 1970; NaN unless the attempt is currently submitted or skipped."""
    return np.array(
        [
            datetime.fromisoformat(stamp).timestamp()
            if stamp and status in ("submitted", "skipped")
            else np.nan
            for status, stamp in zip(statuses, stamps, strict=True)
        ],
        dtype=np.float64,
    )

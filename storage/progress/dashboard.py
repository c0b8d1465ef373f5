"""Data of a campaign's dashboard, from columns of projections; no state is parsed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, Select, case, func, literal, select

from pagetrail.annotation.progress.summary import NOTHING, OPEN, SKIPPED, SUBMITTED, Work
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.campaigns.lookup import known_campaign
from pagetrail.storage.database.engine import ids_in_order
from pagetrail.storage.database.json_cache import as_text, protocol_of
from pagetrail.storage.database.statuses import TAKEN_BACK
from pagetrail.storage.database.tables import (
    ASSIGNMENTS,
    ATTEMPTS,
    BATCHES,
    CAMPAIGNS,
    EVENTS,
    RESPONSES,
    REVIEWS,
    SUMMARIES,
    TASKS,
    USERS,
)
from pagetrail.storage.people.system_roles import NOT_PEOPLE, REVIEW

_STATUS = {"open": OPEN, "submitted": SUBMITTED, "skipped": SKIPPED}


@dataclass(frozen=True)
class Moment:
    """The state a campaign's numbers depend on: while it is equal, so are they.

    Attributes:
        events: events of the campaign's attempts, gold included; the log only grows.
        of_gold: those in gold streams.
        stale: number of tasks changed since they were compared.
        agreed: number of tasks that meet the acceptance rule and are not gold yet.
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
        """The state that comparing people's work depends on; deciding tasks does not change it."""
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
        row = known_campaign(connection, name)
        text = connection.execute(
            select(as_text(CAMPAIGNS.c.protocol)).where(CAMPAIGNS.c.id == row.id)
        ).scalar_one()
    return DashboardCampaign(row.id, row.name, row.status, protocol_of(text))


def last_event(engine: Engine) -> int:
    """A number that grows with each event; while it stays the same, nobody has done anything."""
    # Where several write at once, an event may become visible after one with a higher id.
    last = func.max(EVENTS.c.id) if ids_in_order(engine) else func.sum(RESPONSES.c.last_seq)
    with engine.connect() as connection:
        return int(connection.execute(select(last)).scalar() or 0)


@dataclass(frozen=True)
class EventCount:
    """The number of events of a campaign's attempts.

    Attributes:
        last: id of the workspace's last event at that moment.
        of_gold: those in gold streams.
    """

    last: int
    events: int
    of_gold: int


def count_events(engine: Engine, campaign_id: int, known: EventCount | None = None) -> EventCount:
    """The number of events now.

    Args:
        known: an earlier count; only what was stored since then is counted, where ids tell it.
    """
    if not ids_in_order(engine):
        known = None
    number = RESPONSES.c.last_seq if known is None else literal(1)
    counted = (
        select(func.sum(number), func.sum(case((USERS.c.role == REVIEW, number), else_=0)))
        .select_from(ATTEMPTS)
        .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
        .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
    )
    if known is None:
        counted = counted.join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        counted = counted.where(TASKS.c.campaign_id == campaign_id)
    else:
        # A sum has no index: SQLite then begins with the few new events, not with all tasks.
        counted = counted.join(EVENTS, EVENTS.c.attempt_id == ATTEMPTS.c.id).where(
            EVENTS.c.id > known.last, TASKS.c.campaign_id + 0 == campaign_id
        )
    with engine.connect() as connection, connection.begin():
        last = connection.execute(select(func.max(EVENTS.c.id))).scalar() or 0
        if known is not None and known.last == last:
            return known
        events, of_gold = (number or 0 for number in connection.execute(counted).one())
    if known is None:
        return EventCount(last, events, of_gold)
    return EventCount(last, known.events + events, known.of_gold + of_gold)


def moment(engine: Engine, campaign_id: int, counted: EventCount | None = None) -> Moment:
    """The campaign's current moment.

    Args:
        counted: its events, if nothing has been stored since.
    """
    found = counted or count_events(engine, campaign_id)
    with engine.connect() as connection:
        stale, agreed = _pending_counts(connection, campaign_id)
        setting = setting_of(connection, campaign_id)
    return Moment(found.events, found.of_gold, stale, agreed, setting)


def still_to_do(engine: Engine, campaign_id: int) -> tuple[int, int]:
    """(tasks to compare, tasks to accept automatically)."""
    with engine.connect() as connection:
        return _pending_counts(connection, campaign_id)


def _pending_counts(connection: Connection, campaign_id: int) -> tuple[int, int]:
    fresh_agreed = case((~REVIEWS.c.stale & (REVIEWS.c.status == "agreed"), 1), else_=0)
    stale, agreed = connection.execute(
        select(
            func.coalesce(func.sum(case((REVIEWS.c.stale, 1), else_=0)), 0),
            func.coalesce(func.sum(fresh_agreed), 0),
        ).where(REVIEWS.c.campaign_id == campaign_id)
    ).one()
    return int(stale), int(agreed)


def setting_of(connection: Connection, campaign_id: int) -> str:
    """A digest of a campaign, its batches with their numbers of tasks, and who has them."""
    campaign = connection.execute(
        select(CAMPAIGNS.c.status, as_text(CAMPAIGNS.c.protocol)).where(
            CAMPAIGNS.c.id == campaign_id
        )
    ).one()
    batches = connection.execute(
        select(BATCHES.c.code_name, func.count())
        .join(TASKS, TASKS.c.batch_id == BATCHES.c.id)
        .where(BATCHES.c.campaign_id == campaign_id)
        .group_by(BATCHES.c.id)
    ).all()
    held = connection.execute(_places(campaign_id)).all()
    said = repr((tuple(campaign), [tuple(row) for row in (*batches, *held)]))
    return hashlib.sha256(said.encode()).hexdigest()


def _places(campaign_id: int) -> Select[Any]:
    return (
        select(ASSIGNMENTS.c.batch_id, ASSIGNMENTS.c.user_id, USERS.c.name, ASSIGNMENTS.c.status)
        .join(BATCHES, BATCHES.c.id == ASSIGNMENTS.c.batch_id)
        .join(USERS, USERS.c.id == ASSIGNMENTS.c.user_id)
        .where(BATCHES.c.campaign_id == campaign_id)
        .order_by(ASSIGNMENTS.c.id)
    )


def work_of(engine: Engine, campaign_id: int) -> Work:
    """All work of people on the campaign: one row per attempt, without its state."""
    with engine.connect() as connection, connection.begin():
        batches = connection.execute(
            select(BATCHES.c.id, BATCHES.c.code_name)
            .where(BATCHES.c.campaign_id == campaign_id)
            .order_by(BATCHES.c.position)
        ).all()
        tasks = connection.execute(
            select(
                TASKS.c.id,
                TASKS.c.batch_id,
                func.coalesce(REVIEWS.c.status, "waiting"),
                func.coalesce(REVIEWS.c.stale, False),
            )
            .outerjoin(REVIEWS, REVIEWS.c.task_id == TASKS.c.id)
            .where(TASKS.c.campaign_id == campaign_id)
            .order_by(TASKS.c.id)
        ).all()
        held = connection.execute(_places(campaign_id)).all()
        attempts = connection.execute(_attempts(campaign_id)).all()
        people_of = select(USERS.c.id, USERS.c.name).where(USERS.c.role.not_in(NOT_PEOPLE))
        names: dict[int, str] = {row.id: row.name for row in connection.execute(people_of)}
    attempts = [row for row in attempts if row[1] in names]
    users = {row.user_id for row in held} | {row[1] for row in attempts}
    people = sorted(users & names.keys(), key=lambda user: (names[user].casefold(), names[user]))
    batch_place = {row.id: place for place, row in enumerate(batches)}
    task_place = {row[0]: place for place, row in enumerate(tasks)}
    person_place = {user: place for place, user in enumerate(people)}
    kept = [row for row in held if row.status != TAKEN_BACK and row.user_id in person_place]
    columns = list(zip(*attempts, strict=True)) or [()] * 8
    return Work(
        batches=tuple(row.code_name for row in batches),
        people=tuple(names[user] for user in people),
        task_batch=_integer_array(batch_place[row[1]] for row in tasks),
        task_status=np.array([row[2] for row in tasks], dtype=np.str_),
        task_stale=np.array([row[3] for row in tasks], dtype=np.bool_),
        place_batch=_integer_array(batch_place[row.batch_id] for row in kept),
        place_person=_integer_array(person_place[row.user_id] for row in kept),
        task=_integer_array(task_place[task] for task in columns[0]),
        person=_integer_array(person_place[user] for user in columns[1]),
        status=_integer_array(_STATUS.get(status or "", NOTHING) for status in columns[2]),
        flagged=np.array([bool(flag) for flag in columns[3]], dtype=np.bool_),
        handed_s=_submission_times(columns[2], columns[4]),
        active_ms=_float_array(columns[5]),
        wall_ms=_float_array(columns[6]),
        hit=_float_array(columns[7]),
    )


def _attempts(campaign_id: int) -> Select[Any]:
    """Text columns come last in the table and are not selected, so SQLite skips their pages."""
    return (
        select(
            ATTEMPTS.c.task_id,
            ATTEMPTS.c.user_id,
            RESPONSES.c.status,
            RESPONSES.c.flagged,
            SUMMARIES.c.handed_at,
            SUMMARIES.c.active_ms,
            SUMMARIES.c.wall_ms,
            SUMMARIES.c.first_query_hit,
        )
        .select_from(TASKS)
        .join(ATTEMPTS, ATTEMPTS.c.task_id == TASKS.c.id)
        .outerjoin(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .outerjoin(SUMMARIES, SUMMARIES.c.attempt_id == ATTEMPTS.c.id)
        .where(TASKS.c.campaign_id == campaign_id)
    )


def _integer_array(values: Iterator[int]) -> Any:
    return np.fromiter(values, dtype=np.intp)


def _float_array(values: Sequence[float | None]) -> Any:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _submission_times(statuses: Sequence[str | None], stamps: Sequence[str | None]) -> Any:
    """Seconds since 1970; NaN unless the attempt is submitted now, whatever the projection says."""
    return np.array(
        [
            datetime.fromisoformat(stamp).timestamp()
            if stamp and status in ("submitted", "skipped")
            else np.nan
            for status, stamp in zip(statuses, stamps, strict=True)
        ],
        dtype=np.float64,
    )

"""The queue of review: which tasks wait for a reviewer, in the order in which they are looked at.

Read from the projection of ``storage.review.projection`` alone; no attempt's state is opened.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, func, literal, or_, select, tuple_

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.review.status import Status
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Batch,
    ReviewTask,
    Task,
    User,
)
from pagetrail.storage.people.system_roles import NOT_PEOPLE
from pagetrail.storage.review.filters import ORDER, SCORE, STATUS, Filters, conditions_of, joined
from pagetrail.storage.review.gold_streams import LEASE
from pagetrail.storage.review.hidden_names import HiddenNames, hidden_names


@dataclass(frozen=True)
class Neighbours:
    """A task's position in the queue.

    Attributes:
        position: 1-based; None where the task is not, or no longer, in the queue.
        of: tasks in the queue.
        previous, next: ids of the tasks before and after it, or after the place it would have.
    """

    position: int | None
    of: int
    previous: int | None
    next: int | None


@dataclass(frozen=True)
class PartRow:
    """A part in which the participants of a task differ; ``score`` in [0, 1]."""

    part: str
    label: str
    score: float


@dataclass(frozen=True)
class QueueRow:
    """One task of the queue.

    Attributes:
        score: how far its participants differ, in [0, 1].
        compared: whether there are two participants, so that the score means anything.
        parts: the parts in which they differ, the widest apart first.
        people: names of those who worked on it, or their labels where names are hidden.
        holder: who holds it now.
        changed_at: of the last event of anybody's work on it, or of its gold (ISO-8601 UTC).
        stale: its work has changed since it was compared.
        contradicts_dataset: everybody agrees, on something else than the dataset.
    """

    task_id: int
    key: str
    campaign_id: int
    question: str
    domain: str | None
    batch: str
    status: Status
    score: float
    compared: bool
    flagged: bool
    drawn: bool
    parts: tuple[PartRow, ...]
    people: tuple[str, ...]
    holder: str | None
    decided_by: str | None
    gold_version: int
    changed_at: str | None
    stale: bool
    contradicts_dataset: bool


@dataclass(frozen=True)
class Queue:
    """Some tasks of the queue, and how many it holds in all."""

    total: int
    rows: tuple[QueueRow, ...]


def queue(
    engine: Engine,
    campaigns: Sequence[int],
    filters: Filters,
    now: datetime,
    *,
    limit: int | None = None,
    offset: int = 0,
    total: int | None = None,
) -> Queue:
    """The tasks that the filters leave, in the queue's order.

    Args:
        now: what is held longer than the lease is free again.
        limit: tasks at most; None means all.
        total: of ``count``, where it is known already.
    """
    conditions = conditions_of(campaigns, filters, filters.statuses)
    page = joined(
        Task.id,
        Task.key,
        Task.campaign_id,
        Task.record["question"].as_string().label("question"),
        Task.record["domain"].as_string().label("domain"),
        Batch.code_name,
        STATUS.label("status"),
        SCORE.label("score"),
        ReviewTask.flagged,
        ReviewTask.drawn,
        ReviewTask.parts,
        ReviewTask.holder,
        ReviewTask.held_at,
        ReviewTask.decided_by,
        ReviewTask.gold_version,
        ReviewTask.stale,
        ReviewTask.contradicts_dataset,
    )
    with engine.connect() as connection:
        if total is None:
            total = connection.execute(joined(func.count()).where(*conditions)).scalar_one()
        rows = connection.execute(
            page.where(*conditions).order_by(*ORDER).limit(limit).offset(offset)
        ).all()
        people, changed = _work_on(connection, [row.id for row in rows])
        hidden = hidden_names(connection, [row.id for row in rows])
    until = iso(now - LEASE)
    return Queue(
        total,
        tuple(
            QueueRow(
                task_id=row.id,
                key=row.key,
                campaign_id=row.campaign_id,
                question=row.question or "",
                domain=row.domain,
                batch=row.code_name,
                status=row.status,
                score=row.score,
                compared=(row.parts or "[]") != "[]",
                flagged=bool(row.flagged),
                drawn=bool(row.drawn),
                parts=_differing(row.parts),
                people=_shown(people.get(row.id, ()), hidden.get(row.id)),
                holder=row.holder if row.held_at is not None and row.held_at > until else None,
                decided_by=row.decided_by,
                gold_version=row.gold_version or 0,
                changed_at=changed.get(row.id),
                stale=bool(row.stale),
                contradicts_dataset=bool(row.contradicts_dataset),
            )
            for row in rows
        ),
    )


def count(engine: Engine, campaigns: Sequence[int], filters: Filters) -> int:
    """How many tasks the filters leave."""
    conditions = conditions_of(campaigns, filters, filters.statuses)
    with engine.connect() as connection:
        return int(connection.execute(joined(func.count()).where(*conditions)).scalar_one())


def first_free(
    engine: Engine, campaigns: Sequence[int], filters: Filters, now: datetime, person: str
) -> int | None:
    """Id of the first task that nobody else holds; None where there is none."""
    free = or_(
        ReviewTask.holder.is_(None),
        ReviewTask.holder == person,
        ReviewTask.held_at <= iso(now - LEASE),
    )
    first = (
        joined(Task.id)
        .where(*conditions_of(campaigns, filters, filters.statuses), free)
        .order_by(*ORDER)
        .limit(1)
    )
    with engine.connect() as connection:
        return connection.execute(first).scalar()


def _shown(names: Sequence[str], hidden: HiddenNames | None) -> tuple[str, ...]:
    return tuple(sorted(map(hidden.shown, names)) if hidden is not None else names)


def _differing(parts: str | None) -> tuple[PartRow, ...]:
    found = [
        PartRow(part["part"], part["label"], part["score"])
        for part in json.loads(parts or "[]")
        if part["score"] > 0
    ]
    return tuple(sorted(found, key=lambda part: -part.score))


def _work_on(
    connection: Connection, task_ids: Sequence[int]
) -> tuple[dict[int, list[str]], dict[int, str]]:
    """Of each task, the names of its people and when anything was last done."""
    people: dict[int, list[str]] = {}
    changed: dict[int, str] = {}
    statement = (
        select(
            Attempt.task_id,
            User.name,
            User.role,
            AttemptStateRow.updated_at,
        )
        .join(User, User.id == Attempt.user_id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(Attempt.task_id.in_(task_ids))
        .order_by(User.name)
    )
    for row in connection.execute(statement):
        if row.role not in NOT_PEOPLE:
            people.setdefault(row.task_id, []).append(row.name)
        changed[row.task_id] = max(changed.get(row.task_id, ""), row.updated_at or "")
    return people, changed


def neighbours(
    engine: Engine,
    task_id: int,
    statuses: Sequence[Status] | None = None,
    *,
    filters: Filters | None = None,
    campaigns: Sequence[int] | None = None,
) -> Neighbours:
    """The task's place in the queue.

    Args:
        campaigns: those that make the queue; None takes the task's own.
        statuses: those that make the queue; None takes the ones of ``filters``.

    Raises:
        NotFoundError: no such task.
    """
    wanted = filters or Filters()
    chosen = tuple(statuses) if statuses is not None else wanted.statuses
    with engine.connect() as connection:
        own = connection.execute(joined(Task.campaign_id, *ORDER).where(Task.id == task_id))
        row = own.one_or_none()
        if row is None:
            raise NotFoundError("There is no such task in this workspace.")
        conditions = conditions_of([row[0]] if campaigns is None else campaigns, wanted, chosen)
        place = tuple_(*ORDER)
        here = tuple_(*(literal(value) for value in row[1:]))
        counted = connection.execute(
            joined(
                func.count(),
                func.count().filter(place < here),
                func.count().filter(Task.id == task_id),
            ).where(*conditions)
        ).one()
        beside = [
            connection.execute(
                joined(Task.id).where(*conditions, condition).order_by(*order).limit(1)
            ).scalar()
            for condition, order in (
                (place < here, [column.desc() for column in ORDER]),
                (place > here, list(ORDER)),
            )
        ]
    return Neighbours(counted[1] + 1 if counted[2] else None, counted[0], *beside)

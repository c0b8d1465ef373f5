"""The review queue: the tasks that wait for a reviewer, in the order of review.

Read from the rows of ``storage.review.projection`` alone, without the attempts' states.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    ScalarSelect,
    SQLColumnExpression,
    func,
    literal,
    or_,
    select,
    tuple_,
)

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
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
        total: tasks in the queue.
        previous, next: ids of the tasks before and after it, or of the position it would have.
    """

    position: int | None
    total: int
    previous: int | None
    next: int | None


@dataclass(frozen=True)
class PartScore:
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
        parts: the parts in which they differ, the largest difference first.
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
    parts: tuple[PartScore, ...]
    people: tuple[str, ...]
    holder: str | None
    decided_by: str | None
    gold_version: int
    changed_at: str | None
    stale: bool
    contradicts_dataset: bool


@dataclass(frozen=True)
class Queue:
    """A page of the queue, with the total number of tasks."""

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
    """The tasks that match the filters, in the queue's order.

    Args:
        now: tasks held longer than the lease are free again.
        limit: maximum number of tasks; None for all.
        total: the result of ``count`` if known.
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
        _name_of(ReviewTask.holder_id).label("holder"),
        ReviewTask.held_at,
        _name_of(ReviewTask.decided_by_id).label("decided_by"),
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
        people, changed = _people_and_changes(connection, [row.id for row in rows])
        hidden = hidden_names(connection, [row.id for row in rows])
    lease_start = iso(now - LEASE)
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
                people=_shown_names(people.get(row.id, ()), hidden.get(row.id)),
                holder=row.holder
                if row.held_at is not None and row.held_at > lease_start
                else None,
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
    """Number of tasks that match the filters."""
    conditions = conditions_of(campaigns, filters, filters.statuses)
    with engine.connect() as connection:
        return int(connection.execute(joined(func.count()).where(*conditions)).scalar_one())


def first_free(
    engine: Engine, campaigns: Sequence[int], filters: Filters, now: datetime, person: str
) -> int | None:
    """Id of the first task that nobody else holds; None if there is none."""
    free = or_(
        ReviewTask.holder_id.is_(None),
        ReviewTask.holder_id == select(User.id).where(User.name == person).scalar_subquery(),
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


def _shown_names(names: Sequence[str], hidden: HiddenNames | None) -> tuple[str, ...]:
    return tuple(sorted(map(hidden.label, names)) if hidden is not None else names)


def _differing(parts: str | None) -> tuple[PartScore, ...]:
    scores = [
        PartScore(part["part"], part["label"], part["score"])
        for part in json.loads(parts or "[]")
        if part["score"] > 0
    ]
    return tuple(sorted(scores, key=lambda part: -part.score))


def _name_of(user_id: SQLColumnExpression[Any]) -> ScalarSelect[Any]:
    return select(User.name).where(User.id == user_id).scalar_subquery()


def _people_and_changes(
    connection: Connection, task_ids: Sequence[int]
) -> tuple[dict[int, list[str]], dict[int, str]]:
    """By task id: the names of its annotators, and the time of its last event."""
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
    """The task's position in the queue.

    Args:
        campaigns: those of the queue; None for the task's own.
        statuses: those of the queue; None for those of ``filters``.

    Raises:
        NotFoundError: no such task.
    """
    filters = filters or Filters()
    queued = tuple(statuses) if statuses is not None else filters.statuses
    with engine.connect() as connection:
        row = connection.execute(
            joined(Task.campaign_id, *ORDER).where(Task.id == task_id)
        ).one_or_none()
        if row is None:
            raise NotFoundError(gettext("There is no such task in this workspace."))
        conditions = conditions_of([row[0]] if campaigns is None else campaigns, filters, queued)
        order = tuple_(*ORDER)
        position = tuple_(*(literal(value) for value in row[1:]))
        counts = connection.execute(
            joined(
                func.count(),
                func.count().filter(order < position),
                func.count().filter(Task.id == task_id),
            ).where(*conditions)
        ).one()
        adjacent = [
            connection.execute(
                joined(Task.id).where(*conditions, condition).order_by(*direction).limit(1)
            ).scalar()
            for condition, direction in (
                (order < position, [column.desc() for column in ORDER]),
                (order > position, list(ORDER)),
            )
        ]
    return Neighbours(counts[1] + 1 if counts[2] else None, counts[0], *adjacent)

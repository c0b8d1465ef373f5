"""The queue of review: which tasks wait for a reviewer, in the order in which they are looked at.

Read from the projection of ``storage.review_rows`` alone, no attempt's state is opened, and ordered
as ``annotation.review.queue_order``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    and_,
    func,
    literal,
    not_,
    or_,
    select,
    tuple_,
)

from annotation.clock import iso
from annotation.errors import NotFoundError
from annotation.review.standing import NEEDS_A_PERSON, Status
from storage.reviews import LEASE
from storage.roles import NOT_PEOPLE
from storage.tables import ATTEMPTS, BATCHES, RESPONSES, REVIEWS, TASKS, USERS

_STATUS = func.coalesce(REVIEWS.c.status, "waiting")
_SCORE = func.coalesce(REVIEWS.c.score, 0.0)
_CALM = not_(func.coalesce(REVIEWS.c.flagged, False))
_ORDER = (-_SCORE, _CALM, BATCHES.c.position, TASKS.c.position, TASKS.c.key)


@dataclass(frozen=True)
class Filters:
    """Which tasks of a campaign are meant; all conditions hold at once.

    Attributes:
        statuses: in any of these.
        part: the sides differ in this part.
        annotator: name of somebody who worked on it.
        batch: its batch's code name.
        flagged: somebody flagged it.
        domain: of the task's record.
        text: words of the question or the key, case aside.
    """

    statuses: tuple[Status, ...] = NEEDS_A_PERSON
    part: str | None = None
    annotator: str | None = None
    batch: str | None = None
    flagged: bool = False
    domain: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class Neighbours:
    """Where a task stands in the queue.

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
    """A part in which the sides of a task differ; ``score`` in [0, 1]."""

    part: str
    label: str
    score: float


@dataclass(frozen=True)
class QueueRow:
    """One task of the queue.

    Attributes:
        score: how far its sides differ, in [0, 1].
        parts: the parts in which they do, the widest apart first.
        people: names of those who worked on it.
        holder: who holds it now.
        changed_at: of the last event of anybody's work on it, or of its gold (ISO-8601 UTC).
        stale: its work has changed since it was compared.
    """

    task_id: int
    key: str
    question: str
    domain: str | None
    batch: str
    status: Status
    score: float
    flagged: bool
    drawn: bool
    parts: tuple[PartRow, ...]
    people: tuple[str, ...]
    holder: str | None
    decided_by: str | None
    gold_version: int
    changed_at: str | None
    stale: bool


@dataclass(frozen=True)
class Queue:
    """Some tasks of the queue, and how many it holds in all."""

    total: int
    rows: tuple[QueueRow, ...]


def queue(
    engine: Engine,
    campaign_id: int,
    filters: Filters,
    now: datetime,
    *,
    limit: int | None = None,
    offset: int = 0,
) -> Queue:
    """The tasks that the filters leave, in the queue's order.

    Args:
        now: what is held longer than the lease is free again.
        limit: tasks at most; None means all.
    """
    conditions = conditions_of(campaign_id, filters, filters.statuses)
    page = _joined(
        TASKS.c.id,
        TASKS.c.key,
        TASKS.c.record["question"].as_string().label("question"),
        TASKS.c.record["domain"].as_string().label("domain"),
        BATCHES.c.code_name,
        _STATUS.label("status"),
        _SCORE.label("score"),
        *(
            REVIEWS.c[name]
            for name in (
                "flagged",
                "drawn",
                "parts",
                "holder",
                "held_at",
                "decided_by",
                "gold_version",
                "stale",
            )
        ),
    )
    with engine.connect() as connection:
        total = connection.execute(_joined(func.count()).where(*conditions)).scalar_one()
        rows = connection.execute(
            page.where(*conditions).order_by(*_ORDER).limit(limit).offset(offset)
        ).all()
        people, changed = _work_on(connection, [row.id for row in rows])
    until = iso(now - LEASE)
    return Queue(
        total,
        tuple(
            QueueRow(
                task_id=row.id,
                key=row.key,
                question=row.question or "",
                domain=row.domain,
                batch=row.code_name,
                status=row.status,
                score=row.score,
                flagged=bool(row.flagged),
                drawn=bool(row.drawn),
                parts=_differing(row.parts),
                people=tuple(people.get(row.id, ())),
                holder=row.holder if row.held_at is not None and row.held_at > until else None,
                decided_by=row.decided_by,
                gold_version=row.gold_version or 0,
                changed_at=changed.get(row.id),
                stale=bool(row.stale),
            )
            for row in rows
        ),
    )


def first_free(
    engine: Engine, campaign_id: int, filters: Filters, now: datetime, person: str
) -> int | None:
    """Id of the first task that nobody else holds; None where there is none."""
    free = or_(
        REVIEWS.c.holder.is_(None),
        REVIEWS.c.holder == person,
        REVIEWS.c.held_at <= iso(now - LEASE),
    )
    first = (
        _joined(TASKS.c.id)
        .where(*conditions_of(campaign_id, filters, filters.statuses), free)
        .order_by(*_ORDER)
        .limit(1)
    )
    with engine.connect() as connection:
        return connection.execute(first).scalar()


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
            ATTEMPTS.c.task_id,
            USERS.c.name,
            USERS.c.role,
            RESPONSES.c.updated_at,
        )
        .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
        .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .where(ATTEMPTS.c.task_id.in_(task_ids))
        .order_by(USERS.c.name)
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
) -> Neighbours:
    """The task's place in its campaign's queue.

    Args:
        statuses: those that make the queue; None takes the ones of ``filters``.

    Raises:
        NotFoundError: no such task.
    """
    wanted = filters or Filters()
    chosen = tuple(statuses) if statuses is not None else wanted.statuses
    with engine.connect() as connection:
        own = connection.execute(_joined(TASKS.c.campaign_id, *_ORDER).where(TASKS.c.id == task_id))
        row = own.one_or_none()
        if row is None:
            raise NotFoundError("There is no such task in this workspace.")
        conditions = conditions_of(row[0], wanted, chosen)
        place = tuple_(*_ORDER)
        here = tuple_(*(literal(value) for value in row[1:]))
        counted = connection.execute(
            _joined(
                func.count(),
                func.count().filter(place < here),
                func.count().filter(TASKS.c.id == task_id),
            ).where(*conditions)
        ).one()
        beside = [
            connection.execute(
                _joined(TASKS.c.id).where(*conditions, condition).order_by(*order).limit(1)
            ).scalar()
            for condition, order in (
                (place < here, [column.desc() for column in _ORDER]),
                (place > here, list(_ORDER)),
            )
        ]
    return Neighbours(counted[1] + 1 if counted[2] else None, counted[0], *beside)


def _joined(*columns: Any) -> Select[Any]:
    return (
        select(*columns)
        .select_from(TASKS)
        .join(BATCHES, BATCHES.c.id == TASKS.c.batch_id)
        .outerjoin(REVIEWS, REVIEWS.c.task_id == TASKS.c.id)
    )


def conditions_of(
    campaign_id: int, filters: Filters, statuses: Sequence[Status]
) -> list[ColumnElement[bool]]:
    """The filters as conditions on tasks, batches and rows of review."""
    found: list[ColumnElement[bool]] = [TASKS.c.campaign_id == campaign_id]
    if "waiting" in statuses:
        found.append(_STATUS.in_(statuses))
    else:  # leaves the database the index
        found += [REVIEWS.c.campaign_id == campaign_id, REVIEWS.c.status.in_(statuses)]
    if filters.part is not None:
        part = func.json_each(REVIEWS.c.parts).table_valued("value", name="part")
        named = func.json_extract(part.c.value, "$.part") == filters.part
        differs = func.json_extract(part.c.value, "$.score") > 0
        found.append(select(literal(1)).select_from(part).where(named, differs).exists())
    if filters.annotator is not None:
        worked = (
            select(ATTEMPTS.c.task_id)
            .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
            .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
            .where(USERS.c.name == filters.annotator, USERS.c.role.not_in(NOT_PEOPLE))
        )
        found.append(TASKS.c.id.in_(worked))
    if filters.batch is not None:
        found.append(BATCHES.c.code_name == filters.batch)
    if filters.flagged:
        found.append(REVIEWS.c.flagged)
    if filters.domain is not None:
        found.append(TASKS.c.record["domain"].as_string() == filters.domain)
    if filters.text is not None and filters.text.strip():
        found.append(and_(*(_says(word) for word in filters.text.split())))
    return found


def _says(word: str) -> ColumnElement[bool]:
    # SQLite ignores the case of ASCII letters only.
    written = dict.fromkeys((word, word.lower(), word.upper(), word.capitalize()))
    question = TASKS.c.record["question"].as_string()
    return or_(
        *(
            place.icontains(form, autoescape=True)
            for form in (written if not word.isascii() else (word,))
            for place in (question, TASKS.c.key)
        )
    )

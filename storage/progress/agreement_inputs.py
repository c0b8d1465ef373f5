"""What agreement so far is computed from: columns of projections; no state is parsed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, select

from pagetrail.storage.database.tables import (
    BATCHES,
    REVIEWS,
    SUMMARIES,
    TASKS,
    USERS,
)


@dataclass(frozen=True)
class TaskParts:
    """How annotators differ on one task: (part, label, mean difference in [0, 1])."""

    task: str
    parts: tuple[tuple[str, str, float], ...]


def parts_of(
    engine: Engine, campaign_id: int, batch: str | None = None, person: str | None = None
) -> list[TaskParts]:
    """The compared tasks, optionally of one batch or submitted by one person."""
    statement = _narrowed(
        select(REVIEWS.c.task_id, REVIEWS.c.parts)
        .join(TASKS, TASKS.c.id == REVIEWS.c.task_id)
        .where(REVIEWS.c.campaign_id == campaign_id, REVIEWS.c.parts != "[]"),
        batch,
        person,
    )
    with engine.connect() as connection:
        rows = connection.execute(statement.order_by(REVIEWS.c.task_id)).all()
    return [
        TaskParts(
            str(task), tuple((part["part"], part["label"], part["score"]) for part in json.loads(p))
        )
        for task, p in rows
    ]


def reads_of(
    engine: Engine, campaign_id: int, batch: str | None = None, person: str | None = None
) -> Iterator[tuple[str, str, list[list[Any]]]]:
    """(task, annotator, ratings as ``Ratings.add_read`` takes them) of all submitted work."""
    statement = _narrowed(
        select(SUMMARIES.c.task_id, SUMMARIES.c.user_id, SUMMARIES.c.ratings)
        .join(TASKS, TASKS.c.id == SUMMARIES.c.task_id)
        .where(SUMMARIES.c.campaign_id == campaign_id, SUMMARIES.c.status == "submitted"),
        batch,
        person,
    )
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    for task, user, ratings in rows:
        yield str(task), str(user), json.loads(ratings)


def _narrowed(statement: Select[Any], batch: str | None, person: str | None) -> Select[Any]:
    """Only tasks of this batch, and only tasks that this person has submitted."""
    if batch is not None:
        statement = statement.join(BATCHES, BATCHES.c.id == TASKS.c.batch_id).where(
            BATCHES.c.code_name == batch
        )
    if person is not None:
        own = (
            select(SUMMARIES.c.task_id)
            .join(USERS, USERS.c.id == SUMMARIES.c.user_id)
            .where(USERS.c.name == person)
        )
        statement = statement.where(TASKS.c.id.in_(own))
    return statement

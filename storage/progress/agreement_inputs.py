"""Inputs of agreement so far, from columns of projections; no state is parsed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, select

from pagetrail.storage.campaigns.counting_tasks import COUNTS
from pagetrail.storage.database.base import AnySelect
from pagetrail.storage.database.tables import (
    AttemptSummary,
    Batch,
    ReviewTask,
    Task,
    User,
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
        select(ReviewTask.task_id, ReviewTask.parts)
        .join(Task, Task.id == ReviewTask.task_id)
        .where(ReviewTask.campaign_id == campaign_id, ReviewTask.parts != "[]"),
        batch,
        person,
    )
    with engine.connect() as connection:
        rows = connection.execute(statement.order_by(ReviewTask.task_id)).all()
    return [
        TaskParts(
            str(task), tuple((part["part"], part["label"], part["score"]) for part in json.loads(p))
        )
        for task, p in rows
    ]


def reads_of(
    engine: Engine, campaign_id: int, batch: str | None = None, person: str | None = None
) -> Iterator[tuple[str, str, list[list[Any]]]]:
    """(task, annotator, ratings for ``Ratings.add_read``) of all submitted work."""
    statement = _narrowed(
        select(AttemptSummary.task_id, AttemptSummary.user_id, AttemptSummary.ratings)
        .join(Task, Task.id == AttemptSummary.task_id)
        .where(AttemptSummary.campaign_id == campaign_id, AttemptSummary.status == "submitted"),
        batch,
        person,
    )
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    for task, user, ratings in rows:
        yield str(task), str(user), json.loads(ratings)


def _narrowed(statement: AnySelect, batch: str | None, person: str | None) -> AnySelect:
    """Restrict to tasks of this batch and tasks that this person has submitted."""
    statement = statement.where(COUNTS)
    if batch is not None:
        statement = statement.join(Batch, Batch.id == Task.batch_id).where(Batch.code_name == batch)
    if person is not None:
        own_attempts = (
            select(AttemptSummary.task_id)
            .join(User, User.id == AttemptSummary.user_id)
            .where(User.name == person)
        )
        statement = statement.where(Task.id.in_(own_attempts))
    return statement

"""Rebuilding the projection of review from the log, and comparing it with what was stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, select

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import ATTEMPTS, RESPONSES, REVIEWS, SUMMARIES, TASKS
from pagetrail.storage.review.projection import TASKS_AT_ONCE, refresh_tasks


def rebuild_reviews(engine: Engine, *, check: bool) -> list[str]:
    """Rebuild the rows of all tasks, or only compare if ``check``.

    Rows that wait to be worked out anyway are not compared.

    Returns:
        keys of the tasks whose rows were not what the log says.
    """
    with engine.connect() as connection:
        # A task without submitted work needs no row.
        handed_in = (
            select(RESPONSES.c.attempt_id)
            .join(ATTEMPTS, ATTEMPTS.c.id == RESPONSES.c.attempt_id)
            .where(ATTEMPTS.c.task_id == TASKS.c.id, RESPONSES.c.status.in_(SUBMITTED_OR_SKIPPED))
        )
        tasks = [
            _Task(row.id, row.key, bool(row.stale))
            for row in connection.execute(
                select(TASKS.c.id, TASKS.c.key, REVIEWS.c.stale)
                .outerjoin(REVIEWS, REVIEWS.c.task_id == TASKS.c.id)
                .where(handed_in.exists() | REVIEWS.c.task_id.is_not(None))
                .order_by(TASKS.c.id)
            )
        ]
    differed: list[str] = []
    for start in range(0, len(tasks), TASKS_AT_ONCE):
        differed += _some(engine, tasks[start : start + TASKS_AT_ONCE], check=check)
    return differed


class _Task(NamedTuple):
    id: int
    key: str
    stale: bool


def _some(engine: Engine, tasks: Sequence[_Task], *, check: bool) -> list[str]:
    found = []
    try:
        with write_transaction(engine) as connection:
            for task in tasks:
                before = _projected_rows(connection, task.id)
                connection.execute(SUMMARIES.delete().where(SUMMARIES.c.task_id == task.id))
                refresh_tasks(connection, [task.id])
                if not task.stale and _projected_rows(connection, task.id) != before:
                    found.append(task.key)
            if check:
                raise _NothingIsStored
    except _NothingIsStored:
        pass
    return found


class _NothingIsStored(Exception):
    """Ends a transaction that was only to compare."""


def _projected_rows(connection: Connection, task_id: int) -> list[tuple[Any, ...]]:
    review = select(REVIEWS).where(REVIEWS.c.task_id == task_id)
    summaries = select(SUMMARIES).where(SUMMARIES.c.task_id == task_id)
    return [
        tuple(row)
        for statement in (review, summaries.order_by(SUMMARIES.c.attempt_id))
        for row in connection.execute(statement)
    ]

"""Which tasks count in results, and which are still to be done: not those that are excluded."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, or_, select

from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.tables import Task, User

COUNTS = Task.excluded.is_(None)
"""A task is in results, review and progress."""

EXCLUDED = select(Task.id).where(Task.excluded.is_not(None))
"""Ids of the tasks that do not count."""

IN_BATCH = or_(Task.excluded.is_(None), Task.copy_of.is_not(None))
"""A task is still to be done by whoever has its batch."""

NOT_IN_BATCH = select(Task.id).where(Task.excluded.is_not(None), Task.copy_of.is_(None))
"""Ids of the tasks that are not to be done any more."""


class StoredExclusion(NamedTuple):
    """Why, by whom and when a task was excluded.

    Attributes:
        by: the person's name; None for the command line.
        at: empty where a version before schema 0113 excluded it.
    """

    reason: str
    by: str | None
    at: str


def exclusion_of(connection: Connection, task: AnyRow) -> StoredExclusion | None:
    """The exclusion of a task, given as a row with its columns; None if the task counts."""
    if task.excluded is None:
        return None
    name = connection.execute(select(User.name).where(User.id == task.excluded_by)).scalar()
    return StoredExclusion(task.excluded, name, task.excluded_at or "")


def excluded_tasks(connection: Connection, campaign_id: int) -> dict[str, str]:
    """Key → reason of a campaign's excluded tasks, in the campaign's order."""
    rows = connection.execute(
        select(Task.key, Task.excluded)
        .where(Task.campaign_id == campaign_id, Task.excluded.is_not(None))
        .order_by(Task.position, Task.key)
    )
    return {row.key: row.excluded for row in rows}

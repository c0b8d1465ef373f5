"""Which tasks count in results, and which are still to be done: not those that are excluded."""

from __future__ import annotations

from sqlalchemy import Connection, or_, select

from pagetrail.storage.database.tables import Task

COUNTS = Task.excluded.is_(None)
"""A task is in results, review and progress."""

EXCLUDED = select(Task.id).where(Task.excluded.is_not(None))
"""Ids of the tasks that do not count."""

IN_BATCH = or_(Task.excluded.is_(None), Task.copy_of.is_not(None))
"""A task is still to be done by whoever has its batch."""

NOT_IN_BATCH = select(Task.id).where(Task.excluded.is_not(None), Task.copy_of.is_(None))
"""Ids of the tasks that are not to be done any more."""


def excluded_tasks(connection: Connection, campaign_id: int) -> dict[str, str]:
    """Key → reason of a campaign's excluded tasks, in the campaign's order."""
    rows = connection.execute(
        select(Task.key, Task.excluded)
        .where(Task.campaign_id == campaign_id, Task.excluded.is_not(None))
        .order_by(Task.position, Task.key)
    )
    return {row.key: row.excluded for row in rows}

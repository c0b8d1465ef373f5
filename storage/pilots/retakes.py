"""Retaking a pilot in a batch with the same tasks, when all its batches have been taken."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

from sqlalchemy import Connection, func, insert, select

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.tasks.batches import free_code_names
from pagetrail.annotation.tasks.identity import RETAKE_OF
from pagetrail.storage.database.tables import Assignment, Batch, Task
from pagetrail.storage.qualification.gate import next_pilot_batch

_LAST_PRIORITY = -1_000
_COPY = re.compile(r" \(retake \d+\)$")


def add_retake_batch(connection: Connection, campaign_id: int, user_id: int) -> bool:
    """Copy the tasks of a person's last batch into a new one, if no batch is left for them.

    The copies are separate tasks with the same gold, so that earlier work and results do not
    change. Everybody else is assigned the originals first.

    Returns:
        Whether a batch was added.
    """
    try:
        if next_pilot_batch(connection, campaign_id, user_id) is not None:
            return False
    except ConflictError:
        return False
    last = connection.execute(
        select(Batch.id)
        .join(Assignment, Assignment.batch_id == Batch.id)
        .where(Batch.campaign_id == campaign_id, Assignment.user_id == user_id)
        .order_by(Assignment.id.desc())
        .limit(1)
    ).scalar_one()
    names = connection.execute(
        select(Batch.code_name).where(Batch.campaign_id == campaign_id)
    ).scalars()
    batch = connection.execute(
        insert(Batch).values(
            campaign_id=campaign_id,
            position=_last(connection, Batch, campaign_id) + 1,
            code_name=next(free_code_names(names)),
            priority=_LAST_PRIORITY,
        )
    ).inserted_primary_key
    assert batch is not None
    rows = connection.execute(
        select(Task.key, Task.record).where(Task.batch_id == last).order_by(Task.position)
    ).all()
    first = _last(connection, Task, campaign_id) + 1
    keys = set(
        connection.execute(select(Task.key).where(Task.campaign_id == campaign_id)).scalars()
    )
    copies: list[dict[str, Any]] = []
    for position, row in enumerate(rows):
        original = str(row.record.get(RETAKE_OF) or _COPY.sub("", row.key))
        tried = (f"{original} (retake {n})" for n in count(1))
        key = next(name for name in tried if name not in keys)
        copies.append(
            {
                "campaign_id": campaign_id,
                "batch_id": batch[0],
                "key": key,
                "position": first + position,
                "record": {**row.record, "id": key, RETAKE_OF: original},
            }
        )
    connection.execute(insert(Task), copies)
    return True


def _last(connection: Connection, table: type[Batch] | type[Task], campaign_id: int) -> int:
    position = select(func.coalesce(func.max(table.position), 0))
    return int(connection.execute(position.where(table.campaign_id == campaign_id)).scalar_one())

"""Stores campaigns, batches and tasks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, func, insert, select

from pagetrail.annotation.clock import iso
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.batches import free_code_names
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.database.tables import Batch, Campaign, Task

DEFAULT_SEED = 7


def create_campaign(
    connection: Connection,
    name: str,
    protocol: Protocol,
    seed: int | None,
    guidelines: str,
    clock: Clock,
) -> Campaign:
    """A new, open campaign; returns its row."""
    connection.execute(
        insert(Campaign).values(
            name=name,
            protocol=protocol.model_dump(mode="json"),
            guidelines=guidelines,
            seed=DEFAULT_SEED if seed is None else seed,
            status="open",
            created_at=iso(clock.now()),
        )
    )
    row = connection.execute(select(Campaign).where(Campaign.name == name)).one()
    return Campaign.from_row(row)


def store_tasks(
    connection: Connection, campaign_id: int, groups: Sequence[Sequence[TaskRecord]]
) -> list[str]:
    """Append each group of tasks as a new batch; returns the batches' names."""
    used_names = connection.execute(
        select(Batch.code_name).where(Batch.campaign_id == campaign_id)
    ).scalars()
    names = list(islice(free_code_names(used_names), len(groups)))
    first_batch, first_task = (
        connection.execute(
            select(func.coalesce(func.max(table.position), 0)).where(
                table.campaign_id == campaign_id
            )
        ).scalar_one()
        for table in (Batch, Task)
    )
    connection.execute(
        insert(Batch),
        [
            {"campaign_id": campaign_id, "position": first_batch + index, "code_name": name}
            for index, name in enumerate(names, start=1)
        ],
    )
    ids: dict[str, int] = {
        row.code_name: row.id
        for row in connection.execute(select(Batch).where(Batch.campaign_id == campaign_id))
    }
    rows: list[dict[str, Any]] = []
    for name, group in zip(names, groups, strict=True):
        for task in group:
            rows.append(
                {
                    "campaign_id": campaign_id,
                    "batch_id": ids[name],
                    "key": task.id,
                    "position": first_task + len(rows) + 1,
                    "record": task.to_json(),
                }
            )
    connection.execute(insert(Task), rows)
    return names

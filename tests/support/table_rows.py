"""Rows of test workspaces, straight into the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert

from pagetrail.storage.database.tables import Attempt, Task, User


def inserter(connection: Connection) -> Callable[..., int]:
    """What inserts a row of a model, given its values by name, and returns its key."""

    def insert_row(model: Any, **values: Any) -> int:
        key = connection.execute(insert(model).values(**values)).inserted_primary_key
        assert key is not None
        return int(key[0])

    return insert_row


def add_annotators(connection: Connection, names: Sequence[str], now: str) -> dict[str, int]:
    """Their ids by name; pseudonyms are annotator-1, annotator-2 …"""
    insert_row = inserter(connection)
    return {
        name: insert_row(
            User, name=name, role="annotator", pseudonym=f"annotator-{n}", created_at=now
        )
        for n, name in enumerate(names, start=1)
    }


def add_task(
    connection: Connection,
    campaign_id: int,
    batch_id: int,
    number: int,
    record: Mapping[str, Any],
    users: Mapping[str, int],
    assignments: Mapping[str, int],
    setting: str,
    now: str,
) -> None:
    """A task with everybody's attempt at it, whose id is ``<task number>-<annotator>``."""
    task = inserter(connection)(
        Task,
        campaign_id=campaign_id,
        batch_id=batch_id,
        key=record["id"],
        position=number,
        record=dict(record),
    )
    for name, user in users.items():
        connection.execute(
            insert(Attempt).values(
                id=f"{number}-{name}",
                task_id=task,
                user_id=user,
                assignment_id=assignments[name],
                setting=setting,
                created_at=now,
            )
        )

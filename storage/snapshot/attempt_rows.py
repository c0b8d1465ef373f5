"""Queries for attempts and their events, in the order of exports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select

from pagetrail.annotation.events import Event
from pagetrail.storage.attempts.event_rows import EVENT_ROWS, event_of
from pagetrail.storage.database.json_cache import as_text, record_of
from pagetrail.storage.database.records import EventRecord
from pagetrail.storage.database.tables import ATTEMPTS, BATCHES, EVENTS, TASKS, USERS
from pagetrail.storage.snapshot.rows import AttemptHead, TaskAttempts

_HEAD_COLUMNS = 8


def heads_of(record: ColumnElement[Any]) -> Select[Any]:
    """The columns of ``AttemptHead``, by batch, task and pseudonym."""
    return (
        select(
            ATTEMPTS.c.id,
            TASKS.c.key,
            record.label("record"),
            USERS.c.name,
            USERS.c.pseudonym,
            USERS.c.role,
            BATCHES.c.code_name,
            ATTEMPTS.c.setting,
        )
        .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
        .join(BATCHES, BATCHES.c.id == TASKS.c.batch_id)
        .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
        .order_by(
            BATCHES.c.position,
            TASKS.c.position,
            TASKS.c.key,
            USERS.c.pseudonym,
            ATTEMPTS.c.setting,
            ATTEMPTS.c.id,
        )
    )


def task_attempts(
    connection: Connection, campaign_id: int, role: ColumnElement[bool]
) -> Iterator[TaskAttempts]:
    """The campaign's attempts that have events, task by task, without their events.

    Args:
        role: a condition on ``USERS``.
    """
    last, earlier = EVENTS.alias(), EVENTS.alias()
    latest = select(func.max(earlier.c.seq)).where(earlier.c.attempt_id == ATTEMPTS.c.id)
    statement = (
        heads_of(as_text(TASKS.c.record))
        .join(last, last.c.attempt_id == ATTEMPTS.c.id)
        .add_columns(last.c.seq, last.c.client_event_id, last.c.server_ts)
        .where(
            TASKS.c.campaign_id == campaign_id,
            role,
            last.c.seq == latest.scalar_subquery(),
        )
        .execution_options(yield_per=500)
    )
    rows = connection.execute(statement)
    for _, group in groupby(rows, key=lambda row: row.key):
        listed = list(group)
        record = record_of(listed[0].record)
        said = [
            listed[0].record,
            *((row.id, row.role, row.setting, *row[_HEAD_COLUMNS:]) for row in listed),
        ]
        yield TaskAttempts(
            tuple(AttemptHead(row.id, row.key, record, *row[3:_HEAD_COLUMNS]) for row in listed),
            hashlib.sha256(json.dumps(said).encode()).digest(),
        )


def events_of(connection: Connection, attempt_ids: list[str]) -> dict[str, list[Event]]:
    """Attempt → its events in order; attempts without any are left out."""
    rows = connection.execute(
        EVENT_ROWS.where(EVENTS.c.attempt_id.in_(attempt_ids)).order_by(
            EVENTS.c.attempt_id, EVENTS.c.seq
        )
    )
    return {
        attempt_id: [event_of(EventRecord._make(row)) for row in group]
        for attempt_id, group in groupby(rows, key=lambda row: row.attempt_id)
    }

"""Queries for attempts and their events, in the order of exports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, SQLColumnExpression, func, select
from sqlalchemy.orm import aliased

from pagetrail.annotation.events import Event
from pagetrail.storage.attempts.event_rows import EVENT_ROWS, event_of
from pagetrail.storage.campaigns.counting_tasks import COUNTS
from pagetrail.storage.database.base import AnySelect
from pagetrail.storage.database.json_cache import as_text, record_of
from pagetrail.storage.database.tables import Attempt, Batch, EventRow, Task, User
from pagetrail.storage.people.people_by_id import People
from pagetrail.storage.snapshot.rows import AttemptHead, TaskAttempts

_HEAD_COLUMNS = 8


def heads_of(record: SQLColumnExpression[Any]) -> AnySelect:
    """Query for the columns of ``AttemptHead``, by batch, task and pseudonym."""
    return (
        select(
            Attempt.id,
            Task.key,
            record.label("record"),
            User.name,
            User.pseudonym,
            User.role,
            Batch.code_name,
            Attempt.setting,
        )
        .join(Task, Task.id == Attempt.task_id)
        .join(Batch, Batch.id == Task.batch_id)
        .join(User, User.id == Attempt.user_id)
        .order_by(
            Batch.position,
            Task.position,
            Task.key,
            User.pseudonym,
            Attempt.setting,
            Attempt.id,
        )
    )


def task_attempts(
    connection: Connection, campaign_id: int, role: ColumnElement[bool]
) -> Iterator[TaskAttempts]:
    """The campaign's attempts that have events, task by task; events are not read.

    Args:
        role: a condition on ``User``.
    """
    last, earlier = aliased(EventRow), aliased(EventRow)
    latest = select(func.max(earlier.seq)).where(earlier.attempt_id == Attempt.id)
    statement = (
        heads_of(as_text(Task.record))
        .join(last, last.attempt_id == Attempt.id)
        .add_columns(last.seq, last.client_event_id, last.server_ts)
        .where(
            Task.campaign_id == campaign_id,
            COUNTS,
            role,
            last.seq == latest.scalar_subquery(),
        )
        .execution_options(yield_per=500)
    )
    rows = connection.execute(statement)
    for _, group in groupby(rows, key=lambda row: row.key):
        attempts = list(group)
        record = record_of(attempts[0].record)
        versions = [
            attempts[0].record,
            *((row.id, row.role, row.setting, *row[_HEAD_COLUMNS:]) for row in attempts),
        ]
        yield TaskAttempts(
            tuple(AttemptHead(row.id, row.key, record, *row[3:_HEAD_COLUMNS]) for row in attempts),
            hashlib.sha256(json.dumps(versions).encode()).digest(),
        )


def events_of(connection: Connection, attempt_ids: list[str]) -> dict[str, list[Event]]:
    """Attempt → its events in order; attempts without any are left out."""
    rows = connection.execute(
        EVENT_ROWS.where(EventRow.attempt_id.in_(attempt_ids)).order_by(
            EventRow.attempt_id, EventRow.seq
        )
    ).all()
    people = People(connection)
    return {
        attempt_id: [event_of(row, people) for row in group]
        for attempt_id, group in groupby(rows, key=lambda row: row.attempt_id)
    }

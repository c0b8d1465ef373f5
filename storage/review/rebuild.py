"""Rebuilding the projection of review from the log, and comparing it with what was stored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, delete, select

from pagetrail.storage.attempts.event_log import MINUTE
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    AttemptSummary,
    ReviewTask,
    Task,
)
from pagetrail.storage.review.projection import TASKS_AT_ONCE, store_rows
from pagetrail.storage.review.task_rows import NOT_COMPARED, TaskRows, task_rows
from pagetrail.storage.review.work_versions import work_versions


def rebuild_reviews(engine: Engine, *, check: bool) -> list[str]:
    """Rebuild the rows of all tasks, or only compare if ``check``.

    Stale rows are not compared, nor those of tasks that took too long to compare, which stay
    until the work changes.

    Returns:
        keys of the tasks whose stored rows differ from the log's.
    """
    with engine.connect() as connection:
        # A task without submitted work needs no row.
        done = (
            select(AttemptStateRow.attempt_id)
            .join(Attempt, Attempt.id == AttemptStateRow.attempt_id)
            .where(Attempt.task_id == Task.id, AttemptStateRow.status.in_(SUBMITTED_OR_SKIPPED))
        )
        tasks = [
            _Task(row.id, row.key, bool(row.stale))
            for row in connection.execute(
                select(Task.id, Task.key, ReviewTask.stale)
                .outerjoin(ReviewTask, ReviewTask.task_id == Task.id)
                .where(done.exists() | ReviewTask.task_id.is_not(None))
                .order_by(Task.id)
            )
        ]
    return _rebuild_tasks(engine, tasks, check=check)


class _Task(NamedTuple):
    id: int
    key: str
    stale: bool


def _rebuild_tasks(engine: Engine, tasks: Sequence[_Task], *, check: bool) -> list[str]:
    differing = []
    computed: list[TaskRows] = []
    for task in tasks:
        with engine.connect() as connection:
            review, summaries = _stored_rows(connection, task.id)
            if review is not None and _was_not_compared(review):
                continue
            rows = task_rows(connection, task.id, all_summaries=True)
        expected = {**rows.review, "task_id": task.id, "campaign_id": rows.campaign_id}
        by_attempt = {row["attempt_id"]: _without_last_event(row) for row in rows.summaries}
        if not task.stale and (
            _by_minute(review) != _by_minute(expected) or summaries != by_attempt
        ):
            differing.append(task.key)
        computed.append(rows)
        if len(computed) == TASKS_AT_ONCE:
            _replace(engine, computed, check=check)
            computed = []
    _replace(engine, computed, check=check)
    return differing


def _stored_rows(
    connection: Connection, task_id: int
) -> tuple[dict[str, Any] | None, dict[str, dict[str, Any]]]:
    """The row of review, and those of submitted attempts by id."""
    review = connection.execute(select(ReviewTask).where(ReviewTask.task_id == task_id))
    summaries = connection.execute(select(AttemptSummary).where(AttemptSummary.task_id == task_id))
    row = review.mappings().one_or_none()
    return (
        None if row is None else dict(row),
        {
            summary["attempt_id"]: _without_last_event(dict(summary))
            for summary in summaries.mappings()
        },
    )


def _without_last_event(summary: dict[str, Any]) -> dict[str, Any]:
    """The row without the number of the last event: events after a submission change only that."""
    return {key: value for key, value in summary.items() if key != "last_seq"}


def _by_minute(review: dict[str, Any] | None) -> dict[str, Any] | None:
    """The row with the last edit of gold cut to its minute: later edits in it do not mark it."""
    if review is None or review["held_at"] is None:
        return review
    return review | {"held_at": review["held_at"][:MINUTE]}


def _was_not_compared(review: dict[str, Any]) -> bool:
    """Whether comparing took too long, which is not repeated before the work changes."""
    parts = json.loads(review["parts"])
    return not review["stale"] and any(part["part"] == NOT_COMPARED for part in parts)


def _replace(engine: Engine, computed: Sequence[TaskRows], *, check: bool) -> None:
    """Store the rows of tasks that have not changed; the others are marked as stale already."""
    if check or not computed:
        return
    with write_transaction(engine) as connection:
        for rows in computed:
            if work_versions(connection, rows.task_id) == rows.versions:
                connection.execute(
                    delete(AttemptSummary).where(AttemptSummary.task_id == rows.task_id)
                )
                store_rows(connection, rows)

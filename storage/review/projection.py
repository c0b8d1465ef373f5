"""Stores the review projection: one row per task, and one per submitted attempt.

The transaction that changes an attempt only marks its task as stale. The rows are computed shortly
after everybody has submitted the task, or when somebody reads them: from a snapshot, without the
write lock, and stored only if the compared work has not changed. ``refresh`` may be interrupted at
any point: the other tasks stay marked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select, update

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import AttemptSummary, ReviewTask
from pagetrail.storage.review.task_rows import TaskRows, task_rows
from pagetrail.storage.review.work_versions import work_versions

TASKS_AT_ONCE = 20
_TRIES = 3
"""Attempts at comparing a task that keeps changing; then it is left for the next call."""
_STORE_EVERY_S = 0.5
_STORE = update(ReviewTask).where(ReviewTask.task_id == bindparam("task"))

ComputeRows = Callable[[int], TaskRows | None]
"""Computes the rows of a task; None if it cannot now, and the task stays marked."""


def compute_in_thread(engine: Engine) -> ComputeRows:
    """Computes rows in the calling thread, without a time limit."""

    def compute_rows(task_id: int) -> TaskRows:
        with engine.connect() as connection:
            return task_rows(connection, task_id)

    return compute_rows


def stale_tasks(engine: Engine, campaign_id: int | None = None) -> int:
    """Number of tasks that have changed since their rows were computed."""
    statement = select(func.count()).select_from(ReviewTask).where(ReviewTask.stale)
    if campaign_id is not None:
        statement = statement.where(ReviewTask.campaign_id == campaign_id)
    with engine.connect() as connection:
        return int(connection.execute(statement).scalar_one())


def refresh(
    engine: Engine,
    campaign_id: int | None = None,
    *,
    budget_s: float | None = None,
    compute_rows: ComputeRows | None = None,
) -> int:
    """Compute the rows of changed tasks; returns the number of tasks left.

    Args:
        budget_s: seconds after which no further task is started; None does all.
        compute_rows: None computes in this thread.
    """
    deadline = None if budget_s is None else time.monotonic() + budget_s
    changed = select(ReviewTask.task_id).where(ReviewTask.stale).order_by(ReviewTask.task_id)
    if campaign_id is not None:
        changed = changed.where(ReviewTask.campaign_id == campaign_id)
    last = 0
    while True:
        with engine.connect() as connection:
            page = changed.where(ReviewTask.task_id > last).limit(TASKS_AT_ONCE)
            ids = connection.execute(page).scalars().all()
        if ids:
            refresh_tasks(engine, ids, compute_rows)
            last = ids[-1]
        if not ids or (deadline is not None and time.monotonic() > deadline):
            return stale_tasks(engine, campaign_id)


def refresh_tasks(
    engine: Engine, task_ids: Sequence[int], compute_rows: ComputeRows | None = None
) -> None:
    """Compute and store the rows of these tasks; those that cannot be stored now stay marked.

    Raises:
        NotFoundError: no such task.
    """
    compute = compute_rows or compute_in_thread(engine)
    left = list(task_ids)
    for _ in range(_TRIES):
        outdated: list[int] = []
        computed: list[TaskRows] = []
        last_store = time.monotonic()
        for task_id in left:
            rows = compute(task_id)
            if rows is not None:
                computed.append(rows)
            if time.monotonic() - last_store > _STORE_EVERY_S:
                # Rows that took long to compute must not wait for a task that takes longer.
                outdated += _store(engine, computed)
                computed, last_store = [], time.monotonic()
        left = outdated + _store(engine, computed)
        if not left:
            return


def _store(engine: Engine, computed: Sequence[TaskRows]) -> list[int]:
    """Store the rows of tasks that have not changed; returns the ids of the others."""
    outdated = []
    if computed:
        with write_transaction(engine) as connection:
            for rows in computed:
                if work_versions(connection, rows.task_id) == rows.versions:
                    store_rows(connection, rows)
                else:
                    outdated.append(rows.task_id)
    return outdated


def store_rows(connection: Connection, rows: TaskRows) -> None:
    """Store the rows of a task, in a transaction that holds the write lock."""
    # New summaries too: another process may have stored the same ones.
    old = [*rows.outdated, *(row["attempt_id"] for row in rows.summaries)]
    if old:
        connection.execute(delete(AttemptSummary).where(AttemptSummary.attempt_id.in_(old)))
    if rows.summaries:
        connection.execute(insert(AttemptSummary), list(rows.summaries))
    updated = connection.execute(_STORE, rows.review | {"task": rows.task_id})
    if updated.rowcount == 0:
        connection.execute(
            insert(ReviewTask).values(
                task_id=rows.task_id, campaign_id=rows.campaign_id, **rows.review
            )
        )

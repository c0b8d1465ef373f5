"""Projection of review: one row per task, and one per submitted attempt.

The transaction that changes an attempt only marks its task; the rows are computed a moment after
everybody has submitted it, or else when somebody looks. They are computed from a snapshot, without
the write lock, and stored only where the work is still the one that was compared. ``refresh`` may
be stopped at any point: what is left stays marked.
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
"""How often a task is compared that changes meanwhile; then it is left for the next look."""
_STORE_EVERY_S = 0.5
_STORE = update(ReviewTask).where(ReviewTask.task_id == bindparam("task"))

RowsOf = Callable[[int], TaskRows | None]
"""Computes the rows of a task; None: not now, it stays marked."""


def rows_here(engine: Engine) -> RowsOf:
    """Computes rows in the calling thread, for as long as it takes."""

    def rows_of(task_id: int) -> TaskRows:
        with engine.connect() as connection:
            return task_rows(connection, task_id)

    return rows_of


def stale_tasks(engine: Engine, campaign_id: int | None = None) -> int:
    """How many tasks have changed since their rows were computed."""
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
    rows_of: RowsOf | None = None,
) -> int:
    """Compute the rows of the tasks that have changed; returns how many are left.

    Args:
        budget_s: seconds after which no further tasks are started; None does all.
        rows_of: how rows are computed; None: in this thread.
    """
    give_up = None if budget_s is None else time.monotonic() + budget_s
    changed = select(ReviewTask.task_id).where(ReviewTask.stale).order_by(ReviewTask.task_id)
    if campaign_id is not None:
        changed = changed.where(ReviewTask.campaign_id == campaign_id)
    last = 0
    while True:
        with engine.connect() as connection:
            page = changed.where(ReviewTask.task_id > last).limit(TASKS_AT_ONCE)
            ids = connection.execute(page).scalars().all()
        if ids:
            refresh_tasks(engine, ids, rows_of)
            last = ids[-1]
        if not ids or (give_up is not None and time.monotonic() > give_up):
            return stale_tasks(engine, campaign_id)


def refresh_tasks(engine: Engine, task_ids: Sequence[int], rows_of: RowsOf | None = None) -> None:
    """Compute and store the rows of these tasks; what cannot be stored now stays marked.

    Raises:
        NotFoundError: no such task.
    """
    compute = rows_of or rows_here(engine)
    left = list(task_ids)
    for _ in range(_TRIES):
        outdated: list[int] = []
        computed: list[TaskRows] = []
        since = time.monotonic()
        for task_id in left:
            rows = compute(task_id)
            if rows is not None:
                computed.append(rows)
            if time.monotonic() - since > _STORE_EVERY_S:
                # What took long is not lost with whatever takes longer after it.
                outdated += _store(engine, computed)
                computed, since = [], time.monotonic()
        left = outdated + _store(engine, computed)
        if not left:
            return


def _store(engine: Engine, computed: Sequence[TaskRows]) -> list[int]:
    """Store the rows whose work has not changed since; returns the other tasks."""
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
    # The new ones too: somebody else may have computed and stored the same.
    old = [*rows.outdated, *(row["attempt_id"] for row in rows.summaries)]
    if old:
        connection.execute(delete(AttemptSummary).where(AttemptSummary.attempt_id.in_(old)))
    if rows.summaries:
        connection.execute(insert(AttemptSummary), list(rows.summaries))
    changed = connection.execute(_STORE, rows.review | {"task": rows.task_id})
    if changed.rowcount == 0:
        connection.execute(
            insert(ReviewTask).values(
                task_id=rows.task_id, campaign_id=rows.campaign_id, **rows.review
            )
        )

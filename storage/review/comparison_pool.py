"""Compares the answers to a task in a worker process with a time limit: the text is untrusted.

A task that takes longer is not compared. Its row says so, it waits for a reviewer, and it is not
tried again before its answers change.
"""

from __future__ import annotations

import logging
from functools import lru_cache

from sqlalchemy import Engine

from pagetrail.storage.database.location import address_of, engine_at
from pagetrail.storage.review.task_rows import TaskRows, task_rows
from pagetrail.storage.workers.pool import WorkerPool
from pagetrail.storage.workers.process import WorkerCrashed, WorkerFailure, WorkerTimedOut

LIMIT_S = 10.0
"""Time limit for comparing the answers to one task, in seconds."""

_READ_LIMIT_S = 60.0
_WAIT_S = 60.0
_NICENESS = 10
_log = logging.getLogger("pagetrail.review")


class ComparisonPool:
    """One worker process that compares tasks. Thread-safe.

    Args:
        engine: the workspace's database.
        limit_s: seconds per task.

    Attributes:
        pool: the process, started when it is needed.
    """

    def __init__(self, engine: Engine, *, limit_s: float = LIMIT_S) -> None:
        self._database = address_of(engine)
        self._limit_s = limit_s
        self.pool = WorkerPool(1, open_database, (self._database,), niceness=_NICENESS)

    def rows_of(self, task_id: int) -> TaskRows | None:
        """The rows of a task; None while no worker process is available.

        Raises:
            NotFoundError: no such task.
        """
        try:
            try:
                return self._call(task_id, self._limit_s)
            except WorkerCrashed as error:
                _log.warning("the comparison of task %s crashed: %s", task_id, error)
                return self._call(task_id, self._limit_s)
        except WorkerTimedOut:
            return self._uncompared_rows(
                task_id, f"Not compared: it takes over {self._limit_s:g} s"
            )
        except WorkerCrashed:
            return self._uncompared_rows(task_id, "Not compared: it needs too much memory")
        except WorkerFailure as error:
            _log.warning("task %s is left to compare: %r", task_id, error)
            return None

    def _uncompared_rows(self, task_id: int, reason: str) -> TaskRows | None:
        _log.warning("task %s is left to a reviewer: %s", task_id, reason)
        try:
            return self._call(task_id, _READ_LIMIT_S, reason)
        except WorkerFailure as error:
            _log.warning("task %s is left to compare: %r", task_id, error)
            return None

    def _call(self, task_id: int, limit_s: float, not_compared: str | None = None) -> TaskRows:
        arguments = (self._database, task_id, not_compared)
        return self.pool.call(rows_in_worker, *arguments, timeout=limit_s, wait=_WAIT_S)


def open_database(database: str) -> None:
    """Open the database before the first comparison needs it."""
    with _engine(database).connect():
        pass


def rows_in_worker(database: str, task_id: int, not_compared: str | None) -> TaskRows:
    """The rows of a task, computed in a worker process.

    Args:
        database: as returned by ``address_of``.
        not_compared: see ``task_rows``.
    """
    with _engine(database).connect() as connection:
        return task_rows(connection, task_id, not_compared=not_compared)


@lru_cache(1)
def _engine(database: str) -> Engine:
    return engine_at(database)

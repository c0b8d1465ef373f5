"""Comparing a task's work in a worker process with a time limit: it is people's text.

A task that takes longer is not compared: its row says so, it waits for a reviewer, and it is not
tried again before its work changes.
"""

from __future__ import annotations

import logging
import os
from functools import lru_cache

from sqlalchemy import Engine

from pagetrail.storage.database.location import address_of, engine_at
from pagetrail.storage.review.task_rows import TaskRows, task_rows
from pagetrail.storage.workers.pool import WorkerPool
from pagetrail.storage.workers.process import WorkerCrashed, WorkerFailure, WorkerTimedOut

LIMIT_S = 10.0
"""Seconds that comparing the work on one task may take."""

_READ_LIMIT_S = 60.0
_WAIT_S = 60.0
_NICE = 10
_log = logging.getLogger("pagetrail.review")


class ComparisonPool:
    """One worker process that compares tasks, started when it is needed. Thread-safe.

    Args:
        engine: the workspace's database.
        limit_s: seconds per task.
    """

    def __init__(self, engine: Engine, *, limit_s: float = LIMIT_S) -> None:
        self._database = address_of(engine)
        self._limit_s = limit_s
        self._pool = WorkerPool(1, prepare, (self._database,))

    def start(self) -> None:
        """Start the process in the background."""
        self._pool.start()

    def ready(self, seconds: float) -> bool:
        """Whether the process is free, after waiting for at most so long."""
        return self._pool.ready(seconds)

    def close(self) -> None:
        """End the process; what it compares stays marked."""
        self._pool.close(at_once=True)

    def rows_of(self, task_id: int) -> TaskRows | None:
        """The rows of a task; None while no worker process can be had.

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
            return self._not_compared(task_id, f"Not compared: it takes over {self._limit_s:g} s")
        except WorkerCrashed:
            return self._not_compared(task_id, "Not compared: it needs too much memory")
        except WorkerFailure as error:
            _log.warning("task %s is left to compare: %r", task_id, error)
            return None

    def _not_compared(self, task_id: int, why: str) -> TaskRows | None:
        _log.warning("task %s is left to a reviewer: %s", task_id, why)
        try:
            return self._call(task_id, _READ_LIMIT_S, why)
        except WorkerFailure as error:
            _log.warning("task %s is left to compare: %r", task_id, error)
            return None

    def _call(self, task_id: int, limit_s: float, not_compared: str | None = None) -> TaskRows:
        arguments = (self._database, task_id, not_compared)
        return self._pool.call(rows_in_worker, *arguments, timeout=limit_s, wait=_WAIT_S)


def prepare(database: str) -> None:
    """Let people's requests go first, and open the database."""
    os.nice(_NICE)
    with _engine(database).connect():
        pass


def rows_in_worker(database: str, task_id: int, not_compared: str | None) -> TaskRows:
    """The rows of a task, in a worker process.

    Args:
        database: as ``address_of`` has it.
        not_compared: as in ``task_rows``.
    """
    with _engine(database).connect() as connection:
        return task_rows(connection, task_id, not_compared=not_compared)


@lru_cache(1)
def _engine(database: str) -> Engine:
    return engine_at(database)

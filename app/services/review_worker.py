"""Compares submissions in the background, without slowing down annotators.

One thread takes submissions one by one and rests before each, so that a submission is acknowledged
long before it is compared, and many at once take a small share of a processor. The queue is only a
reminder: the database marks every such task as stale, and what the thread does not get to is
compared when a supervisor next opens a screen.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition

from pagetrail.app.services.outages import log_failure

REST_S = 0.2
"""Ten times what it takes to acknowledge a submission."""
MAX_QUEUED = 10_000
_log = logging.getLogger("pagetrail.settling")


class ReviewWorker:
    """A thread that compares submissions. Thread-safe; it does nothing before ``start``.

    Args:
        compare: compares the task of an attempt; exceptions are logged.
        rest_s: seconds of rest before each task.
    """

    def __init__(self, compare: Callable[[str], object], *, rest_s: float = REST_S) -> None:
        self._compare = compare
        self._rest_s = rest_s
        self._changed = Condition()
        self._queue: dict[str, None] = {}
        self._draining = 0
        self._busy = False
        self._current_attempt = ""
        self._pool: ThreadPoolExecutor | None = None

    def start(self) -> None:
        """Accept submissions from now on."""
        with self._changed:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, "settling")

    def enqueue(self, attempt_id: str) -> None:
        """Have a submission compared soon; returns at once."""
        with self._changed:
            if self._pool is None:
                return
            if len(self._queue) >= MAX_QUEUED:
                _log.warning("the queue is full: %s is compared by a screen", attempt_id)
                return
            self._queue[attempt_id] = None
            self._start_next()

    def drain(self, timeout_s: float) -> bool:
        """Work off the queue without rests; False if the time was not enough."""
        with self._changed:
            self._draining += 1
            self._changed.notify_all()
            try:
                return self._changed.wait_for(lambda: not (self._busy or self._queue), timeout_s)
            finally:
                self._draining -= 1

    def close(self) -> None:
        """Stop after the current task; the others stay marked in the database."""
        with self._changed:
            pool, self._pool = self._pool, None
            self._queue.clear()
            self._changed.notify_all()
        if pool is not None:
            pool.shutdown()

    def _start_next(self) -> None:
        """Start the next task unless one is running: the pool's queue would outlive the server."""
        if self._pool is not None and self._queue and not self._busy:
            self._busy = True
            self._pool.submit(self._compare_next).add_done_callback(self._finish)

    def _compare_next(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._draining or self._pool is None, self._rest_s)
            if self._pool is None:
                return
            attempt_id = next(iter(self._queue))
            # A resubmission from here on is compared again.
            del self._queue[attempt_id]
        self._current_attempt = attempt_id
        self._compare(attempt_id)

    def _finish(self, future: Future[None]) -> None:
        error = future.exception()
        if error is not None:
            log_failure(_log, f"settling the task of {self._current_attempt}", error)
        with self._changed:
            self._busy = False
            self._start_next()
            self._changed.notify_all()

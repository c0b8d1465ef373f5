"""Comparing submitted work in the background, without delaying the people at work.

One thread takes attempts one by one and rests before each, so that a submission is acknowledged
long before its task is compared, and many submissions at once take a small share of a processor.
The queue is only a reminder: every such task is also marked in the database, and what the thread
does not get to is done when a supervisor next opens a screen.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Condition

from pagetrail.app.services.outages import log_failure

REST_S = 0.2
"""Seconds; ten times what it takes to acknowledge a submission."""
MOST = 10_000
_log = logging.getLogger("pagetrail.settling")


class Settling:
    """A thread that settles attempts' tasks. Thread-safe; it does nothing before ``start``.

    Args:
        settle: settles the task of an attempt; what it raises is logged.
        rest_s: seconds before each task.
    """

    def __init__(self, settle: Callable[[str], object], *, rest_s: float = REST_S) -> None:
        self._settle = settle
        self._rest_s = rest_s
        self._changed = Condition()
        self._waiting: dict[str, None] = {}
        self._hurried = 0
        self._busy = False
        self._at = ""
        self._pool: ThreadPoolExecutor | None = None

    def start(self) -> None:
        """Take attempts from here on."""
        with self._changed:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, "settling")

    def handed_in(self, attempt_id: str) -> None:
        """Have the attempt's task settled soon; returns at once."""
        with self._changed:
            if self._pool is None:
                return
            if len(self._waiting) >= MOST:
                _log.warning("too much to settle: %s is left for the next look", attempt_id)
                return
            self._waiting[attempt_id] = None
            self._go_on()

    def drain(self, seconds: float) -> bool:
        """Do what waits without rests; False where the time was up before."""
        with self._changed:
            self._hurried += 1
            self._changed.notify_all()
            try:
                return self._changed.wait_for(lambda: not (self._busy or self._waiting), seconds)
            finally:
                self._hurried -= 1

    def close(self) -> None:
        """End after the task in work; what waits stays marked in the database."""
        with self._changed:
            pool, self._pool = self._pool, None
            self._waiting.clear()
            self._changed.notify_all()
        if pool is not None:
            pool.shutdown()

    def _go_on(self) -> None:
        """Start the next unless one is running: a queue in the pool would outlive the server."""
        if self._pool is not None and self._waiting and not self._busy:
            self._busy = True
            self._pool.submit(self._next).add_done_callback(self._done)

    def _next(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._hurried or self._pool is None, self._rest_s)
            if self._pool is None:
                return
            attempt_id = next(iter(self._waiting))
            # If it is resubmitted from here on, it is settled again.
            del self._waiting[attempt_id]
        self._at = attempt_id
        self._settle(attempt_id)

    def _done(self, future: Future[None]) -> None:
        error = future.exception()
        if error is not None:
            log_failure(_log, f"settling the task of {self._at}", error)
        with self._changed:
            self._busy = False
            self._go_on()
            self._changed.notify_all()

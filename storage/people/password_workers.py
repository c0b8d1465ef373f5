"""Checking passwords in processes of low priority: a hash takes a core for a while."""

from __future__ import annotations

import os

from pagetrail.annotation.errors import Busy
from pagetrail.storage.people.credentials import verify_password
from pagetrail.storage.workers.pool import WorkerPool
from pagetrail.storage.workers.process import WorkerFailure

PROCESSES = 2
_NICE = 3
_LIMIT_S = 30.0


class PasswordWorkers:
    """Processes that check passwords. Thread-safe.

    Before ``start`` passwords are checked where they are asked about.
    """

    def __init__(self) -> None:
        self._pool = WorkerPool(min(PROCESSES, os.cpu_count() or 1), prepare)
        self._is_started = False

    def start(self) -> None:
        """Start the processes in the background."""
        self._pool.start()
        self._is_started = True

    def ready(self, seconds: float) -> bool:
        """Whether a process is free, after waiting for at most so long."""
        return self._pool.ready(seconds)

    def verify(self, stored: str | None, password: str) -> bool:
        """As ``verify_password``.

        Raises:
            Busy: no process answers in time.
        """
        if not self._is_started:
            return verify_password(stored, password)
        try:
            return self._pool.call(verify_password, stored, password, timeout=_LIMIT_S)
        except WorkerFailure:
            raise Busy("Passwords cannot be checked at the moment. Try again shortly.") from None

    def pids(self) -> list[int]:
        """Process ids."""
        return self._pool.pids()

    def close(self) -> None:
        """Kill the processes."""
        self._pool.close(at_once=True)


def prepare() -> None:
    """Prepare a worker process: after people's work, and before pages are drawn."""
    os.nice(_NICE)

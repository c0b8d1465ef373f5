"""Progress, commands and outcome of a job, as exchanged with its worker process."""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from pagetrail.storage.database.jobs import JobCommand
from pagetrail.storage.workers.worker_main import receive_message, send_progress

PAUSE: JobCommand = "pause"
RESUME: JobCommand = "resume"
CANCEL: JobCommand = "cancel"
"""Commands to a job's process, which obeys at the job's next step."""

_MIN_INTERVAL_S = 0.2

JobStep = tuple[str, int, int]
"""Phase of a job, its steps done, and their total (0: unknown)."""


class JobOutcome(NamedTuple):
    """How a job ended.

    Attributes:
        state: ``done``, ``failed`` or ``cancelled``.
        message: a sentence for people.
        details: stored as the job's result.
    """

    state: str
    message: str
    details: Mapping[str, Any] | None = None


CANCELLED = JobOutcome("cancelled", "Cancelled. Nothing half-finished was kept.")


class JobProgress:
    """Reports progress at most five times a second, and blocks while the job is paused.

    A job waits here, between two steps, and never within a write to the database: a process
    stopped by a signal would keep its locks, and everybody else would wait with it.
    """

    def __init__(self) -> None:
        self._phase = ""
        self._next_report = 0.0

    def update(self, phase: str, done: int, total: int) -> None:
        """Wait while paused; then report the step, unless its phase was reported just now.

        Raises:
            KeyboardInterrupt: the job was cancelled.
        """
        command = receive_message()
        while command is not None:
            if command == CANCEL:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing interrupts the clean-up
                raise KeyboardInterrupt
            command = receive_message(wait=command == PAUSE)
        now = time.monotonic()
        if phase == self._phase and now < self._next_report and done != total:
            return
        self._phase, self._next_report = phase, now + _MIN_INTERVAL_S
        step: JobStep = (phase, done, total)
        send_progress(step)

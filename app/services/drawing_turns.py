"""Decides which page is drawn next: pages, then thumbnails, then prefetched ones; people in turn.

Nobody's burst can occupy the server's threads. If too much is requested, the least needed requests
are refused first, with a time to retry. Thumbnails and prefetched pages leave a core to events and
searches; only pages that somebody waits for occupy all processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import IntEnum
from math import ceil
from time import monotonic
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread

from pagetrail.annotation.errors import Busy
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.person_turns import TOO_MANY_PAGES, PersonTurns

T = TypeVar("T")

_SMOOTHING = 0.1


class Need(IntEnum):
    """How urgently a drawing is needed; the least urgent waits longest."""

    PAGE = 0
    THUMBNAIL = 1
    PREFETCH = 2


MAX_WAITING = {Need.PAGE: 300, Need.THUMBNAIL: 100, Need.PREFETCH: 4}
"""Requests of this urgency are refused once that many wait for a process."""


@dataclass
class _DrawingJob:
    """A drawing that waits or runs."""

    need: Need
    number: int
    granted: asyncio.Future[None] | None = None
    task: asyncio.Task[Any] | None = None


class DrawingTurns:
    """Runs drawings in separate threads as drawing processes become free. For one event loop.

    Each person has one drawing running at a time, in order; as many people as there are processes
    are served at once. Identical requests run once, with the most urgent need of them.

    Args:
        processes: number of drawing processes.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        # On a small machine there is one process more than cores, and one core stays free.
        self._deferrable_at_once = max(1, processes - 2)
        self._limiter = CapacityLimiter(processes)
        self._turns = PersonTurns(at_once=1, refusal=TOO_MANY_PAGES)
        self._jobs: dict[Hashable, _DrawingJob] = {}
        self._waiting: list[_DrawingJob] = []
        self._running: list[_DrawingJob] = []
        self._number = 0
        self._usual_s = 0.1

    async def run(
        self, person_id: int, key: Hashable, function: Callable[[], T], need: Need = Need.PAGE
    ) -> T:
        """The function's result.

        Args:
            person_id: id of the person who asks.
            key: identifies the drawing: calls with the same key have the same result.
            function: draws it; runs in a thread.
            need: how urgently it is needed.

        Raises:
            TooManyRequests: this person already waits for too many.
            Busy: too many wait with the same urgency; says when to retry.
            PagetrailError: what the function raises.
        """
        entry = self._jobs.get(key)
        if entry is None or entry.task is None:
            self._require_room(need)
            self._number += 1
            entry = self._jobs[key] = _DrawingJob(need, self._number)
            entry.task = asyncio.create_task(self._in_turn(person_id, key, entry, function))
        if need < entry.need:
            entry.need = need
            self._grant()
        result: T = await asyncio.shield(entry.task)
        return result

    def _require_room(self, need: Need) -> None:
        before = sum(job.need <= need for job in self._jobs.values())
        if before >= MAX_WAITING[need] + self._processes:
            wait = max(1, ceil(before * self._usual_s / self._processes))
            raise Busy(
                gettext(
                    "Many pages are being drawn at the moment. Try again in {wait} s.", wait=wait
                ),
                retry_after_s=wait,
            )

    async def _in_turn(
        self, person_id: int, key: Hashable, entry: _DrawingJob, function: Callable[[], T]
    ) -> T:
        try:
            async with self._turns.turn(person_id):
                await self._granted(entry)
                started = monotonic()
                try:
                    return await to_thread.run_sync(function, limiter=self._limiter)
                finally:
                    self._usual_s += _SMOOTHING * (monotonic() - started - self._usual_s)
                    self._running.remove(entry)
                    self._grant()
        finally:
            del self._jobs[key]

    async def _granted(self, entry: _DrawingJob) -> None:
        """Wait for a process; afterwards the job is among those that run."""
        entry.granted = asyncio.get_running_loop().create_future()
        self._waiting.append(entry)
        self._grant()
        await entry.granted

    def _grant(self) -> None:
        while (job := self._next_job()) is not None:
            self._waiting.remove(job)
            if job.granted is not None and not job.granted.done():
                job.granted.set_result(None)
                self._running.append(job)

    def _next_job(self) -> _DrawingJob | None:
        """The drawing whose turn it is; None if nothing waits or no process is left for it."""
        if not self._waiting or len(self._running) >= self._processes:
            return None
        job = min(self._waiting, key=lambda job: (job.need, job.number))
        deferrable = sum(running.need > Need.PAGE for running in self._running)
        has_process = job.need == Need.PAGE or deferrable < self._deferrable_at_once
        return job if has_process else None

"""Decides which page is rendered next: pages, thumbnails, prefetched pages; people in turn.

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
    """How urgently a rendering is needed; the least urgent waits longest."""

    PAGE = 0
    THUMBNAIL = 1
    PREFETCH = 2


MAX_WAITING = {Need.PAGE: 300, Need.THUMBNAIL: 100, Need.PREFETCH: 4}
"""Requests of this urgency are refused once that many wait for a process."""


@dataclass
class _RenderJob:
    """A rendering that waits or runs.

    Attributes:
        sequence: jobs of the same need are served in this order.
        slot: resolves when a process is free for the job; None before it waits for one.
    """

    need: Need
    sequence: int
    slot: asyncio.Future[None] | None = None
    task: asyncio.Task[Any] | None = None


class RenderQueue:
    """Runs renderings in separate threads as processes become free. For one event loop.

    Each person has one rendering at a time, in order; as many people as there are processes are
    served at once. Identical requests run once, with the most urgent need of them.

    Args:
        processes: number of processes that render pages.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        # On a small machine there is one process more than cores, and one core stays free.
        self._deferrable_at_once = max(1, processes - 2)
        self._limiter = CapacityLimiter(processes)
        self._turns = PersonTurns(at_once=1, refusal=TOO_MANY_PAGES)
        self._jobs: dict[Hashable, _RenderJob] = {}
        self._waiting: list[_RenderJob] = []
        self._running: list[_RenderJob] = []
        self._n_jobs = 0
        self._mean_duration_s = 0.1

    async def run(
        self, person_id: int, key: Hashable, function: Callable[[], T], need: Need = Need.PAGE
    ) -> T:
        """The function's result.

        Args:
            person_id: id of the person who asks.
            key: identifies the rendering: calls with the same key have the same result.
            function: renders it; runs in a thread.
            need: how urgently it is needed.

        Raises:
            TooManyRequests: this person already waits for too many.
            Busy: too many wait with the same urgency; says when to retry.
            PagetrailError: what the function raises.
        """
        job = self._jobs.get(key)
        if job is None or job.task is None:
            self._require_room(need)
            self._n_jobs += 1
            job = self._jobs[key] = _RenderJob(need, self._n_jobs)
            job.task = asyncio.create_task(self._in_turn(person_id, key, job, function))
        if need < job.need:
            job.need = need
            self._grant_slots()
        result: T = await asyncio.shield(job.task)
        return result

    def _require_room(self, need: Need) -> None:
        n_waiting = sum(job.need <= need for job in self._jobs.values())
        if n_waiting >= MAX_WAITING[need] + self._processes:
            wait = max(1, ceil(n_waiting * self._mean_duration_s / self._processes))
            raise Busy(
                gettext(
                    "Many pages are being drawn at the moment. Try again in {wait} s.", wait=wait
                ),
                retry_after_s=wait,
            )

    async def _in_turn(
        self, person_id: int, key: Hashable, job: _RenderJob, function: Callable[[], T]
    ) -> T:
        try:
            async with self._turns.turn(person_id):
                await self._wait_for_slot(job)
                started = monotonic()
                try:
                    return await to_thread.run_sync(function, limiter=self._limiter)
                finally:
                    duration_s = monotonic() - started
                    self._mean_duration_s += _SMOOTHING * (duration_s - self._mean_duration_s)
                    self._running.remove(job)
                    self._grant_slots()
        finally:
            del self._jobs[key]

    async def _wait_for_slot(self, job: _RenderJob) -> None:
        """Wait for a process; afterwards the job is among those that run."""
        job.slot = asyncio.get_running_loop().create_future()
        self._waiting.append(job)
        self._grant_slots()
        await job.slot

    def _grant_slots(self) -> None:
        while (job := self._next_job()) is not None:
            self._waiting.remove(job)
            if job.slot is not None and not job.slot.done():
                job.slot.set_result(None)
                self._running.append(job)

    def _next_job(self) -> _RenderJob | None:
        """The job whose turn it is; None if nothing waits or no process is left for it."""
        if not self._waiting or len(self._running) >= self._processes:
            return None
        job = min(self._waiting, key=lambda job: (job.need, job.sequence))
        deferrable = sum(running.need > Need.PAGE for running in self._running)
        has_process = job.need == Need.PAGE or deferrable < self._deferrable_at_once
        return job if has_process else None

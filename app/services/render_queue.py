"""Decides which page is rendered next: pages, thumbnails, prefetched pages; people in turn.

Nobody's burst can occupy the server's threads. If too much is requested, the least needed requests
are refused first, with a time to retry. Thumbnails and prefetched pages leave a core to events and
searches; only pages that somebody waits for occupy all processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import IntEnum
from math import ceil
from time import monotonic
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread

from pagetrail.annotation.errors import Busy
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.person_turns import TOO_MANY_PAGES, TooManyRequests

T = TypeVar("T")

_SMOOTHING = 0.1


class Need(IntEnum):
    """How urgently a rendering is needed; the least urgent waits longest."""

    PAGE = 0
    THUMBNAIL = 1
    PREFETCH = 2


MAX_WAITING = {Need.PAGE: 300, Need.THUMBNAIL: 100, Need.PREFETCH: 4}
"""Requests of this urgency are refused once that many wait for a process."""
MAX_PER_PERSON = 60


@dataclass(eq=False)
class _RenderJob:
    """A rendering that waits or runs.

    Attributes:
        sequence: jobs of the same need are served in this order.
        slot: resolves when a process is free for the job.
    """

    person_id: int
    need: Need
    sequence: int
    slot: asyncio.Future[None]
    task: asyncio.Task[Any] = field(init=False)


class RenderQueue:
    """Runs renderings in separate threads as processes become free. For one event loop.

    Each person has one rendering at a time; as many people as there are processes are served at
    once, and whoever was served waits behind the others. Identical requests run once, with the most
    urgent need of them.

    Args:
        processes: number of processes that render pages (``storage.corpus.page_workers``).
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        # On a small machine there is one process more than cores, and one core stays free.
        self._deferrable_at_once = max(1, processes - 2)
        self._limiter = CapacityLimiter(processes)
        self._jobs: dict[Hashable, _RenderJob] = {}
        self._waiting: list[_RenderJob] = []
        self._running: list[_RenderJob] = []
        self._sequence = 0
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
        if job is None:
            self._require_room(person_id, need)
            slot = asyncio.get_running_loop().create_future()
            job = _RenderJob(person_id, need, self._next_sequence(), slot)
            job.task = asyncio.create_task(self._render(key, job, function))
            self._jobs[key] = job
            self._waiting.append(job)
        job.need = min(job.need, need)
        self._grant_slots()
        result: T = await asyncio.shield(job.task)
        return result

    def _next_sequence(self) -> int:
        self._sequence += 1
        return self._sequence

    def _require_room(self, person_id: int, need: Need) -> None:
        n_waiting = sum(job.need <= need for job in self._jobs.values())
        if n_waiting >= MAX_WAITING[need] + self._processes:
            wait = max(1, ceil(n_waiting * self._mean_duration_s / self._processes))
            raise Busy(
                gettext(
                    "Many pages are being drawn at the moment. Try again in {wait} s.", wait=wait
                ),
                retry_after_s=wait,
            )
        if sum(job.person_id == person_id for job in self._jobs.values()) >= MAX_PER_PERSON:
            raise TooManyRequests(gettext(TOO_MANY_PAGES, number=MAX_PER_PERSON))

    async def _render(self, key: Hashable, job: _RenderJob, function: Callable[[], T]) -> T:
        try:
            await job.slot
            started = monotonic()
            try:
                return await to_thread.run_sync(function, limiter=self._limiter)
            finally:
                duration_s = monotonic() - started
                self._mean_duration_s += _SMOOTHING * (duration_s - self._mean_duration_s)
                self._running.remove(job)
                self._put_behind_others(job.person_id)
                self._grant_slots()
        finally:
            del self._jobs[key]

    def _put_behind_others(self, person_id: int) -> None:
        for job in self._waiting:
            if job.person_id == person_id:
                job.sequence = self._next_sequence()

    def _grant_slots(self) -> None:
        while (job := self._next_job()) is not None:
            self._waiting.remove(job)
            if not job.slot.done():
                job.slot.set_result(None)
                self._running.append(job)

    def _next_job(self) -> _RenderJob | None:
        """The job whose turn it is; None if nothing waits or no process is left for it."""
        served = {job.person_id for job in self._running}
        candidates = [job for job in self._waiting if job.person_id not in served]
        if not candidates or len(self._running) >= self._processes:
            return None
        job = min(candidates, key=lambda job: (job.need, job.sequence))
        deferrable = sum(running.need > Need.PAGE for running in self._running)
        has_process = job.need == Need.PAGE or deferrable < self._deferrable_at_once
        return job if has_process else None

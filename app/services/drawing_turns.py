"""Whose page is drawn next: pages before thumbnails before what is fetched ahead, people in turn.

Nobody's burst holds the server's threads, and where more is wanted than can be drawn, what is
needed least is refused first, with a time to ask again.
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
from pagetrail.app.services.person_turns import PersonTurns

T = TypeVar("T")

_SMOOTHING = 0.1


class Need(IntEnum):
    """How much somebody needs what is drawn: whoever needs it least waits longest."""

    PAGE = 0
    THUMBNAIL = 1
    AHEAD = 2


MAX_WAITING = {Need.PAGE: 300, Need.THUMBNAIL: 100, Need.AHEAD: 4}
"""From so many pieces of work on that wait for a process, more of this need are refused."""


@dataclass
class _Work:
    """A piece of work that waits, or runs."""

    need: Need
    number: int
    granted: asyncio.Future[None] | None = None
    task: asyncio.Task[Any] | None = None


class DrawingTurns:
    """Runs work that waits for a process that draws, in threads of its own. For one event loop.

    A person has one piece of work done at a time, in the order asked for; as many people as there
    are processes are served at once. The same work asked for twice meanwhile is done once, as soon
    as whoever needs it most.

    Args:
        processes: number of processes that draw.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._limiter = CapacityLimiter(processes)
        self._turns = PersonTurns(at_once=1, things="pages")
        self._works: dict[Hashable, _Work] = {}
        self._waiting: list[_Work] = []
        self._busy = 0
        self._number = 0
        self._usual_s = 0.1

    async def run(
        self, person_id: int, work: Hashable, function: Callable[[], T], need: Need = Need.PAGE
    ) -> T:
        """The function's result.

        Args:
            person_id: who asks.
            work: names the work: two calls with the same name have the same result.
            function: does it; it runs in a thread.
            need: how much it is needed.

        Raises:
            TooMuchAtOnce: this person waits for too many others already.
            Busy: too many wait for what is needed as much; says when to ask again.
            PagetrailError: what the function raises.
        """
        entry = self._works.get(work)
        if entry is None or entry.task is None:
            self._require_room(need)
            self._number += 1
            entry = self._works[work] = _Work(need, self._number)
            entry.task = asyncio.create_task(self._in_turn(person_id, work, entry, function))
        entry.need = min(entry.need, need)
        result: T = await asyncio.shield(entry.task)
        return result

    def _require_room(self, need: Need) -> None:
        ahead = sum(work.need <= need for work in self._works.values())
        if ahead >= MAX_WAITING[need] + self._processes:
            wait = max(1, ceil(ahead * self._usual_s / self._processes))
            raise Busy(
                f"Many pages are being drawn at the moment. Try again in {wait} s.",
                retry_after_s=wait,
            )

    async def _in_turn(
        self, person_id: int, work: Hashable, entry: _Work, function: Callable[[], T]
    ) -> T:
        try:
            async with self._turns.turn(person_id):
                await self._granted(entry)
                began = monotonic()
                try:
                    return await to_thread.run_sync(function, limiter=self._limiter)
                finally:
                    self._usual_s += _SMOOTHING * (monotonic() - began - self._usual_s)
                    self._busy -= 1
                    self._grant()
        finally:
            del self._works[work]

    async def _granted(self, entry: _Work) -> None:
        """Wait for a process; ``_busy`` counts this work afterwards."""
        entry.granted = asyncio.get_running_loop().create_future()
        self._waiting.append(entry)
        self._grant()
        await entry.granted

    def _grant(self) -> None:
        while self._waiting and self._busy < self._processes:
            first = min(self._waiting, key=lambda work: (work.need, work.number))
            self._waiting.remove(first)
            if first.granted is not None and not first.granted.done():
                first.granted.set_result(None)
                self._busy += 1

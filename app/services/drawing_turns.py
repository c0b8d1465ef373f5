"""Whose page is drawn next: people take turns, and nobody's burst holds the server's threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread

from pagetrail.app.services.person_turns import PersonTurns

T = TypeVar("T")


class DrawingTurns:
    """Runs work that waits for a process that draws, in threads of its own. For one event loop.

    A person has one piece of work done at a time, in the order asked for; as many people as there
    are processes are served at once. The same work asked for twice meanwhile is done once.

    Args:
        processes: number of processes that draw.
    """

    def __init__(self, processes: int) -> None:
        self._limiter = CapacityLimiter(processes)
        self._turns = PersonTurns(at_once=1, things="pages")
        self._running: dict[Hashable, asyncio.Task[Any]] = {}

    async def run(self, person_id: int, work: Hashable, function: Callable[[], T]) -> T:
        """The function's result.

        Args:
            person_id: who asks.
            work: names the work: two calls with the same name have the same result.
            function: does it; it runs in a thread.

        Raises:
            TooMuchAtOnce: this person waits for too many others already.
            PagetrailError: what the function raises.
        """
        task = self._running.get(work)
        if task is None:
            task = self._running[work] = asyncio.create_task(
                self._in_turn(person_id, work, function)
            )
        result: T = await asyncio.shield(task)
        return result

    async def _in_turn(self, person_id: int, work: Hashable, function: Callable[[], T]) -> T:
        try:
            async with self._turns.turn(person_id):
                return await to_thread.run_sync(function, limiter=self._limiter)
        finally:
            del self._running[work]

"""How much of one person's work is done at once: a burst waits behind itself, not before others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pagetrail.annotation.errors import Busy


class TooMuchAtOnce(Busy):
    """One person asked for too much at once; others are not concerned."""


@dataclass
class _Queue:
    """One person's work: turns that are free, and how many have or want one."""

    turns: asyncio.Semaphore
    waiting: int = 0


class PersonTurns:
    """Lets each person do so many things at once, in the order asked for. For one event loop.

    Args:
        at_once: what one person may have under way.
        max_waiting: what one person may have under way or waiting; beyond, they are refused.
        things: what is waited for, in the plural, for the message.
    """

    def __init__(self, at_once: int, max_waiting: int = 60, things: str = "answers") -> None:
        self._at_once = at_once
        self._max_waiting = max_waiting
        self._things = things
        self._queues: dict[int, _Queue] = {}

    @asynccontextmanager
    async def turn(self, person_id: int) -> AsyncIterator[None]:
        """Wait for a turn and hold it; nothing but the event loop waits.

        Raises:
            TooMuchAtOnce: this person has ``max_waiting`` waiting already.
        """
        queue = self._queues.setdefault(person_id, _Queue(asyncio.Semaphore(self._at_once)))
        if queue.waiting >= self._max_waiting:
            raise TooMuchAtOnce(
                f"You are waiting for {self._max_waiting} {self._things} already. Try again when "
                "some of them are there."
            )
        queue.waiting += 1
        try:
            async with queue.turns:
                yield
        finally:
            queue.waiting -= 1
            if not queue.waiting:
                self._queues.pop(person_id, None)

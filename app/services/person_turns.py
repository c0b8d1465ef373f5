"""Limits each person's concurrent requests, so that a burst does not delay others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pagetrail.annotation.errors import Busy
from pagetrail.annotation.messages import gettext


class TooManyRequests(Busy):
    """A person has too many requests waiting; others are not affected."""


@dataclass
class _Queue:
    """One person's free turns, and the number of requests that hold or want one."""

    turns: asyncio.Semaphore
    waiting: int = 0


class PersonTurns:
    """Lets each person run a limited number of requests at once, in order. For one event loop.

    Args:
        at_once: requests that one person may have running.
        max_waiting: requests that one person may have running or waiting; more are refused.
        noun: what is waited for, in the plural; used in the message.
    """

    def __init__(self, at_once: int, max_waiting: int = 60, noun: str = "answers") -> None:
        self._at_once = at_once
        self._max_waiting = max_waiting
        self._noun = noun
        self._queues: dict[int, _Queue] = {}

    @asynccontextmanager
    async def turn(self, person_id: int) -> AsyncIterator[None]:
        """Wait for a turn and hold it, without blocking a thread.

        Raises:
            TooManyRequests: this person has ``max_waiting`` waiting already.
        """
        queue = self._queues.setdefault(person_id, _Queue(asyncio.Semaphore(self._at_once)))
        if queue.waiting >= self._max_waiting:
            raise TooManyRequests(
                gettext(
                    "You are waiting for {max_waiting} {noun} already. Try again when some have "
                    "arrived.",
                    max_waiting=self._max_waiting,
                    noun=self._noun,
                )
            )
        queue.waiting += 1
        try:
            async with queue.turns:
                yield
        finally:
            queue.waiting -= 1
            if not queue.waiting:
                self._queues.pop(person_id, None)

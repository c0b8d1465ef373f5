"""Limits each person's concurrent requests, so that a burst does not delay others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pagetrail.annotation.errors import Busy
from pagetrail.annotation.messages import N_, gettext


class TooManyRequests(Busy):
    """A person has too many requests waiting; others are not affected."""


TOO_MANY_ANSWERS = N_(
    "You are waiting for {number} answers already. Try again when some have arrived."
)
TOO_MANY_FILES = N_("You are waiting for {number} files already. Try again when some have arrived.")
TOO_MANY_PAGES = N_("You are waiting for {number} pages already. Try again when some have arrived.")


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
        refusal: message for who has too many waiting; ``{number}`` is their number.
    """

    def __init__(
        self, at_once: int, max_waiting: int = 60, refusal: str = TOO_MANY_ANSWERS
    ) -> None:
        self._at_once = at_once
        self._max_waiting = max_waiting
        self._refusal = refusal
        self._queues: dict[int, _Queue] = {}

    @asynccontextmanager
    async def turn(self, person_id: int) -> AsyncIterator[None]:
        """Wait for a turn and hold it, without blocking a thread.

        Raises:
            TooManyRequests: this person has ``max_waiting`` waiting already.
        """
        queue = self._queues.setdefault(person_id, _Queue(asyncio.Semaphore(self._at_once)))
        if queue.waiting >= self._max_waiting:
            raise TooManyRequests(gettext(self._refusal, number=self._max_waiting))
        queue.waiting += 1
        try:
            async with queue.turns:
                yield
        finally:
            queue.waiting -= 1
            if not queue.waiting:
                self._queues.pop(person_id, None)

"""How many people sign in at once, and how many wait: a hash takes 19 MiB and a core."""

from __future__ import annotations

from asyncio import Semaphore
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import ceil
from time import monotonic

from pagetrail.annotation.errors import Busy
from pagetrail.annotation.messages import gettext

AT_ONCE = 2
MAX_WAITING = 100
_SMOOTHING = 0.1


class HashingQueue:
    """Lets so many through at once, in the order in which they came. For one event loop."""

    def __init__(self, max_waiting: int = MAX_WAITING) -> None:
        self._turns = Semaphore(AT_ONCE)
        self._max_waiting = max_waiting
        self._waiting = 0
        self._usual_s = 0.2

    def require_room(self) -> None:
        """Refuse one more where too many wait.

        Raises:
            Busy: says when it is worth another try.
        """
        if self._waiting >= self._max_waiting:
            wait = ceil(self._waiting * self._usual_s / AT_ONCE)
            raise Busy(
                gettext(
                    "Many people are signing in at the moment. Try again in {wait} seconds.",
                    wait=max(2, wait),
                ),
                retry_after_s=max(2, wait),
            )

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold it.

        Raises:
            Busy: as ``require_room``.
        """
        self.require_room()
        self._waiting += 1
        try:
            async with self._turns:
                started = monotonic()
                yield
                self._usual_s += _SMOOTHING * (monotonic() - started - self._usual_s)
        finally:
            self._waiting -= 1

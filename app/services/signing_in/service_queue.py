"""How many browsers' requests make this server ask the sign-in service at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pagetrail.annotation.errors import Busy
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.client_addresses import limited_address

AT_ONCE = 64
PER_ADDRESS = 16
"""A course behind one address takes turns, and leaves room for others."""
_PATIENCE_S = 10.0


class ServiceQueue:
    """Lets so many through at once, and of one address fewer. For one event loop."""

    def __init__(self, at_once: int = AT_ONCE, per_address: int = PER_ADDRESS) -> None:
        self._at_once, self._per_address = at_once, per_address
        self._busy: Counter[str] = Counter()
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a turn and hold it.

        Args:
            address: the client's.

        Raises:
            Busy: no turn became free in ten seconds.
        """
        client = limited_address(address)

        def is_free() -> bool:
            return self._busy.total() < self._at_once and self._busy[client] < self._per_address

        try:
            async with asyncio.timeout(_PATIENCE_S), self._freed:
                await self._freed.wait_for(is_free)
                self._busy[client] += 1
        except TimeoutError as error:
            raise Busy(
                gettext("Many people are signing in at the moment. Try again in a minute."),
                retry_after_s=60,
            ) from error
        try:
            yield
        finally:
            async with self._freed:
                self._busy[client] -= 1
                self._busy += Counter()  # forgets the addresses at zero
                self._freed.notify_all()

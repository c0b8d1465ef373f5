"""Requests to the sign-in service: how many at once, and of one address."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from pagetrail.annotation.errors import Busy
from pagetrail.app.services.signing_in import service_queue
from pagetrail.app.services.signing_in.service_queue import ServiceQueue


def test_one_address_leaves_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address with all its turns waits and is refused in the end; others go on."""
    monkeypatch.setattr(service_queue, "_PATIENCE_S", 0.01)

    async def run() -> None:
        queue = ServiceQueue(at_once=3, per_address=2)
        async with AsyncExitStack() as held:
            for _ in range(2):
                await held.enter_async_context(queue.turn("2001:db8::1"))
            with pytest.raises(Busy):
                await held.enter_async_context(queue.turn("2001:db8::2"))
            async with queue.turn("192.0.2.1"):
                with pytest.raises(Busy):
                    await held.enter_async_context(queue.turn("192.0.2.2"))
        async with queue.turn("2001:db8::2"):
            pass

    asyncio.run(run())

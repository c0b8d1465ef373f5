"""Requests and messages of web sockets: a burst is taken at once, a flood is spread."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from pagetrail.app.server import screen_socket
from pagetrail.app.server.screen_files import OfferedFiles
from pagetrail.app.server.screen_socket import ScreenSocket
from pagetrail.app.services.steady_rate import SteadyRate, message_rate

BURST, PER_S = 60, 10


def test_burst_passes_and_flood_is_throttled() -> None:
    """Who waits as long as told has the steady rate; who pauses has the burst again."""
    clock = [100.0]
    rate = SteadyRate(PER_S, BURST, lambda: clock[0])
    assert [rate.wait() for _ in range(BURST)] == pytest.approx([0.0] * BURST)
    start = clock[0]
    for _ in range(5 * PER_S):
        clock[0] += rate.wait()
    assert clock[0] - start == pytest.approx(5.0)
    refused = rate.wait(5 * PER_S)
    rate.take_back(5 * PER_S)
    assert rate.wait() == pytest.approx(refused - 5 + 1 / PER_S)
    clock[0] += BURST / PER_S + 1
    assert rate.wait() == pytest.approx(0.0)


def test_a_persons_tabs_share_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message waits before anything is looked up or drawn for it, and none is lost."""
    waits: list[float] = []
    looked: list[int] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def look(*_arguments: Any) -> bool:
        looked.append(len(waits))
        return True

    async def receive() -> dict[str, Any]:
        return {
            "type": "websocket.receive",
            "bytes": BackMsg(app_heartbeat=True).SerializeToString(),
        }

    async def send(_message: Any) -> None:
        """Nobody listens."""

    monkeypatch.setattr(screen_socket.asyncio, "sleep", sleep)
    monkeypatch.setattr(screen_socket, "run_in_threadpool", look)
    monkeypatch.setattr(screen_socket, "services", lambda: None)
    rate = message_rate()
    tabs = [ScreenSocket(1, "stamp", rate, OfferedFiles(), receive, send) for _ in range(2)]

    async def flood() -> list[str]:
        return [(await tab.receive())["type"] for _ in range(BURST) for tab in tabs]

    assert asyncio.run(flood()) == ["websocket.receive"] * 2 * BURST
    assert looked == list(range(1, 2 * BURST + 1))
    assert waits[-1] > 0.5 * BURST / PER_S

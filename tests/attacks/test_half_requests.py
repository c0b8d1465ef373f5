"""Connections that never send a whole request."""

from __future__ import annotations

import select
import socket
import time
from contextlib import ExitStack

from pagetrail.app.server.time_limits import WAITING_PER_ADDRESS
from tests.e2e.support.server_process import ServerProcess

COUNT = 1_100
BATCH = 100
PATIENCE_S = 60.0


def test_incomplete_requests_block_nobody(server: ServerProcess) -> None:
    """The others are answered while 1,100 wait, and most of those have been closed."""
    halves: list[socket.socket] = []
    with ExitStack() as opened:
        for number in range(COUNT):
            half = opened.enter_context(
                socket.create_connection(("127.0.0.1", server.port), timeout=30)
            )
            half.sendall(b"POST /pagetrail/login HTTP/1.1\r\nHost: x\r\nContent-Le")
            halves.append(half)
            if number % BATCH == 0:
                assert server.answers()
        assert server.answers()
        poll = select.poll()
        for half in halves:
            poll.register(half, select.POLLIN | select.POLLHUP)
        give_up = time.monotonic() + PATIENCE_S
        while len(poll.poll(1_000)) < COUNT - WAITING_PER_ADDRESS:
            assert time.monotonic() < give_up
            time.sleep(0.1)

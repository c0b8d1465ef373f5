"""Connections that send half a request, or read half an answer, are closed in time."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import h11
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pagetrail.app.server import time_limits
from pagetrail.app.server.run import listen, networks
from pagetrail.app.server.time_limits import Connections, TimedProtocol

Dial = Callable[[], socket.socket]
LARGE = 64 * 2**20
LONG_S = 60.0


async def _echo(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def _large(_request: Request) -> Response:
    return PlainTextResponse(b"x" * LARGE)


@pytest.fixture
def dial(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dial]:
    """Connects to a server with short limits."""
    for name in ("HEADERS_S", "BODY_S", "READING_S"):
        monkeypatch.setattr(time_limits, name, 0.3)
    monkeypatch.setattr(time_limits, "WAITING_PER_ADDRESS", 5)
    monkeypatch.setattr(TimedProtocol, "everyone", Connections())
    app = Starlette(routes=[Route("/", _echo, methods=["GET", "POST"]), Route("/large", _large)])
    config = uvicorn.Config(app, http=TimedProtocol, lifespan="off", log_level="error")
    running = uvicorn.Server(config)
    with listen(0, "127.0.0.1") as listener:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        opened: list[socket.socket] = []

        def connect() -> socket.socket:
            opened.append(socket.create_connection(listener.getsockname()[:2], timeout=20))
            return opened[-1]

        yield connect
        for connection in opened:
            connection.close()
        running.should_exit = True
        thread.join()


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until the server has come so far."""
    deadline = time.monotonic() + LONG_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def _waiting() -> list[TimedProtocol]:
    """The server's connections that wait for a whole request."""
    return list(TimedProtocol.everyone._waiting)


def _is_closed(connection: socket.socket) -> bool:
    try:
        while connection.recv(65536):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


HALVES = {
    "nothing": b"",
    "half a header": b"GET / HTTP/1.1\r\nHost: x\r\n",
    "no body": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n",
    "half a body": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
    "half a second request": b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHo",
}


@pytest.mark.parametrize("sent", HALVES.values(), ids=HALVES)
def test_incomplete_request_times_out(sent: bytes, dial: Dial) -> None:
    """Neither what was never started nor what was never finished."""
    connection = dial()
    connection.sendall(sent)
    assert _is_closed(connection)


def test_slow_request_times_out(dial: Dial) -> None:
    """The time counts from the first byte of the headers, not from the last."""
    connection = dial()
    wait_until(_waiting)
    (protocol,) = _waiting()
    with suppress(OSError):
        for sent in range(1, 60_000):  # beyond that, headers are refused for their length
            connection.sendall(b"G")
            wait_until(lambda so_far=sent: protocol._received >= so_far or not _waiting())
            if not _waiting():
                break
    assert not _waiting()
    assert _is_closed(connection)


def test_steady_body_upload_may_take_longer(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file over a slow line is no attack."""
    monkeypatch.setattr(time_limits, "BODY_RATE", 100)
    monkeypatch.setattr(time_limits, "BODY_S", 1.0)
    connection = dial()
    connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n")
    wait_until(lambda: any(protocol._awaited_state is h11.SEND_BODY for protocol in _waiting()))
    (protocol,) = _waiting()
    limit = protocol._limit
    connection.sendall(b"x" * 100)
    # The limit for a body that does not come has passed, and the server waits on.
    wait_until(lambda: protocol._limit is not limit)
    assert _waiting() == [protocol]
    connection.sendall(b"x" * 400)
    answer = b""
    while not answer.endswith(b"500"):
        received = connection.recv(1000)
        assert received
        answer += received


def test_unread_response_times_out(dial: Dial) -> None:
    """The answer is larger than what the sockets take in between."""
    connection = dial()
    connection.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
    wait_until(lambda: TimedProtocol.everyone._count)
    wait_until(lambda: not TimedProtocol.everyone._count)
    received = 0
    with suppress(ConnectionResetError):
        while part := connection.recv(2**20):
            received += len(part)
    assert received < LARGE


def test_longest_waiting_connections_are_closed_first(
    dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-sent requests beyond the limit close the oldest; whole ones are answered all along."""
    monkeypatch.setattr(time_limits, "HEADERS_S", 60.0)
    halves = [dial() for _ in range(20)]
    for half_sent in halves:
        half_sent.sendall(b"GET / HTTP/1.1\r\n")
    complete = dial()
    complete.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert complete.recv(1000).startswith(b"HTTP/1.1 200")
    assert all(_is_closed(half_sent) for half_sent in halves[:15])


def test_connections_per_address_are_limited(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more is closed at once, and welcome when another is closed; proxies have no limit."""
    monkeypatch.setattr(time_limits, "CONNECTIONS_PER_ADDRESS", 2)
    two = [dial(), dial()]
    for connection in two:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(1000)
    assert _is_closed(dial())
    two[0].close()
    wait_until(lambda: sum(TimedProtocol.everyone._count.values()) == 1)
    reconnected = dial()
    reconnected.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert reconnected.recv(1000)
    monkeypatch.setattr(TimedProtocol, "proxies", networks(["127.0.0.1"]))
    more = dial()
    more.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert more.recv(1000)

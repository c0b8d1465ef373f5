"""Time limits on requests; closes connections that never send a complete request.

uvicorn only limits the pause between requests. A client that never completes a request would hold a
connection and a file descriptor forever.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from pagetrail.app.services.client_addresses import limited_address

Network = IPv4Network | IPv6Network

HEADERS_S = 10.0
"""Seconds to receive a request's headers, from the first byte or the connection."""
BODY_S = 20.0
"""Seconds to receive its body, plus one per ``BODY_RATE`` received bytes."""
BODY_RATE = 10_000
READING_S = 60.0
"""Seconds for which a client may read nothing of a response."""
WAITING_PER_ADDRESS = 128
WAITING = 512
"""Connections without a complete request, per address and in total; the oldest is closed."""
CONNECTIONS_PER_ADDRESS = 1_000
"""Many people behind one address have up to ten connections each."""


class Connections:
    """The server's HTTP connections by address, and those without a complete request."""

    def __init__(self) -> None:
        self._count: defaultdict[str, int] = defaultdict(int)
        self._waiting: dict[TimedProtocol, str] = {}
        self._waiting_of: defaultdict[str, dict[TimedProtocol, None]] = defaultdict(dict)

    def admit(self, address: str) -> bool:
        """Count a new connection; returns whether the address may have it."""
        self._count[address] += 1
        return self._count[address] <= CONNECTIONS_PER_ADDRESS

    def forget(self, address: str) -> None:
        """Count a closed connection."""
        self._count[address] -= 1
        if not self._count[address]:
            del self._count[address]

    def waits(self, connection: TimedProtocol, address: str) -> None:
        """Note a connection without a complete request; if there are too many, close the oldest.

        Genuine requests arrive within milliseconds, so they are never the oldest.
        """
        self._waiting[connection] = address
        connections = self._waiting_of[address]
        connections[connection] = None
        if len(connections) > WAITING_PER_ADDRESS:
            next(iter(connections)).give_up()
        elif len(self._waiting) > WAITING:
            next(iter(self._waiting)).give_up()

    def waits_no_more(self, connection: TimedProtocol) -> None:
        """Note that the request is complete or the connection closed."""
        address = self._waiting.pop(connection, None)
        if address is not None:
            del self._waiting_of[address][connection]
            if not self._waiting_of[address]:
                del self._waiting_of[address]


class TimedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 connection with time limits on requests and responses."""

    everyone = Connections()
    proxies: Sequence[Network] = ()
    """Their connections are those of many people."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._address = ""
        self._awaited_state: type[h11.IDLE] | type[h11.SEND_BODY] | None = None
        self._waiting_since = 0.0
        self._received = 0
        self._limit: asyncio.TimerHandle | None = None
        self._reading_limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = limited_address(self.client[0]) if self.client else ""
        if self.everyone.admit(self._address) or self._is_proxy():
            self._await(h11.IDLE)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        super().data_received(data)
        if self.transport.get_protocol() is self:
            self._await(self.conn.their_state)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._reading_limit is None:
            self._reading_limit = self.loop.call_later(READING_S, self.transport.abort)

    def resume_writing(self) -> None:
        if self._reading_limit is not None:
            self._reading_limit.cancel()
            self._reading_limit = None
        super().resume_writing()

    def give_up(self) -> None:
        """Close the connection, whose request did not arrive in time."""
        self._await(h11.DONE)
        self.transport.abort()

    def _is_proxy(self) -> bool:
        return self.client is not None and any(
            ip_address(self.client[0]) in network for network in self.proxies
        )

    def _await(self, state: Any) -> None:
        """Start the time limit for what the client sends next; none if the request is complete."""
        awaited_state = state if state in (h11.IDLE, h11.SEND_BODY) else None
        if awaited_state is self._awaited_state:
            return
        self._awaited_state = awaited_state
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        if awaited_state is None:
            self.everyone.waits_no_more(self)
            return
        self._waiting_since, self._received = self.loop.time(), 0
        self._limit = self.loop.call_later(self._allowed(), self._look_again)
        self.everyone.waits(self, self._address)

    def _allowed(self) -> float:
        return HEADERS_S if self._awaited_state is h11.IDLE else BODY_S + self._received / BODY_RATE

    def _look_again(self) -> None:
        if self.flow.read_paused:  # the server is not reading, so the client is not late
            self._waiting_since = self.loop.time()
        left = self._waiting_since + self._allowed() - self.loop.time()
        if left <= 0:
            self.give_up()
        else:
            self._limit = self.loop.call_later(left, self._look_again)

    def _leave(self) -> None:
        """Forget a connection that is closed or became a web socket, which has its own limits."""
        self._await(h11.DONE)
        self.resume_writing()
        self.everyone.forget(self._address)

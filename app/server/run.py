"""Runs the ASGI application: the listening socket, Streamlit's options, uvicorn."""

from __future__ import annotations

import logging
import os
import resource
import socket
import sys
from collections.abc import Callable, Sequence
from ipaddress import ip_network

import uvicorn
from streamlit import delta_generator
from streamlit.web import bootstrap
from uvicorn.config import LOGGING_CONFIG

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.messages import gettext
from pagetrail.app.server import application as server
from pagetrail.app.server.json_log import log_as_json
from pagetrail.app.server.public_address import at_public_address
from pagetrail.app.server.screen_socket import MAX_MESSAGE
from pagetrail.app.server.time_limits import Network, TimedProtocol
from pagetrail.app.services import composition as wiring
from pagetrail.app.services.addresses import BASE
from pagetrail.app.services.environment import public_url

_BACKLOG = 512
_ACCEPTED_AT_ONCE = 16
"""New connections accepted before the event loop handles other requests."""
_FILES = 65_536
_GOODBYE_S = 5
KEEP_ALIVE_S = 180
"""Longer than proxies keep idle connections (Caddy 120 s, nginx 60 s): no request of a proxy must
meet a connection that the server is closing.
"""
_SWITCH_S = 0.0005
"""How long a busy thread may keep the interpreter. A request changes threads about twenty times, so
Python's default of 5 ms would cost a tenth of a second.
"""


def run(
    port: int,
    host: str,
    proxies: Sequence[str] = (),
    *,
    json_log: bool = False,
    ready: Callable[[], None] | None = None,
) -> None:
    """Serve the workspace named in the environment; returns when a signal ends it.

    Streamlit's own runner is not used: its socket leaves Nagle's algorithm on, which delays every
    response's body until the client acknowledges its headers (about 40 ms).

    Args:
        proxies: addresses or networks whose ``Forwarded`` or ``X-Forwarded-*`` are trusted.
        json_log: whether requests and messages are logged as lines of JSON.
        ready: called once the server listens on the port.

    Raises:
        WorkspaceError: the server cannot listen on the address, a proxy is not an address, or the
            environment's public address is none.
    """
    if json_log:
        log_as_json()
    logging.getLogger("uvicorn.error").addFilter(without_clients_tracebacks)
    _allow_many_connections()
    sys.setswitchinterval(_SWITCH_S)
    TimedProtocol.proxies = trusted = networks(proxies)
    served = at_public_address(server.app, public_url(os.environ), trusted)
    with listen(port, host) as listener:
        if ready is not None:
            ready()
        bootstrap.load_config_options(
            {
                **server.options(),
                "server.port": port,
                "server.address": host,
                "server.baseUrlPath": BASE,
            }
        )
        # Streamlit would look for a Python prompt to warn, through the source of each module: a
        # third of a second that the first visitor waits.
        delta_generator._use_warning_has_been_displayed = True
        _Server(
            uvicorn.Config(
                served,
                host=host,
                port=port,
                http=TimedProtocol,
                ws="websockets-sansio",
                ws_max_size=MAX_MESSAGE,
                proxy_headers=False,  # done by at_public_address
                log_config=None if json_log else LOGGING_CONFIG,
                log_level="warning",
                access_log=False,
                server_header=False,
                backlog=_ACCEPTED_AT_ONCE,
                timeout_keep_alive=KEEP_ALIVE_S,
                # Otherwise open web sockets would keep the server from stopping.
                timeout_graceful_shutdown=_GOODBYE_S,
            )
        ).run(sockets=[listener])


def without_clients_tracebacks(record: logging.LogRecord) -> bool:
    """A logging filter: what a client sends that is no UTF-8 is one line, without a traceback."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True


def networks(proxies: Sequence[str]) -> list[Network]:
    """The trusted networks; IPv4 networks in their IPv6 form as well.

    Raises:
        WorkspaceError: one is neither an address nor a network.
    """
    try:
        networks = [ip_network(proxy) for proxy in proxies]
    except ValueError as error:
        raise WorkspaceError(
            gettext(
                "Not the address of a proxy: {error}. Name it as 127.0.0.1 or 10.0.0.0/8.",
                error=error,
            )
        ) from error
    # Sockets that listen on "::" report IPv4 clients in this form.
    mapped = [
        ip_network(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
        for network in networks
        if network.version == 4
    ]
    return [*networks, *mapped]


def _allow_many_connections() -> None:
    """Raise the limit of file descriptors to the maximum; the default is often 1,024."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _FILES if hard_limit == resource.RLIM_INFINITY else min(_FILES, hard_limit)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard_limit))


class _Server(uvicorn.Server):
    """Accepts floods of connections in small parts; stops at once even while rendering pages."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # asyncio uses one number for the system's backlog and for connections accepted at once.
        for server_socket in sockets or ():
            server_socket.listen(_BACKLOG)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Requests waiting for pages are refused first.
        wiring.services().stop_rendering()
        await super().shutdown(sockets)


def listen(port: int, host: str) -> socket.socket:
    """A listening socket whose connections send small packets at once.

    Raises:
        WorkspaceError: the port is in use, or the address is not this machine's.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise WorkspaceError(
            gettext(
                "{host} is not an address to listen on: {strerror}.",
                host=host,
                strerror=error.strerror,
            )
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise WorkspaceError(
            gettext(
                "Cannot listen on {host}:{port}: {strerror}. Name another port with --port, or end "
                "the program that has it.",
                host=host,
                port=port,
                strerror=error.strerror,
            )
        ) from error
    return listener

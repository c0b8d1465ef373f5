"""The address that people use, where a proxy is between them and the server.

Everything else (cookies, links, the check of origins) reads the request's own scheme and host.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, cast
from urllib.parse import SplitResult

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pagetrail.app.server.time_limits import Network
from pagetrail.app.services.origins import RECEIVED_HOST

_HOST = re.compile(r"(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?", re.ASCII)
_PAIR = re.compile(r'\s*(\w+)\s*=\s*(?:"([^"]*)"|([^\s;,"]+))\s*')


def at_public_address(
    app: ASGIApp, stated: SplitResult | None, proxies: Sequence[Network]
) -> ASGIApp:
    """The application, for requests with the scheme, host and client that people have.

    Args:
        stated: the address in the environment, which comes first.
        proxies: those whose ``Forwarded`` or ``X-Forwarded-*`` headers are believed.
    """
    if stated is not None:
        app = _AtStatedAddress(app, stated)
    if proxies:
        # uvicorn has types of its own for what Starlette calls an ASGI application.
        client: Any = ProxyHeadersMiddleware(cast(Any, app), [str(net) for net in proxies])
        app = _BehindProxies(client, proxies)
    return app


class _AtStatedAddress:
    """Middleware: every request has come to the stated address."""

    def __init__(self, app: ASGIApp, stated: SplitResult) -> None:
        self._app, self._stated = app, stated

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            is_secure = self._stated.scheme == "https"
            if scope["type"] == "http":
                scheme = "https" if is_secure else "http"
            else:
                scheme = "wss" if is_secure else "ws"
            state = {**scope.get("state", {}), RECEIVED_HOST: Headers(scope=scope).get("host")}
            scope = {**_at_host(scope, self._stated.netloc), "scheme": scheme, "state": state}
        await self._app(scope, receive, send)


class _BehindProxies:
    """Middleware: takes the host from trusted proxies, and reads RFC 7239's ``Forwarded``.

    uvicorn's middleware, which comes next, takes client and scheme from ``X-Forwarded-*``.
    """

    def __init__(self, app: ASGIApp, proxies: Sequence[Network]) -> None:
        self._app, self._proxies = app, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and self._is_trusted(scope):
            headers = Headers(scope=scope)
            hosts = headers.get("x-forwarded-host", "").split(",")
            if "forwarded" in headers:
                hops = forwarded_hops(", ".join(headers.getlist("forwarded")))
                scope = _with_forwarded_headers(scope, hops)
                hosts = [hop.get("host", "") for hop in hops] or hosts
            # The last one is the trusted proxy's own word; what it was told comes before.
            if _HOST.fullmatch(host := hosts[-1].strip()):
                scope = _at_host(scope, host)
        await self._app(scope, receive, send)

    def _is_trusted(self, scope: Scope) -> bool:
        try:
            peer = ip_address((scope.get("client") or ("",))[0])
        except ValueError:
            return False
        return any(peer in network for network in self._proxies)


def forwarded_hops(value: str) -> list[dict[str, str]]:
    """The hops of a ``Forwarded`` header (RFC 7239), the nearest last; [] if it is malformed."""
    hops: list[dict[str, str]] = [{}]
    position = 0
    while position < len(value):
        pair = _PAIR.match(value, position)
        if pair is None:
            return []
        hops[-1][pair[1].lower()] = pair[2] if pair[2] is not None else pair[3]
        position = pair.end()
        if position < len(value):
            if value[position] not in ";,":
                return []
            if value[position] == ",":
                hops.append({})
            position += 1
    return hops


def _with_forwarded_headers(scope: Scope, hops: Sequence[dict[str, str]]) -> Scope:
    """The scope with ``X-Forwarded-For`` and ``-Proto`` as the hops say."""
    headers = MutableHeaders(raw=list(scope["headers"]))
    clients = [_client(hop["for"]) for hop in hops if "for" in hop]
    if clients:
        headers["x-forwarded-for"] = ", ".join(clients)
    if hops and hops[-1].get("proto") in ("http", "https"):
        headers["x-forwarded-proto"] = hops[-1]["proto"]
    return {**scope, "headers": headers.raw}


def _client(node: str) -> str:
    """The address of a node, without brackets and port."""
    if node.startswith("["):
        return node[1:].partition("]")[0]
    return node.partition(":")[0]


def _at_host(scope: Scope, host: str) -> Scope:
    headers = MutableHeaders(raw=list(scope["headers"]))
    headers["host"] = host
    return {**scope, "headers": headers.raw}

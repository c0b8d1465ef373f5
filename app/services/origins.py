"""Who sent a request: a page of this site, or of another.

Browsers say in ``Origin`` which site's page sends a form, a script's request or a web socket; one
rule decides for all of them. Ports count: another program on the same machine is another site.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from cachetools import TTLCache
from starlette.requests import HTTPConnection

from pagetrail.annotation.errors import Forbidden
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.environment import PUBLIC_URL

RECEIVED_HOST = "received_host"
"""Key of a scope's state: the Host header as it arrived, where the public address replaced it."""
_DEFAULT_PORTS = {"http": ":80", "https": ":443", "ws": ":80", "wss": ":443"}
_SECURE = ("https", "wss")
_log = logging.getLogger("pagetrail.server")
_logged: TTLCache[tuple[str, str], bool] = TTLCache(maxsize=100, ttl=60)
"""Pairs of origin and address that were logged within the last minute."""


class Address(NamedTuple):
    """Scheme and host, with its port unless it is the scheme's own."""

    scheme: str
    host: str

    @classmethod
    def normalized(cls, scheme: str, host: str) -> Address:
        """The address in its normal form."""
        scheme = scheme.lower()
        return cls(scheme, host.lower().removesuffix(_DEFAULT_PORTS.get(scheme, " ")))

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}"


def require_same_origin(connection: HTTPConnection) -> None:
    """Refuse requests and web sockets of other sites' pages, and log them.

    A connection without ``Origin`` passes: browsers send it with every form, web socket and request
    that changes something, so no other site's page can leave it out.

    Raises:
        Forbidden: the browser names another origin, or says that the request is from another site.
    """
    origin = connection.headers.get("origin")
    address = Address.normalized(connection.url.scheme, connection.headers.get("host", ""))
    if origin is None:
        if connection.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            raise Forbidden(gettext("This request came from another site."))
        return
    if is_same_origin(origin, address):
        return
    message = _refusal(connection, origin, address)
    if (origin, address.host) not in _logged:
        _logged[origin, address.host] = True
        _log.warning("Refused a request: %s", message)
    raise Forbidden(message)


def is_same_origin(origin: str, address: Address) -> bool:
    """Whether an Origin is the address that people use.

    A browser that uses HTTPS passes where the server knows of HTTP only: a proxy may decrypt
    without saying so. The reverse does not.
    """
    scheme, separator, host = origin.partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        return False  # "null": a sandboxed frame, or a file
    if scheme.lower() == "http" and address.scheme in _SECURE:
        return False
    # The port that is left out depends on the scheme, which the proxy may not have passed on.
    return Address.normalized(scheme, host).host == Address.normalized(scheme, address.host).host


def _refusal(connection: HTTPConnection, origin: str, address: Address) -> str:
    """What happened, and what to do if it was no attack but a proxy."""
    origin = origin[:200]
    if RECEIVED_HOST in connection.scope.get("state", {}):
        return gettext(
            "This request came from {origin}, but Pagetrail is used at {address} ({variable}). "
            "Open that address.",
            origin=origin,
            address=str(address),
            variable=PUBLIC_URL,
        )
    sentences = [
        gettext(
            "This request came from {origin}, but it reached Pagetrail as {address}.",
            origin=origin,
            address=str(address),
        ),
        gettext(
            "If {origin} is where you opened Pagetrail, its operator has to name that address: set "
            "{variable}={origin}, or let the proxy pass it on (nginx: proxy_set_header Host "
            "$http_host; Apache: ProxyPreserveHost On).",
            origin=origin,
            variable=PUBLIC_URL,
        ),
    ]
    if {"x-forwarded-host", "forwarded"} & set(connection.headers) and connection.client:
        sentences.append(
            gettext(
                "The proxy does pass it on, but is not trusted: name it with --trusted-proxy "
                "{proxy}.",
                proxy=connection.client.host,
            )
        )
    return " ".join(sentences)

"""HTTP connections to addresses that were checked first.

A host name is resolved once, all of its addresses must be allowed, and the connection goes to one
of them: resolving the name again could give another address.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from urllib.parse import urlsplit

PORTS = {"http": 80, "https": 443}

_COMPATIBLE = ipaddress.IPv6Network("::/96")  # RFC 4291, section 2.5.5.1
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")  # RFC 8215

_UNICAST = ipaddress.IPv6Network("2000::/3")  # RFC 4291, section 2.4
_NOT_GLOBAL = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("192.0.0.0/24", "2001::/23"),  # protocol assignments: RFC 6890, section 2.2
        "192.88.99.0/24",  # 6to4 relays: RFC 7526
        "3fff::/20",  # documentation: RFC 9637
    )
)
"""Networks that some versions of ``ipaddress`` report as global."""


class LinkError(Exception):
    """A link that cannot be fetched.

    Attributes:
        code: ``not_allowed``, ``connection``, ``http_status``, ``too_many_redirects``,
            ``too_large``, ``timed_out``, ``incomplete``, ``hash_mismatch``, ``not_a_pdf``,
            ``cannot_write`` or ``bad_link``.
        reason: shown to people.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def connect(url: str, *, timeout_s: float, allow_private: bool) -> http.client.HTTPConnection:
    """A connection, not opened yet, to the host of a URL.

    Raises:
        LinkError: not http or https, no such host, or a host in a private network.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise LinkError("bad_link", f"the address cannot be read: {error}") from error
    if parts.scheme not in PORTS or not host:
        raise LinkError("not_allowed", "only http:// and https:// addresses are allowed")
    port = PORTS[parts.scheme] if port is None else port
    address = _resolve(host, port, allow_private)
    kind = _PinnedHttpsConnection if parts.scheme == "https" else _PinnedHttpConnection
    return kind(host, port, address, timeout_s, allow_private)


def _resolve(host: str, port: int, allow_private: bool) -> str:
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise LinkError("connection", f"the host {host} is not found") from error
    addresses = list(dict.fromkeys(str(info[4][0]) for info in infos))
    if not allow_private:
        for address in addresses:
            _check_public(host, address)
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an IP address, and every IPv4 address embedded in it, is on the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    embedded = _embedded_ipv4(ip) if isinstance(ip, ipaddress.IPv6Address) else []
    if any(not _is_global(inner) for inner in embedded):
        return False
    # IPv4-mapped and local NAT64 addresses are never global themselves; their targets matter.
    return bool(embedded) or _is_global(ip)


def _check_public(host: str, address: str) -> None:
    if not is_public(address):
        raise LinkError(
            "not_allowed", f"{host} is in a private network; --allow-private fetches from there"
        )


def _is_global(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if ip.version == 6 and ip not in _UNICAST:
        return False
    is_listed = any(ip.version == network.version and ip in network for network in _NOT_GLOBAL)
    return ip.is_global and not ip.is_multicast and not is_listed


def _embedded_ipv4(ip: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """IPv4 addresses to which gateways or the system may forward packets to an IPv6 address.

    ``ipaddress`` reports most of these IPv6 addresses as global, whatever they embed.
    """
    last = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip.ipv4_mapped:
        return [ip.ipv4_mapped]
    if ip.sixtofour:
        return [ip.sixtofour]
    if ip.teredo:
        return list(ip.teredo)
    if ip in _COMPATIBLE or ip in _NAT64:
        return [last]
    if ip in _LOCAL_NAT64:
        # The network chooses a prefix of 48, 56, 64 or 96 bits; bits 64 to 71 are left out
        # (RFC 6052, section 2.2).
        bits = (int(ip) >> 72 << 64) | (int(ip) & (1 << 64) - 1)
        shorter = [ipaddress.IPv4Address(bits >> shift & 0xFFFFFFFF) for shift in (40, 32, 24)]
        return [*shorter, last]
    return []


class _PinnedHttpConnection(http.client.HTTPConnection):
    """Connects to a fixed address, whatever the host name resolves to later."""

    def __init__(
        self, host: str, port: int, address: str, timeout_s: float, allow_private: bool
    ) -> None:
        super().__init__(host, port, timeout=timeout_s)
        self._to = address
        self._allow_private = allow_private

    def connect(self) -> None:
        self.sock = socket.create_connection((self._to, self.port), timeout=self.timeout)
        try:
            if not self._allow_private:
                _check_public(self.host, str(self.sock.getpeername()[0]))
        except LinkError:
            self.close()
            raise


class _PinnedHttpsConnection(_PinnedHttpConnection):
    """Likewise over TLS, checking the certificate against the host name."""

    default_port = PORTS["https"]

    def connect(self) -> None:
        super().connect()
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(self.sock, server_hostname=self.host)

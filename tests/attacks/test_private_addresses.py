"""Downloads reach no private network, however its address is written or when it appears."""

from __future__ import annotations

import socket
import ssl
from typing import Any

import pytest

from pagetrail.storage.importers.links import connection
from pagetrail.storage.importers.links.connection import LinkError, connect, is_public

PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "::",
    "::1",
    "fe80::1%eth0",
    "fd00::1",
    "ff0e::1",
    "::ffff:127.0.0.1",  # mapped
    "::127.0.0.1",  # compatible
    "::a9fe:a9fe",
    "64:ff9b::7f00:1",  # NAT64
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",  # NAT64 of the network, a prefix of 96 bits
    "64:ff9b:1:7f00:0:100::",  # of 48 bits: 127.0, the bits left out, 0.1
    "64:ff9b:1:c07f:0:1::",  # of 56 bits
    "64:ff9b:1:c0de:7f:0:100:0",  # of 64 bits
    "2002:7f00:1::",  # 6to4
    "2002:a00:1::1",
    "2001:0:7f00:1::1",  # Teredo: the server
    "2001:0:808:808:0:0:80ff:fffe",  # Teredo: the client
    "192.0.0.8",  # dummy address
    "192.88.99.1",  # relay of 6to4
    "fec0::1",  # site-local
    "2001:db8::1",
    "3fff::1",
    "5f00::1",  # segment routing
    "4000::1",  # not assigned
]
PUBLIC = [
    "93.184.215.14",
    "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
    "::ffff:93.184.215.14",
    "64:ff9b::5db8:d70e",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_in_every_notation(address: str) -> None:
    """Embedded IPv4 addresses count; a connection is refused before it is opened."""
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_stay_public(address: str) -> None:
    """Gateways to the public internet are allowed, as networks with IPv6 only need them."""
    assert is_public(address)


def test_the_connection_goes_to_the_address_that_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name that leads elsewhere at the second look-up (DNS rebinding) is never looked up
    again, TLS asks for the certificate of the host's name, and a connection that ends elsewhere
    is closed."""
    peer = "93.184.215.14"
    lookups = iter(["93.184.215.14", "127.0.0.1"])
    opened: list[Any] = []
    names: list[str] = []

    def look_up(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(lookups), 443))]

    class Context:
        def wrap_socket(self, sock: Any, server_hostname: str) -> Any:
            names.append(server_hostname)
            return sock

    class Socket:
        def getpeername(self) -> tuple[str, int]:
            return peer, 443

        def close(self) -> None:
            opened.append("closed")

    def open_socket(address: Any, **_: Any) -> Socket:
        opened.append(address)
        return Socket()

    monkeypatch.setattr(connection.socket, "getaddrinfo", look_up)
    monkeypatch.setattr(connection.socket, "create_connection", open_socket)
    real = ssl.create_default_context()
    assert real.check_hostname
    assert real.verify_mode == ssl.CERT_REQUIRED
    monkeypatch.setattr(connection.ssl, "create_default_context", Context)
    connect("https://otters.example/a.pdf", timeout_s=1, allow_private=False).connect()
    assert opened == [("93.184.215.14", 443)]
    assert names == ["otters.example"]
    lookups, peer = iter(["93.184.215.14"]), "192.0.0.8"
    with pytest.raises(LinkError, match="private network"):
        connect("https://otters.example/a.pdf", timeout_s=1, allow_private=False).connect()
    assert opened[-1] == "closed"
    assert names == ["otters.example"]


def test_one_private_address_among_public_ones_refuses_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A host with a NAT64 address of the loopback is refused, with the way out."""
    address_infos = [
        (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, 80, 0, 0))
        for address in ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::7f00:1")
    ]
    monkeypatch.setattr(connection.socket, "getaddrinfo", lambda *_, **__: address_infos)
    with pytest.raises(LinkError, match="private network; --allow-private"):
        connect("http://otters.example/", timeout_s=1, allow_private=False)

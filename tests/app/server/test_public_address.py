"""The address that people use: stated, forwarded by trusted proxies, or the request's own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.app.server.public_address import at_public_address, forwarded_hops
from pagetrail.app.server.run import networks
from pagetrail.app.services.environment import public_url

PROXY, VISITOR = "10.0.0.2", "203.0.113.9"


def received(
    peer: str, stated: str = "", kind: str = "http", **headers: str
) -> tuple[str, str | None]:
    """The address and the client that the application is told."""
    connections: list[HTTPConnection] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        connections.append(HTTPConnection(scope))

    fields = {"host": "127.0.0.1:8501", **headers}
    scope: dict[str, Any] = {
        "type": kind,
        "path": "/task",
        "query_string": b"",
        "scheme": "http" if kind == "http" else "ws",
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in fields.items()],
        "client": (peer, 4711),
    }
    environment = {"PAGETRAIL_URL": stated}
    edge = at_public_address(app, public_url(environment), networks([PROXY]))
    asyncio.run(edge(scope, None, None))  # type: ignore[arg-type]
    client = connections[0].client
    return str(connections[0].url), client and client.host


def test_the_stated_address_comes_first() -> None:
    """Whatever a proxy passes on; for web sockets too."""
    stated = "https://lab.example"
    assert received(PROXY, stated)[0] == "https://lab.example/task"
    assert received(PROXY, stated, x_forwarded_host="x")[0] == "https://lab.example/task"
    assert received(VISITOR, stated, "websocket")[0] == "wss://lab.example/task"


@pytest.mark.parametrize(
    ("headers", "address", "client"),
    [
        ({}, "http://127.0.0.1:8501/task", PROXY),
        ({"x_forwarded_host": "lab.example"}, "http://lab.example/task", PROXY),
        (
            {"x_forwarded_host": "lab.example", "x_forwarded_proto": "https"},
            "https://lab.example/task",
            PROXY,
        ),
        ({"x_forwarded_host": "evil.example, lab.example"}, "http://lab.example/task", PROXY),
        (
            {"forwarded": f'for={VISITOR};host="lab.example:8443";proto=https'},
            "https://lab.example:8443/task",
            VISITOR,
        ),
        (
            {"forwarded": f"host=evil.example, For={VISITOR};Host=lab.example"},
            "http://lab.example/task",
            VISITOR,
        ),
        ({"forwarded": 'for="[2001:db8::7]:4711"'}, "http://127.0.0.1:8501/task", "2001:db8::7"),
        ({"forwarded": "host=lab.example;;=x"}, "http://127.0.0.1:8501/task", PROXY),
        ({"x_forwarded_host": "lab.example/evil?"}, "http://127.0.0.1:8501/task", PROXY),
    ],
)
def test_trusted_proxies_are_believed(headers: dict[str, str], address: str, client: str) -> None:
    """The nearest hop's own word counts; what cannot be a host changes nothing."""
    assert received(PROXY, **headers) == (address, client)


def test_nobody_else_is_believed() -> None:
    """Neither the standard header nor the older ones."""
    headers = {"x_forwarded_host": "evil.example", "forwarded": "host=evil.example;for=1.2.3.4"}
    assert received(VISITOR, **headers) == ("http://127.0.0.1:8501/task", VISITOR)


def test_malformed_headers_have_no_hops() -> None:
    """A value is read whole or not at all."""
    for value in ("host", "host=", 'host="a', "host=a b", "host=a;;proto=b", "a=b, , c=d"):
        assert forwarded_hops(value) == []
    assert forwarded_hops(" for = _x ;proto=http , by=y") == [
        {"for": "_x", "proto": "http"},
        {"by": "y"},
    ]


@pytest.mark.parametrize(
    "address",
    ["lab.example", "ftp://lab.example", "https://", "https://u@lab.example", "https://a:x", "//a"],
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    """Before the server starts, with the variable and an example."""
    with pytest.raises(WorkspaceError, match=r"PAGETRAIL_URL.*https://lab\.example"):
        public_url({"PAGETRAIL_URL": address})


def test_a_path_is_the_base_path() -> None:
    """Two paths that contradict each other are refused; the message has the option."""
    address = "https://lab.example/pagetrail/"
    with pytest.raises(WorkspaceError, match="--base-path /pagetrail"):
        public_url({"PAGETRAIL_URL": address})
    stated = public_url({"PAGETRAIL_URL": address, "STREAMLIT_SERVER_BASE_URL_PATH": "pagetrail"})
    assert stated is not None and stated.netloc == "lab.example"

"""Which pages may open a web socket, and that Streamlit is not asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit import net_util
from streamlit.web.server.starlette import starlette_websocket

from pagetrail.app.server.application import MIDDLEWARE, routes
from pagetrail.app.services.composition import Services
from tests.app.signed_in import sign_in

STREAM = "/_stcore/stream"


@pytest.fixture
def handshakes(services: Services) -> Iterator[tuple[TestClient, list[dict[str, str]]]]:
    """A signed-in browser, and the headers of each handshake that gets through to Streamlit."""
    headers: list[dict[str, str]] = []

    async def stream(socket: WebSocket) -> None:
        headers.append(dict(socket.headers))
        await socket.accept()
        with suppress(WebSocketDisconnect):
            await socket.receive()

    app = Starlette(routes=[*routes(), WebSocketRoute(STREAM, stream)], middleware=MIDDLEWARE)
    with TestClient(app, follow_redirects=False) as browser:
        sign_in(browser, "alma")
        yield browser, headers


@pytest.mark.parametrize(
    "origin",
    [
        "http://127.0.0.1:9999",
        "http://localhost:1",
        "https://0.0.0.0",
        "http://testserver:9999",
        "https://evil.example",
        "null",
    ],
)
def test_other_pages_get_no_web_socket(
    handshakes: tuple[TestClient, list[dict[str, str]]], origin: str
) -> None:
    """A notebook server on this machine is another site, though its pages have the same cookies."""
    browser, headers = handshakes
    with (
        pytest.raises(WebSocketDisconnect) as refusal,
        browser.websocket_connect(STREAM, headers={"Origin": origin}),
    ):
        pass
    assert refusal.value.code == 1008 and headers == []


def test_streamlit_is_told_no_origin_and_asks_nobody(
    handshakes: tuple[TestClient, list[dict[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own check would ask a host on the Internet for this machine's address, and wait."""

    def external_ip() -> str:
        raise AssertionError("the Internet was asked")

    monkeypatch.setattr(net_util, "get_external_ip", external_ip)
    browser, headers = handshakes
    with browser.websocket_connect(STREAM, headers={"Origin": "http://testserver"}):
        pass
    assert "origin" not in headers[0]
    assert starlette_websocket._is_origin_allowed(headers[0].get("origin"), headers[0]["host"])

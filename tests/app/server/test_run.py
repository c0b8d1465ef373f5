"""The listening socket, and what the sign-in page fetches ahead."""

from __future__ import annotations

import logging
import re
import socket
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from streamlit import file_util

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.app.server.run import listen, networks, run, without_clients_tracebacks


def test_accepted_connections_disable_nagle() -> None:
    """Nagle's algorithm is off: with it each answer waits some 40 ms for an acknowledgement."""
    with listen(0, "127.0.0.1") as listener:
        port = listener.getsockname()[1]
        with closing(socket.create_connection(("127.0.0.1", port))):
            accepted, _ = listener.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def test_taken_port_error_suggests_another_port() -> None:
    """The message names the address and the option to change it."""
    with listen(0, "127.0.0.1") as listener:
        port = listener.getsockname()[1]
        with pytest.raises(WorkspaceError, match=rf"127\.0\.0\.1:{port}.*--port"):
            listen(port, "127.0.0.1")


def test_taken_port_is_not_announced() -> None:
    """Its address, and the link to the first account, would lead to another server."""
    announced: list[str] = []
    with listen(0, "127.0.0.1") as listener:
        port = listener.getsockname()[1]
        with pytest.raises(WorkspaceError, match="Cannot listen"):
            run(port, "127.0.0.1", ready=lambda: announced.append("http://…"))
    assert not announced


def test_a_clients_malformed_text_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """uvicorn logs a traceback for each message that is no UTF-8; failures keep theirs."""
    logger = logging.getLogger("tests.malformed")
    logger.addFilter(without_clients_tracebacks)
    for cause in (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), ValueError("ours")):
        try:
            raise cause
        except ValueError:
            logger.exception("Invalid UTF-8 sequence received from client.")
    assert [record.exc_info is None for record in caplog.records] == [True, False]


@pytest.mark.parametrize("host", ["256.0.0.1", "no such host", "192.0.2.1"])
def test_invalid_listen_address_is_explained(host: str) -> None:
    """Neither a name that means nothing nor another machine's address can be listened on."""
    with pytest.raises(WorkspaceError, match=re.escape(host)):
        listen(0, host)


def test_what_the_sign_in_page_fetches_ahead_exists(client: TestClient) -> None:
    """Every file it names is there: ours under its address, Streamlit's on its disk."""
    page = client.get("/pagetrail/login").text
    links = re.findall(r'<link rel="prefetch"[^>]* href="([^"]+)"', page)
    own_links = [link for link in links if link.startswith("/pagetrail/assets/")]
    streamlit_links = [link for link in links if link not in own_links]
    assert any(link.endswith("/workspace.js") for link in own_links)
    assert any("/static/js/index." in link for link in streamlit_links)
    assert all(client.get(link).status_code == 200 for link in own_links)
    static = Path(file_util.get_static_dir())
    assert all((static / link.lstrip("/")).is_file() for link in streamlit_links)


def test_proxies_are_named_by_address_or_network() -> None:
    """What is neither is a sentence, a star included."""
    assert list(map(str, networks(["127.0.0.1", "10.1.0.0/16", "2001:db8::/32"]))) == [
        "127.0.0.1/32",
        "10.1.0.0/16",
        "2001:db8::/32",
        "::ffff:7f00:1/128",
        "::ffff:a01:0/112",
    ]
    for wrong in ("*", "proxy.example", "10.0.0.0/99"):
        with pytest.raises(WorkspaceError, match="Not the address of a proxy"):
            networks([wrong])

"""Servers behind the proxies that operators have, with the shipped files and with the defaults."""

from __future__ import annotations

import re
import select
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pagetrail.app.server.run import KEEP_ALIVE_S
from pagetrail.storage.database.location import DATABASE_URL, address_wanted
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from tests.deploy.proxies import PROGRAMS, fetch, need, plain_nginx, shipped_proxy
from tests.deploy.servers import wait
from tests.e2e.support.server_process import ServerProcess
from tests.support.postgresql import new_database

PASSWORD = "correct horse otter"
TRUSTED = ["--trusted-proxy", "127.0.0.1"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace in PostgreSQL, in ``ws``, with an admin."""
    monkeypatch.setenv(DATABASE_URL, new_database())
    workspace = Workspace.create(tmp_path / "ws", address_wanted())
    add_user(workspace, "Ada", "admin", PASSWORD)
    workspace.engine.dispose()
    return tmp_path


@pytest.fixture
def servers(folder: Path) -> Iterator[list[ServerProcess]]:
    """Two plain servers of it."""
    with ExitStack() as stack:
        yield [stack.enter_context(ServerProcess(folder / "ws", options=TRUSTED)) for _ in range(2)]


def sign_in(url: str, origin: str, cookies: dict[str, str]) -> tuple[int, str]:
    """Post the sign-in form; the cookies are kept."""
    form = urlencode({"name": "Ada", "password": PASSWORD, "next": "/"}).encode()
    status, set_cookies, text = fetch(
        f"{url}/pagetrail/login", form, {"Origin": origin, "Cookie": _header(cookies)}
    )
    _keep(set_cookies, cookies)
    return status, text


def open_screen(url: str, cookies: dict[str, str], origin: str) -> None:
    """Open a web socket as a screen does, and close it.

    Raises:
        InvalidStatus: it was refused.
    """
    context = ssl._create_unverified_context() if url.startswith("https") else None
    with connect(
        url.replace("http", "ws", 1) + "/_stcore/stream",
        additional_headers={"Cookie": _header(cookies)},
        subprotocols=["streamlit", "none"],
        origin=origin,
        ssl=context,
    ):
        pass


@pytest.mark.parametrize("name", PROGRAMS)
def test_shipped_files_carry_people_over_a_killed_server(
    name: str, folder: Path, servers: list[ServerProcess]
) -> None:
    """Sign-in, web sockets, one server per browser by a cookie that scripts cannot read, and the
    other server when that one is killed.
    """
    need(name)
    with shipped_proxy(name, folder, [server.port for server in servers]) as port:
        url = f"https://localhost:{port}"
        log = folder / f"{name}.log"
        cookies: dict[str, str] = {}

        def get(path: str) -> int:
            status, set_cookies, _ = fetch(url + path, headers={"Cookie": _header(cookies)})
            _keep(set_cookies, cookies)
            return status

        wait(lambda: get("/pagetrail/login") == 200, log)
        assert sign_in(url, url, cookies)[0] == 303
        assert get("/") == 200
        assert get("/readyz") == 404
        open_screen(url, cookies, url)
        with pytest.raises(InvalidStatus):
            open_screen(url, cookies, "https://localhost:1")
        assert sign_in(url, "https://evil.example", dict(cookies))[0] == 403
        _, set_cookies, _ = fetch(f"{url}/pagetrail/login")
        (sticky,) = (value for value in set_cookies if value.startswith("pagetrail_server="))
        assert {"HttpOnly", "Secure", "SameSite=Lax"} <= set(re.split(r"; ?", sticky))

        used = cookies["pagetrail_server"]
        assert [get("/") for _ in range(10)] == [200] * 10
        assert cookies["pagetrail_server"] == used
        for server in servers:
            server.kill()
            wait(lambda: get("/") == 200, log)
            open_screen(url, cookies, url)
            server.start()


def test_nginx_defaults_are_explained(folder: Path) -> None:
    """Its own Host and no web sockets: the page, the log and the report say which settings miss."""
    with ServerProcess(folder / "ws", options=TRUSTED) as server:
        location = f"location / {{ proxy_pass http://127.0.0.1:{server.port}; }}"
        with plain_nginx(folder, location) as port:
            url, cookies = f"http://localhost:{port}", dict[str, str]()
            status, page = sign_in(url, url, cookies)
            assert status == 403
            for advice in (f"PAGETRAIL_URL={url}", "proxy_set_header Host $http_host"):
                assert advice in page
                assert advice in server.log


def test_a_stated_address_needs_no_headers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With PAGETRAIL_URL people sign in behind nginx's defaults; blocked web sockets are logged."""
    with ServerProcess(folder / "ws") as server, ExitStack() as stack:
        location = f"location / {{ proxy_pass http://127.0.0.1:{server.port}; }}"
        port = stack.enter_context(plain_nginx(folder, location))
        url, cookies = f"http://localhost:{port}", dict[str, str]()
        server.kill()
        monkeypatch.setenv("PAGETRAIL_URL", url)
        server.start()
        assert sign_in(url, url, cookies)[0] == 303
        with pytest.raises(InvalidStatus):
            open_screen(url, cookies, url)
        headers = {"Origin": url, "Cookie": _header(cookies)}
        assert fetch(f"{url}/pagetrail/socket-report", b"", headers)[0] == 204
        assert "not by web socket" in server.log


def test_idle_connections_of_proxies_stay_open(folder: Path) -> None:
    """The server closes them later than any proxy does by default (Caddy: 120 s, nginx and Apache:
    60 s or less); whoever sends on a connection that the server is closing gets 502.
    """
    assert KEEP_ALIVE_S > 120
    with ServerProcess(folder / "ws", options=TRUSTED) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
        for _ in range(2):
            connection.request("GET", "/pagetrail/login")
            reply = connection.getresponse()
            assert reply.status == 200 and reply.read()
            assert connection.sock is not None
            # uvicorn's own limit is 5 s: nothing arrives from the server meanwhile.
            readable, _, _ = select.select([connection.sock], [], [], 7)
            assert not readable, "the server closed the connection"


def _header(cookies: dict[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def _keep(set_cookies: list[str], cookies: dict[str, str]) -> None:
    for value in set_cookies:
        name, _, rest = value.partition("=")
        cookies[name] = rest.partition(";")[0]

"""Guessing passwords at a running server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from pagetrail.storage.database.tables import Audit
from pagetrail.storage.database.workspace import Workspace
from tests.app.conftest import PASSWORD
from tests.attacks.requests import COOKIE, post, sign_in
from tests.attacks.screen_client import ScreenClient
from tests.e2e.support.server_process import ServerProcess


def _guess(url: str, name: str, number: int, headers: dict[str, str] | None = None) -> int:
    return post(url, "/pagetrail/login", {"name": name, "password": f"no {number}"}, headers)[0]


def test_headers_cannot_bypass_the_limit(server: ServerProcess, workspace: Workspace) -> None:
    """A new X-Forwarded-For with each guess is the same client; the log gets one line."""
    codes = [
        _guess(server.url, "sven", number, {"X-Forwarded-For": f"198.51.100.{number}"})
        for number in range(20)
    ]
    assert codes == [403] * 8 + [429] * 12
    with workspace.engine.connect() as connection:
        failed = Audit.action == "sign-in failed"
        lines = connection.execute(select(func.count()).select_from(Audit).where(failed))
        assert lines.scalar_one() == 1


@pytest.fixture
def proxied(root: Path) -> Iterator[ServerProcess]:
    """A server behind a proxy on this machine, which is behind others in 10.0.0.0/8."""
    options = ["--trusted-proxy", "127.0.0.1", "--trusted-proxy", "10.0.0.0/8"]
    with ServerProcess(root, options=options) as process:
        yield process


def test_proxies_are_believed_hop_by_hop(proxied: ServerProcess) -> None:
    """The address that the last trusted proxy saw counts, whatever the client wrote before it."""
    for account, forwarded in enumerate(
        (
            "198.51.100.{n}, 203.0.113.7",
            "10.0.0.{n}, 203.0.113.7",
            "198.51.100.{n}, 203.0.113.7, 10.0.0.1, 10.0.0.2",
            "127.0.0.1, 198.51.100.{n}, 203.0.113.7:{n}, 10.0.0.{n}",
            "198.51.100.{n}, 2001:db8::{n}",
            "198.51.100.{n}, [2001:db8::{n}]:{n}, 10.0.0.1",
        )
    ):
        codes = [
            _guess(
                proxied.url, f"name {account}", n, {"X-Forwarded-For": forwarded.format(n=n + 1)}
            )
            for n in range(10)
        ]
        assert codes == [403] * 8 + [429] * 2, forwarded
        elsewhere = {"X-Forwarded-For": "203.0.113.8"}
        assert _guess(proxied.url, f"name {account}", 0, elsewhere) == 403, "another client"


def test_guesses_lock_neither_colleague_nor_owner_out(server: ServerProcess) -> None:
    """At the same address a colleague signs in, and the owner in a browser used before."""
    form = {"name": "sven", "password": PASSWORD}
    _, headers = post(server.url, "/pagetrail/login", form)
    cookies = "; ".join(
        value.partition(";")[0] for name, value in headers if name.lower() == "set-cookie"
    )
    for number in range(20):
        _guess(server.url, "sven", number)
    sign_in(server.url, "alma", PASSWORD)
    assert post(server.url, "/pagetrail/login", form)[0] == 429
    assert post(server.url, "/pagetrail/login", form, {"Cookie": cookies})[0] == 303


def test_cross_site_sign_out_is_refused(server: ServerProcess) -> None:
    """Neither by a link nor by a form."""
    token = sign_in(server.url, "alma", PASSWORD)
    cookie = {"Cookie": f"{COOKIE}={token}"}
    foreign_headers = {**cookie, "Origin": "https://elsewhere.example"}
    assert post(server.url, "/pagetrail/logout", {}, foreign_headers)[0] == 403
    with ScreenClient(server.url, token).open("batches") as tab:
        assert tab.buttons
    assert post(server.url, "/pagetrail/logout", {}, cookie)[0] == 303

"""``deploy/``: servers, PostgreSQL and Caddy started by one script; what monitoring shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException, HTTPSConnection
from http.cookies import SimpleCookie
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import urlencode

import pytest

from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.health import Health
from pagetrail.storage.people.accounts import add_user
from tests.deploy.servers import answers, wait
from tests.e2e.support.server_process import free_port

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PASSWORD = "correct horse otter"


def test_the_dashboard_has_every_metric(workspace: Workspace) -> None:
    """Nothing that ``/metrics`` says is missing, and nothing is asked for that it does not say."""
    dashboard = (DEPLOY / "grafana.json").read_text(encoding="utf-8")
    assert json.loads(dashboard)["panels"]
    metric_names = {f"pagetrail_{name}" for name in Health(workspace).numbers()}
    assert set(re.findall(r"pagetrail_\w+", dashboard)) == metric_names


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with ``data``, ``log`` and ``ports`` (Caddy's and the first server's).

    Temporary files go where PostgreSQL's user may not.
    """
    if not [*Path("/usr/lib/postgresql").glob("*/bin/postgres")]:
        pytest.skip("PostgreSQL is not installed")
    folder = Path(mkdtemp(prefix="pagetrail-", dir="/tmp"))
    folder.chmod(0o711)  # PostgreSQL may run as another user
    program = folder / "pagetrail"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m pagetrail "$@"\n', encoding="ascii"
    )
    program.chmod(0o755)
    ports = _free_ports()
    (folder / "ports").write_text(json.dumps(ports), encoding="ascii")
    monkeypatch.setenv("PAGETRAIL", str(program))
    monkeypatch.setenv("FIRST_PORT", str(ports[1]))
    tmp_path.chmod(0o700)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [DEPLOY / "replicas" / "start", folder / "data", f"localhost:{ports[0]}"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield folder
        process.terminate()
        process.wait(60)
        assert not _servers(folder)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


class Visitor:
    """A browser that goes through Caddy, signed in."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: SimpleCookie = SimpleCookie()

    @property
    def server(self) -> str:
        """Which server answered last."""
        return self.cookies["pagetrail_server"].value

    def sign_in(self) -> bool:
        """Whether that succeeded, which stores a session."""
        form = {"name": "Ada", "password": PASSWORD, "next": "/"}
        return self.ask("POST", "/pagetrail/login", form) == 303

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> int:
        """The status of the reply; 0 without one."""
        connection = HTTPSConnection(
            "localhost", self.port, timeout=20, context=ssl._create_unverified_context()
        )
        headers = {
            "Cookie": "; ".join(f"{cookie.key}={cookie.value}" for cookie in self.cookies.values()),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        if form is not None:
            headers["Origin"] = f"https://localhost:{self.port}"
        try:
            connection.request(method, path, urlencode(form or {}), headers)
            reply = connection.getresponse()
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()
        for value in reply.headers.get_all("set-cookie") or []:
            self.cookies.load(value)
        return reply.status


@pytest.fixture
def visitor(started: Path, monkeypatch: pytest.MonkeyPatch) -> Visitor:
    """Signed in; both servers are ready."""
    if shutil.which("caddy") is None:
        pytest.skip("Caddy is not installed")
    log = started / "log"
    visitor = Visitor(json.loads((started / "ports").read_text(encoding="ascii"))[0])
    wait(lambda: visitor.ask("GET", "/pagetrail/login") == 200, log)
    wait(lambda: len(_servers(started)) == 2, log)
    address_line = re.search(r"PAGETRAIL_DATABASE_URL='(.*)'", log.read_text(errors="replace"))
    assert address_line is not None
    monkeypatch.setenv(DATABASE_URL, address_line[1])
    workspace = Workspace.open(started / "data" / "workspace")
    add_user(workspace, "Ada", "admin", PASSWORD)
    workspace.engine.dispose()
    assert visitor.sign_in()
    return visitor


def test_another_server_answers_when_one_is_killed(started: Path, visitor: Visitor) -> None:
    """A person who signed in through Caddy is signed in at either server, whichever is killed."""
    used, log = {visitor.server}, started / "log"
    first, second = _servers(started)
    os.kill(first, signal.SIGKILL)
    wait(lambda: visitor.ask("GET", "/") == 200, log)
    used.add(visitor.server)
    # It is started again; then the other one is killed.
    wait(lambda: all(answers(port, "/readyz") for port in _ports(started)), log)
    os.kill(second, signal.SIGKILL)
    wait(lambda: visitor.ask("GET", "/") == 200, log)
    used.add(visitor.server)
    assert len(used) == 2


def test_servers_go_on_when_the_database_is_back(started: Path, visitor: Visitor) -> None:
    """PostgreSQL is killed under them and starts again; no server is started, nobody signed out."""
    servers, log = _servers(started), started / "log"
    killed = _database(started)
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    wait(lambda: _database(started) not in (killed, None), log)
    wait(lambda: all(answers(port, "/readyz") for port in _ports(started)), log)
    assert visitor.ask("GET", "/") == 200
    assert visitor.sign_in()
    assert _servers(started) == servers


def _servers(folder: Path) -> list[int]:
    """The process of each server."""
    addresses = (
        subprocess.run(
            ["pgrep", "-o", "-f", f"serve {folder}/data/workspace --port {port} "],
            stdout=subprocess.PIPE,
            check=False,
        ).stdout.split()
        for port in _ports(folder)
    )
    return [int(pid) for pids in addresses for pid in pids]


def _database(folder: Path) -> int | None:
    """PostgreSQL's first process, as it says itself; None while it starts."""
    with suppress(FileNotFoundError, IndexError):
        return int((folder / "data" / "database" / "postmaster.pid").read_text("ascii").split()[0])
    return None


def _ports(folder: Path) -> tuple[int, int]:
    first = json.loads((folder / "ports").read_text(encoding="ascii"))[1]
    return first, first + 1


def _free_ports() -> tuple[int, int]:
    """A port for Caddy, and the first of two neighbours for servers."""
    while True:
        proxy, first, second = free_port(), free_port(), 0
        with socket.socket() as probe, suppress(OSError, OverflowError):
            probe.bind(("127.0.0.1", first + 1))
            second = first + 1
        if second and proxy not in (first, second):
            return proxy, first

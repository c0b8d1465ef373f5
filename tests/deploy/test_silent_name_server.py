"""A server asks the Internet nothing by itself: a name server that never answers hears nothing."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from tests.deploy.servers import answers, wait
from tests.e2e.support.server_process import free_port

_ADDRESS = "127.77.0.1"
_PASSWORD = "correct horse otter"

Run = Callable[..., list[str]]


@pytest.fixture
def name_server() -> Iterator[socket.socket]:
    """Where a program looks names up that runs as ``isolated`` says; it never answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        try:
            server.bind((_ADDRESS, 53))
        except OSError as error:
            pytest.skip(f"a name server needs port 53 of {_ADDRESS}: {error}")
        server.settimeout(0)
        yield server


@pytest.fixture
def isolated(tmp_path: Path, name_server: socket.socket) -> Run:
    """A command with the silent name server as its only one, in a mount namespace of its own."""
    settings = tmp_path / "resolv.conf"
    settings.write_text(f"nameserver {_ADDRESS}\noptions timeout:1 attempts:1\n", "ascii")
    script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'

    def command(*arguments: object) -> list[str]:
        return ["unshare", "--mount", "sh", "-c", script, *map(str, (settings, *arguments))]

    # So that hearing nothing means something: a program that asks is heard.
    try:
        subprocess.run(command("getent", "hosts", "pagetrail.example"), timeout=60, check=False)
        name_server.recv(512)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"no mount namespace for a name server of its own: {error}")
    while next_question(name_server):
        pass
    return command


def next_question(name_server: socket.socket) -> bytes:
    """The next question to the name server, or nothing."""
    try:
        return name_server.recv(512)
    except BlockingIOError:
        return b""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
def test_foreign_handshakes_are_refused_without_asking_anybody(
    workspace: Workspace, tmp_path: Path, name_server: socket.socket, isolated: Run
) -> None:
    """A signed-in annotator opens sockets from other sites; the next page comes at once."""
    add_user(workspace, "Ada", "annotator", _PASSWORD)
    workspace.engine.dispose()
    port, log = free_port(), tmp_path / "server.log"
    serve = (sys.executable, "-m", "pagetrail", "serve", workspace.root, "--port", port)
    with log.open("wb") as output:
        server = subprocess.Popen(
            isolated(*serve), stdout=output, stderr=output, start_new_session=True
        )
    try:
        wait(lambda: answers(port, "/readyz"), log)
        here = f"http://127.0.0.1:{port}"
        form = urlencode({"name": "Ada", "password": _PASSWORD, "next": "/"})
        status, cookie = ask(port, "POST", "/pagetrail/login", form, Origin=here)
        assert status == 303
        for origin in ("https://evil.example", "http://pagetrail.example:1", "http://127.0.0.1:1"):
            status, _ = ask(port, "GET", "/_stcore/stream", Origin=origin, Cookie=cookie, **UPGRADE)
            assert status == 403, origin
        assert ask(port, "GET", "/", Cookie=cookie)[0] == 200
        assert next_question(name_server) == b""
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(60)


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def ask(port: int, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
    """The status of the reply, and its cookies."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    if body:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    try:
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        cookies = [line.split(";")[0] for line in reply.headers.get_all("set-cookie") or []]
        return reply.status, "; ".join(cookies)
    finally:
        connection.close()

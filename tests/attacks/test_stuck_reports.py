"""A report whose process hangs: nobody else waits, and who wanted it can stop it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copytree

import psutil
import pytest

from tests.app.conftest import PASSWORD
from tests.attacks.requests import sign_in
from tests.attacks.screen_client import ScreenClient
from tests.e2e.support.server_process import ServerProcess

LONG_S = 30.0
"""Less than the time after which a process that does not start is killed."""
CAMPAIGN_QUERY = "campaign=Otters%20given"


@pytest.fixture
def server(template: Path, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server with all its processes."""
    copytree(template, tmp_path / "ws")
    with ServerProcess(tmp_path / "ws", as_installed=True) as process:
        yield process


def _children(server: ServerProcess) -> list[psutil.Process]:
    owners = {
        connection.pid
        for connection in psutil.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN and connection.laddr.port == server.port
    }
    (pid,) = owners
    return psutil.Process(pid).children()


def test_a_report_that_hangs_is_cancelled(server: ServerProcess) -> None:
    """Others' screens are drawn meanwhile; afterwards it is computed by another process."""
    sven, alma = (sign_in(server.url, name, PASSWORD) for name in ("sven", "alma"))
    with ScreenClient(server.url, sven) as before:
        # Its agreement is computed ahead, and would be what hangs; here it is waited for.
        before.open("progress", "campaign=Otters&part=Agreement")
        assert "Flagged and skipped" in before.text
    with ScreenClient(server.url, sven) as tab, ScreenClient(server.url, alma) as other:
        stopped = _children(server)
        for child in stopped:
            child.suspend()
        tab.ask("progress", CAMPAIGN_QUERY)
        tab.read_until(lambda: "Cancel" in tab.buttons)
        other.open("batches")
        assert "Flagged and skipped" not in tab.text
        tab.press(tab.buttons["Cancel"], "progress", CAMPAIGN_QUERY)
        tab.read_until(lambda: "Compute" in tab.buttons)
        assert "Flagged and skipped" not in tab.text
        _wait_until_one_is_killed(stopped)
        for child in stopped:
            with suppress(psutil.NoSuchProcess):
                child.resume()
        tab.press(tab.buttons["Compute"], "progress", CAMPAIGN_QUERY)
        tab.read_until(lambda: "Flagged and skipped" in tab.text)


def _wait_until_one_is_killed(processes: list[psutil.Process]) -> None:
    deadline = time.monotonic() + LONG_S
    while all(process.is_running() for process in processes):
        assert time.monotonic() < deadline
        time.sleep(0.01)

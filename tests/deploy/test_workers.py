"""``pagetrail serve --workers``: several servers and Caddy behind one port."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from pagetrail.app.cli.workspaces.serve_workers import caddyfile
from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.workspace import Workspace
from tests.deploy.chosen import on_demand, with_caddy
from tests.deploy.servers import answers, wait
from tests.e2e.support.server_process import free_port
from tests.support.postgresql import new_database

ROOT = Path(__file__).parents[2]
MAIN = "from pagetrail.app.cli.main import main; main()"

pytestmark = with_caddy


@pytest.mark.parametrize("proxies", [(), ("10.0.0.1", "10.1.0.0/16")])
def test_caddy_takes_its_configuration(proxies: tuple[str, ...], tmp_path: Path) -> None:
    """Both servers are named, and so are the proxies that are believed."""
    text = caddyfile("0.0.0.0", 8501, [9001, 9002], "secret", proxies)
    file = tmp_path / "Caddyfile"
    file.write_text(text, encoding="utf-8")
    command = ["caddy", "adapt", "--config", file, "--adapter", "caddyfile"]
    completed = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    configuration = json.dumps(json.loads(completed.stdout))
    assert all(
        address in configuration for address in ("127.0.0.1:9001", "127.0.0.1:9002", "0.0.0.0:8501")
    )
    assert all(proxy in configuration for proxy in proxies)


@on_demand
def test_dead_worker_is_replaced_and_all_end_with_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is killed: the port answers, and there are two again. The program is killed: all end."""
    address = new_database()
    monkeypatch.setenv(DATABASE_URL, address)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    workspace = Workspace.create(tmp_path / "ws", address)
    workspace.engine.dispose()
    port = free_port()
    arguments = ["serve", str(workspace.root), "--port", str(port), "--workers", "2"]
    with (tmp_path / "log").open("wb") as log:
        program = subprocess.Popen(
            [sys.executable, "-c", MAIN, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=tmp_path,
        )
    parent = psutil.Process(program.pid)
    try:
        wait(lambda: answers(port, "/healthz"), tmp_path / "log")
        first, second, proxy = sorted(parent.children(), key=lambda child: "caddy" in child.name())
        first.kill()
        wait(lambda: answers(port, "/healthz"), tmp_path / "log")
        wait(lambda: len(set(parent.children()) - {first, second, proxy}) == 1, tmp_path / "log")
        started = parent.children()
        assert {second, proxy} < {*started}
    finally:
        program.kill()
        program.wait()
    wait(lambda: not any(map(_alive, started)), tmp_path / "log")


def _alive(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE

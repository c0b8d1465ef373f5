"""A served workspace of its own for each attack."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetrail.storage.database.workspace import Workspace
from tests.app.conftest import make_workspace
from tests.e2e.support.server_process import ServerProcess
from tests.support.built_once import built_once, closed


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with two annotators, a supervisor and two campaigns; attacks work on copies."""
    return built_once(tmp_path_factory, "otters", closed(make_workspace)) / "ws"


@pytest.fixture
def server(template: Path, tmp_path: Path) -> Iterator[ServerProcess]:
    """The running server."""
    shutil.copytree(template, tmp_path / "ws")
    with ServerProcess(tmp_path / "ws") as process:
        yield process


@pytest.fixture
def workspace(server: ServerProcess) -> Iterator[Workspace]:
    """The server's workspace, opened beside it as a command does."""
    opened = Workspace.open(server.root)
    yield opened
    opened.engine.dispose()

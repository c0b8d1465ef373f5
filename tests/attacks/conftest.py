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
def root(template: Path, tmp_path: Path) -> Path:
    """The folder of a workspace that nothing has opened."""
    return Path(shutil.copytree(template, tmp_path / "ws"))


@pytest.fixture
def server(root: Path) -> Iterator[ServerProcess]:
    """The running server."""
    with ServerProcess(root) as process:
        yield process


@pytest.fixture
def workspace(server: ServerProcess) -> Iterator[Workspace]:
    """The server's workspace, opened beside it as a command does."""
    opened = Workspace.open(server.root)
    yield opened
    opened.engine.dispose()

"""A server that shows the tour, which the other packages' servers do not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support import small_workspace as small
from tests.e2e.support.server_process import ServerProcess
from tests.support.built_once import built_once, closed
from tests.support.campaigns import add_campaign, open_batches

GRADING = "Grading"


def build(root: Path) -> Workspace:
    """The small workspace, with a campaign whose tasks give their pages."""
    workspace = small.build(root)
    pages = [{"document": small.STUDY, "page": number} for number in (1, 2, 3)]
    task = {"id": "graded", "question": small.QUESTIONS["q1"], "candidates": pages}
    add_campaign(
        workspace,
        GRADING,
        [task],
        protocol="relevance",
        guidelines=small.GUIDELINES,
        overlap=2,
        seed=3,
    )
    open_batches(workspace, small.ANNOTATORS)
    return workspace


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace's folder, made once; each test works on a copy."""
    return built_once(tmp_path_factory, "tour", closed(build)) / "ws"


@pytest.fixture
def server(workspace: Workspace, port: int) -> Iterator[ServerProcess]:
    """A server for the workspace; a traceback in its log fails the test."""
    with ServerProcess(workspace.root, port, tour=True) as process:
        yield process
    assert "Traceback" not in process.log, process.log

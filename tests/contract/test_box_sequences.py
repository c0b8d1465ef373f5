"""The random sequences of ``tests.support.box_machine`` over the database."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetrail.annotation.attempts.event_log import EventLog
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.projections import rebuild
from tests.support.box_machine import BoxMachine
from tests.support.factory import make_workspace
from tests.support.randomness import examples


class OverSqlite(BoxMachine):
    """Each example works on a copy of one workspace."""

    template: Path

    def make_log(self) -> tuple[EventLog, str]:
        self._folder = tempfile.TemporaryDirectory(prefix="pagetrail-test-")
        root = Path(self._folder.name) / "ws"
        shutil.copytree(self.template, root)
        self._workspace = Workspace.open(root)
        return SqlEventLog(self._workspace.engine), "1-Ada"

    def _check_log(self) -> None:
        super()._check_log()
        report = rebuild(self._workspace.engine, check=True)
        assert (report.attempts, report.clean) == (1, True), report
        self._workspace.engine.dispose()
        self._folder.cleanup()


@pytest.fixture(scope="module", autouse=True)
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The workspace that is copied."""
    workspace = make_workspace(tmp_path_factory.mktemp("boxes") / "ws")
    workspace.engine.dispose()
    OverSqlite.template = workspace.root
    yield


class TestBoxesInSqlite(OverSqlite.TestCase):  # type: ignore[misc, name-defined]
    """Stored boxes equal the model's after each step, and the projection equals the fold."""

    settings = examples(40, stateful_step_count=30)


def test_a_long_sequence() -> None:
    """The same over 250 steps."""
    OverSqlite().go(250, seed=11)

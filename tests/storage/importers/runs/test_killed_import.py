"""An import that is killed in the middle: what is stored is whole, and another one completes it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagetrail.storage.attempts.event_log import _SqlStream
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs import importer
from tests.storage.importers.runs.run_data import bare, madqa, run, stored_agent_events
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace
from tests.support.function_process import exit_code_of


def import_and_be_killed(root: str, file: str, kill_at: str, killed_after: str) -> None:
    """Import a run; die after the n-th event or attempt."""
    left = int(kill_at)

    def count_step() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def count_calls(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            result = real(*arguments, **options)
            count_step()
            return result

        return call

    patch = pytest.MonkeyPatch()
    if killed_after == "event":
        patch.setattr(_SqlStream, "append", count_calls(_SqlStream.append))
    else:
        patch.setattr(importer, "ensure_attempt", count_calls(importer.ensure_attempt))
    importer.import_run(Workspace.open(Path(root)), Path(file), campaign="Otters", system="agent")


@pytest.mark.parametrize(
    ("killed_after", "at"),
    [("event", 1), ("event", 5), ("event", 7), ("event", 12), ("attempt", 3)],
)
def test_nothing_twice_and_nothing_lost(tmp_path: Path, killed_after: str, at: int) -> None:
    """Killed after the n-th event or between making and filling an attempt: importing again gives
    exactly what an import without interruption gives.
    """
    rows = [madqa("t/1"), madqa("t/2"), bare("t/3"), bare("t/4", answer=[])]
    path = write_jsonl(tmp_path / "r.jsonl", rows)
    uninterrupted = make_workspace(tmp_path / "whole")
    assert run(uninterrupted, path).imported == 4
    make_workspace(tmp_path / "ws").engine.dispose()
    exit_code = exit_code_of(import_and_be_killed, tmp_path / "ws", path, at, killed_after)
    assert exit_code == -signal.SIGKILL
    killed = Workspace.open(tmp_path / "ws")
    left = stored_agent_events(killed)
    assert left == stored_agent_events(uninterrupted)[: len(left)] and len(left) in (0, 9, 18)
    report = run(killed, path)
    assert report.imported + report.already_there == 4 and report.left_out == []
    assert stored_agent_events(killed) == stored_agent_events(uninterrupted)

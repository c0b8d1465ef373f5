"""An import that is killed in the middle: what is stored is whole, and another one completes it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pagetrail.storage.database.workspace import Workspace
from tests.storage.importers.runs.run_data import bare, madqa, run, stored_agent_events
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

_CHILD = """
import os, signal, sys
from pathlib import Path
from pagetrail.storage.importers.runs import importer as run_import
from pagetrail.storage.attempts.event_log import _SqlStream
from pagetrail.storage.database.workspace import Workspace

root, file, kill_at, where = sys.argv[1:]
left = int(kill_at)
def step():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

if where == "event":
    real = _SqlStream.append
    def append(self, event):
        real(self, event)
        step()
    _SqlStream.append = append
else:
    made = run_import.ensure_attempt
    def ensure(*given, **named):
        row = made(*given, **named)
        step()
        return row
    run_import.ensure_attempt = ensure
run_import.import_run(Workspace.open(Path(root)), Path(file), campaign="Otters", system="agent")
"""


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
    command = [sys.executable, "-c", _CHILD, str(tmp_path / "ws"), str(path), str(at), killed_after]
    root = Path(__file__).parents[4]
    process = subprocess.run(
        command, cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, check=False, timeout=120
    )
    assert process.returncode == -signal.SIGKILL
    killed = Workspace.open(tmp_path / "ws")
    left = stored_agent_events(killed)
    assert left == stored_agent_events(uninterrupted)[: len(left)] and len(left) in (0, 9, 18)
    report = run(killed, path)
    assert report.imported + report.already_there == 4 and report.left_out == []
    assert stored_agent_events(killed) == stored_agent_events(uninterrupted)

"""A workspace whose guideline versions and job states are files, opened by this version."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import WorkspaceError
from pagetrail.app.jobs.manager import STOPPED, Jobs
from pagetrail.storage.campaigns.guidelines import (
    guidelines_of,
    save_guidelines,
    version_text,
    versions,
)
from pagetrail.storage.database.job_states import last_jobs
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from tests.storage.database.old_database import old_tables, old_workspace
from tests.storage.task_data import add_people
from tests.support.factory import make_workspace

FILES = {
    "2026-03-02T090000.250000Z-original.md": b"# Guidelines",
    "2026-03-02T090100.250000Z-pseudonym_of_rsted_.md": "# Zwei ü".encode(),
    "2026-03-02T090100.250000Z-pseudonym_of_rsted_.2.md": b"# Three \xff",
    "2026-03-02T090100.250000Z-pseudonym_of_rsted_.10.md": b"# Ten",
    "2026-03-02T100000.000000Z-command_line.md": b"# Guidelines",
    "2026-03-02T110000.000000Z-someone_who_left.md": b"",
}
"""What the old version wrote for campaign 1, the oldest first; its text is the last but one."""

OPENED = """
import sys
from pathlib import Path
from pagetrail.storage.database.workspace import Workspace

Workspace.open(Path(sys.argv[1]))
"""
KILLED = (
    """
import os, signal
from alembic import op

bulk_insert = op.bulk_insert

def insert_and_die(*arguments):
    bulk_insert(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)

op.bulk_insert = insert_and_die
"""
    + OPENED
)


def job(**changes: Any) -> dict[str, Any]:
    """A job's file as the old version wrote it."""
    return {
        "id": 3, "kind": "export", "title": "Otters as gold", "by": "sven",
        "started_at": "2026-01-01T00:00:00.000000Z", "state": "done", "message": "Written: gold.",
        "phase": "gold", "done": 4, "total": 4, "ended_at": "2026-01-01T00:00:09.000000Z",
        "result": {"written": ["gold"], "failed": []},
    } | changes  # fmt: skip


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """An old workspace with versions, jobs, and files that are neither."""
    made = make_workspace(tmp_path / "new")
    add_people(made, ["Ørsted/.."], "supervisor")
    made.engine.dispose()
    root = tmp_path / "old"
    old_workspace(root, "0002", made.root / DATABASE_NAME)
    contents = {f"guidelines/1/{name}": text for name, text in FILES.items()}
    contents |= {
        "guidelines/1/secret.md": b"no version",
        "guidelines/1/.2026-03-02T120000.000000Z-original.md.building": b"half",
        "guidelines/77/2026-03-02T090000.250000Z-original.md": b"of no campaign",
        "jobs/export.json": json.dumps(job()).encode(),
        "jobs/ingest.json": json.dumps(
            job(kind="ingest", id=1, state="running", ended_at=None, title="\udcff.pdf", result={})
        ).encode(),
        "jobs/index.json": b"{",
        "jobs/check.json": b"[1]",
        "jobs/export.new": b"half",
    }
    for name, content in contents.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


def check(root: Path) -> None:
    """Everything is in the tables, once, and may be read without the files."""
    workspace = Workspace.open(root)
    found = versions(workspace, "Otters")
    assert [f"{version.id}.md" for version in found] == [*FILES][::-1]
    assert [version_text(workspace, "Otters", version.id) for version in found] == [
        text.decode(errors="replace") for text in reversed(FILES.values())
    ]
    assert [(v.by, v.in_force) for v in found] == [
        ("someone_who_left", False),
        ("command line", True),
        *[("Ørsted/..", False)] * 3,
        ("original", False),
    ]
    assert [v.at for v in found[:4]] == [
        "2026-03-02T11:00:00.000000Z",
        "2026-03-02T10:00:00.000000Z",
        *["2026-03-02T09:01:00.250000Z"] * 2,
    ]
    assert {each.kind for each in last_jobs(workspace.engine)} == {"export", "ingest"}
    jobs = Jobs(workspace, SystemClock())
    export, ingest = jobs.last("export"), jobs.last("ingest")
    assert export is not None and ingest is not None
    assert export.__dict__ == job()
    assert (ingest.state, ingest.message, ingest.title) == ("failed", STOPPED, "\\udcff.pdf")
    workspace.engine.dispose()


def test_files_become_rows_once(old: Path) -> None:
    """Opening again, or without the files, which stay, changes nothing; work goes on."""
    before = {path: path.read_bytes() for path in old.glob("[gj]*/**/*") if path.is_file()}
    check(old)
    check(old)
    assert {path: path.read_bytes() for path in before} == before
    for path in before:
        path.unlink()
    check(old)
    workspace = Workspace.open(old)
    text = guidelines_of(workspace, "Otters").text
    assert text == "# Guidelines"
    save_guidelines(workspace, None, "Otters", "# New", seen=None)
    assert [v.in_force for v in versions(workspace, "Otters")] == [True, *[False] * 6]


def test_a_kill_while_files_become_rows_leaves_the_old_workspace(old: Path) -> None:
    """kill -9 after the first rows: none of it is there, and the next start does all of it."""
    killed = subprocess.run([sys.executable, "-c", KILLED, str(old)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert "guideline_version" not in old_tables(old)
    with sqlite3.connect(old / DATABASE_NAME) as database:
        assert database.execute("SELECT * FROM alembic_version").fetchall() == [("0002",)]
    check(old)


def test_several_that_open_it_at_once_move_the_files_once(old: Path) -> None:
    """A server and commands, started together on the old workspace."""
    line = [sys.executable, "-c", OPENED, str(old)]
    opened = [subprocess.Popen(line) for _ in range(3)]
    assert [process.wait(60) for process in opened] == [0, 0, 0]
    check(old)


def test_a_version_that_cannot_be_read_is_not_lost(old: Path) -> None:
    """The workspace stays as it was, with a sentence that says what to do."""
    file = old / "guidelines" / "1" / next(iter(FILES))
    content = file.read_bytes()
    file.unlink()
    file.mkdir()
    with pytest.raises(WorkspaceError, match=r"0Z-original of guidelines cannot be read: Is a dir"):
        Workspace.open(old)
    file.rmdir()
    file.write_bytes(content)
    check(old)

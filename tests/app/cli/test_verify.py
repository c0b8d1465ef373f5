"""``pagetrail verify`` as a person at the terminal meets it."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from pagetrail.app.cli.main import app
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.maintenance.verify import verify
from tests.support.factory import make_workspace, record_attempts


def test_each_check_is_a_line(tmp_path: Path) -> None:
    """What was checked, how many of them, and what is wrong: here no file is in the folder."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    checks = verify(workspace)
    result = CliRunner().invoke(app, ["verify", str(workspace.root)])
    assert isinstance(result.exception, SystemExit), result.output
    assert result.exit_code == 1
    check_lines = [line for line in result.stderr.splitlines() if " checked, " in line]
    assert [line.partition(":")[0] for line in check_lines] == [check.name for check in checks]
    assert "attempts: 5 attempts checked, all well." in check_lines
    assert "hidden checks: 0 tasks checked, all well." in check_lines
    assert "documents: 2 files checked, 2 problems." in check_lines
    assert "index: 0 pages checked, all well." in check_lines


def test_an_empty_database_is_not_well(tmp_path: Path) -> None:
    """It says how to recover, and creates nothing."""
    workspace = make_workspace(tmp_path / "ws")
    workspace.engine.dispose()
    database = workspace.root / DATABASE_NAME
    database.write_bytes(b"")
    result = CliRunner().invoke(app, ["verify", str(workspace.root)])
    assert result.exit_code == 1
    assert "restore a backup" in str(result.exception)
    assert "all well" not in result.stderr + result.stdout
    assert database.read_bytes() == b""

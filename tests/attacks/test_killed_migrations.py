"""A process that is killed while it brings an old database up to date."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from pagetrail.storage.database import workspace
from pagetrail.storage.database.location import DATABASE_NAME
from tests.support.function_process import exit_code_of
from tests.support.next_version import next_migrations
from tests.upgrades.record import unpack


def migrate_and_be_killed(root: str, count_file: str, last: str, migrations: str) -> None:
    """Open a workspace, and count the statements up to the last change of the schema's version.

    Args:
        count_file: gets the number.
        last: die before this statement.
        migrations: their folder.
    """
    statement_count = in_migration = 0
    pytest.MonkeyPatch().setattr(workspace, "_MIGRATIONS", Path(migrations))
    workspace._migration_scripts.cache_clear()

    @event.listens_for(Engine, "before_cursor_execute")
    def count(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        nonlocal statement_count, in_migration
        statement_count += 1
        if statement.startswith("UPDATE alembic_version"):
            in_migration = statement_count
        if statement_count == int(last):
            os.kill(os.getpid(), signal.SIGKILL)

    workspace.Workspace.open(Path(root))
    Path(count_file).write_text(str(in_migration), encoding="ascii")


@pytest.fixture(params=["next", "old"])
def upgrade(request: pytest.FixtureRequest, template: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A workspace and the migrations to upgrade it with: this version's with those of the next, or
    one of an earlier version with this version's."""
    if request.param == "next":
        return template, next_migrations(tmp_path / "migrations")
    unpack(tmp_path / "old")
    return tmp_path / "old" / "workspace", workspace._MIGRATIONS


def _migrate(root: Path, count_file: Path, last: int, migrations: Path) -> int:
    return exit_code_of(migrate_and_be_killed, root, count_file, last, migrations)


def _content(root: Path) -> dict[str, list[tuple[object, ...]]]:
    """Rows of every table."""
    with closing(sqlite3.connect(root / DATABASE_NAME)) as database:
        names = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        return {
            name: sorted(database.execute(f'SELECT * FROM "{name}"'), key=repr) for (name,) in names
        }


@pytest.mark.parametrize("part", [0.1, 0.5, 0.8, 1.0])
def test_a_killed_migration_leaves_the_old_workspace_and_the_next_start_finishes_it(
    part: float, upgrade: tuple[Path, Path], tmp_path: Path
) -> None:
    """All of it or nothing: the rows are as before the kill, and as without a kill after it."""
    before, migrations = upgrade
    count_file = tmp_path / "statements"
    unharmed = shutil.copytree(before, tmp_path / "unharmed")
    assert _migrate(unharmed, count_file, 0, migrations) == 0
    statements = int(count_file.read_text())

    killed = shutil.copytree(before, tmp_path / "killed")
    assert _migrate(killed, count_file, round(part * statements), migrations) == -signal.SIGKILL
    assert _content(killed) == _content(before)

    assert _migrate(killed, count_file, 0, migrations) == 0
    assert _content(killed) == _content(unharmed) != _content(before)

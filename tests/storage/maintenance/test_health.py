"""Whether work can be stored, asked while the database does not answer."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy import text

from pagetrail.storage.database.engine import BUSY
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.health import Health


def wait_until_well(health: Health) -> None:
    """Ask until work can be stored again; the test's own time limit ends it otherwise."""
    while health.storage_problem() is not None:
        pass


def test_a_locked_database_is_busy_before_its_lock_is_given_up(workspace: Workspace) -> None:
    """The answer comes while the check still waits; once the lock is free, all is well again."""
    other = sqlite3.connect(workspace.root / DATABASE_NAME, isolation_level=None)
    health = Health(workspace)
    assert health.storage_problem() is None
    health = Health(workspace)
    other.execute("BEGIN IMMEDIATE")
    assert health.storage_problem() == BUSY
    assert other.in_transaction, "the lock was held all the while"
    other.execute("ROLLBACK")
    other.close()
    wait_until_well(health)


@pytest.mark.parametrize("workspace", ["postgresql"], indirect=True)
@pytest.mark.parametrize("table", ["event", "meta"])
def test_a_locked_table_of_postgresql_is_busy(workspace: Workspace, table: str) -> None:
    """No event can be stored while somebody has locked the events, or what the check writes."""
    health = Health(workspace)
    with workspace.engine.begin() as connection:
        connection.execute(text(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"))
        assert health.storage_problem() == BUSY
    wait_until_well(health)

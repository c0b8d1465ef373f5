"""What is PostgreSQL's own: the schema that migrations make there, its triggers and its values."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import func, insert, inspect, select, text
from sqlalchemy.exc import IntegrityError

from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database import postgresql
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.location import (
    DATABASE_NAME,
    DATABASE_URL,
    address_wanted,
    require_no_own_database,
)
from pagetrail.storage.database.tables import Audit, Document, Meta
from pagetrail.storage.database.workspace import Workspace
from tests.support.factory import make_workspace, record_attempts
from tests.support.postgresql import new_database


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace in PostgreSQL in which people have worked."""
    monkeypatch.setenv(DATABASE_URL, new_database())
    workspace = make_workspace(tmp_path / "ws", address=address_wanted())
    record_attempts(workspace)
    return workspace


def test_migrations_make_the_same_schema(stored: Workspace, tmp_path: Path) -> None:
    """Tables, columns, keys and what is unique are SQLite's; text is sorted by code points."""
    sqlite = Workspace.create(tmp_path / "sqlite")
    postgresql_schema, sqlite_schema = inspect(stored.engine), inspect(sqlite.engine)
    assert sorted(postgresql_schema.get_table_names()) == sorted(sqlite_schema.get_table_names())
    for table in sqlite_schema.get_table_names():
        facts: list[Callable[[Any], object]] = [
            lambda schema, t=table: {(c["name"], c["nullable"]) for c in schema.get_columns(t)},
            lambda schema, t=table: schema.get_pk_constraint(t)["constrained_columns"],
            lambda schema, t=table: {
                (*f["constrained_columns"],) for f in schema.get_foreign_keys(t)
            },
            lambda schema, t=table: _unique(schema, t),
        ]
        for fact in facts:
            assert fact(postgresql_schema) == fact(sqlite_schema), table
    kinds = text(
        "SELECT DISTINCT data_type, collation_name FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND table_name <> 'alembic_version'"
    )
    with stored.engine.connect() as connection:
        column_types = {(*row,) for row in connection.execute(kinds)}
    assert column_types == {
        ("bigint", None),
        ("boolean", None),
        ("bytea", None),
        ("character varying", "C"),
        ("double precision", None),
        ("json", None),
        ("text", "C"),
    }


def _unique(inspector: Any, table: str) -> set[tuple[str, ...]]:
    constraints = inspector.get_unique_constraints(table)
    indexes = [index for index in inspector.get_indexes(table) if index["unique"]]
    return {(*constraint["column_names"],) for constraint in [*constraints, *indexes]}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET actor = 'Mallory' WHERE attempt_id = '1-Ada'",
        "DELETE FROM event WHERE seq = 2",
        "TRUNCATE event",
    ],
)
def test_the_log_is_append_only(stored: Workspace, statement: str) -> None:
    """The database itself refuses; every event stays."""
    log = SqlEventLog(stored.engine)
    before = list(log.events("1-Ada"))
    with (
        pytest.raises(IntegrityError, match="append-only"),
        write_transaction(stored.engine) as connection,
    ):
        connection.execute(text(statement))
    assert list(log.events("1-Ada")) == before


def test_values_are_those_of_sqlite(stored: Workspace) -> None:
    """Sums are whole numbers, and what no text of PostgreSQL can hold is replaced."""
    with write_transaction(stored.engine) as connection:
        connection.execute(
            insert(Audit).values(at="", actor="Ada", action="said", detail="a\x00b 🦦")
        )
        detail = connection.execute(select(Audit.detail).where(Audit.action == "said"))
        assert detail.scalar_one() == "a\ufffdb 🦦"
        total = connection.execute(select(func.sum(Document.n_pages))).scalar_one()
    assert (total, type(total)) == (15, int)


def test_whoever_waits_too_long_for_another_writer_is_told(
    stored: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer of another process holds the lock; readers are not held up."""
    monkeypatch.setitem(postgresql._SETTINGS, "lock_timeout", 50)
    other = Workspace.open(stored.root)
    holds, may_go = Signal(), Signal()

    def hold() -> None:
        with write_transaction(stored.engine):
            holds.set()
            may_go.wait(30)

    thread = Thread(target=hold)
    thread.start()
    try:
        assert holds.wait(30)
        assert other.meta("workspace_id")
        with pytest.raises(StorageError, match="busy"), write_transaction(other.engine):
            pass
    finally:
        may_go.set()
        thread.join()
    with write_transaction(other.engine) as connection:
        connection.execute(insert(Meta).values(key="written", value="yes"))
    assert stored.meta("written") == "yes"


def test_whoever_waits_for_a_lonely_writer_holds_no_part(stored: Workspace) -> None:
    """The lonely one may need it: each would wait for the other. Later, both locks are held."""
    advisory = text(
        "SELECT classid, granted FROM pg_locks JOIN pg_database ON pg_database.oid = database "
        "WHERE locktype = 'advisory' AND datname = current_database() ORDER BY 1"
    )
    other, started, may_go = Workspace.open(stored.root), Signal(), Signal()
    locks_while_writing: list[list[tuple[int, bool]]] = []

    def locks() -> list[tuple[int, bool]]:
        with stored.engine.connect() as connection:
            return [(row.classid, row.granted) for row in connection.execute(advisory)]

    def write() -> None:
        with write_transaction(other.engine, "a part"):
            locks_while_writing.append(locks())
            started.set()
            may_go.wait(30)

    thread = Thread(target=write)
    with write_transaction(stored.engine):
        thread.start()
        give_up = time.monotonic() + 30
        while len(held_locks := locks()) < 2:
            assert time.monotonic() < give_up
    assert sorted(held_locks) == [(0, False), (0, True)]
    assert started.wait(30)
    may_go.set()
    thread.join()
    assert locks_while_writing == [[(0, True), (postgresql.PART_LOCKS, True)]]


def test_a_folder_opens_with_its_own_database_only(
    stored: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither without an address, nor with another's, nor in the place of its SQLite file."""
    assert not (stored.root / DATABASE_NAME).exists()
    with pytest.raises(WorkspaceError, match="has a workspace already"):
        Workspace.create(tmp_path / "second", address_wanted())
    monkeypatch.setenv(DATABASE_URL, new_database())
    with pytest.raises(WorkspaceError, match="is not the one of"):
        Workspace.open(stored.root)
    monkeypatch.setenv(DATABASE_URL, "mysql://host/name")
    with pytest.raises(WorkspaceError, match="not the address of a PostgreSQL"):
        Workspace.open(stored.root)
    monkeypatch.delenv(DATABASE_URL)
    with pytest.raises(WorkspaceError, match="Set PAGETRAIL_DATABASE_URL"):
        Workspace.open(stored.root)
    sqlite_workspace = Workspace.create(tmp_path / "own")
    monkeypatch.setenv(DATABASE_URL, new_database())
    assert Workspace.open(sqlite_workspace.root).engine.dialect.name == "sqlite"
    with pytest.raises(WorkspaceError, match="has its own database"):
        require_no_own_database(sqlite_workspace.root)

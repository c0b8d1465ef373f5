"""Upgrading a workspace while its servers run: a schema is changed for nobody but this version."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, insert, select, text

from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.storage.database import workspace as module
from pagetrail.storage.database.base import metadata
from pagetrail.storage.database.copy_before_upgrade import copy_path
from pagetrail.storage.database.engine import sqlite_engine, write_transaction
from pagetrail.storage.database.location import DATABASE_NAME, DATABASE_URL, write_elsewhere
from pagetrail.storage.database.postgresql import postgresql_engine, postgresql_url
from pagetrail.storage.database.served import SERVE_LOCK
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance import serve_lock
from pagetrail.storage.maintenance.serve_lock import server_lock
from pagetrail.storage.people.accounts import add_user
from pagetrail.storage.people.administration import anonymise
from pagetrail.storage.people.preferences import Preferences, preferences_of
from tests.support.next_version import NEXT, PRESENT, next_migrations
from tests.support.postgresql import empty_database

ID = {"workspace_id": "w", "secret": "s"}


@pytest.fixture(params=["sqlite", "postgresql"])
def old(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Workspace:
    """A workspace of this version, which is the older one here: the program is the next version."""
    root = tmp_path / "ws"
    root.mkdir()
    engine = _new_engine(request.param, root, monkeypatch)
    with write_transaction(engine) as connection:
        _upgrade(connection, PRESENT)
        connection.execute(insert(Meta), [{"key": k, "value": v} for k, v in ID.items()])
    monkeypatch.setattr(module, "_MIGRATIONS", next_migrations(tmp_path / "migrations"))
    monkeypatch.setattr(module, "_migration_scripts", module._migration_scripts.__wrapped__)
    return Workspace(root, engine)


def _new_engine(kind: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    if kind == "sqlite":
        return sqlite_engine(root / DATABASE_NAME)
    address = empty_database(f"old_{time.time_ns()}")
    monkeypatch.setenv(DATABASE_URL, address)
    write_elsewhere(root, ID["workspace_id"])
    return postgresql_engine(postgresql_url(address))


def _upgrade(connection: Connection, revision: str) -> None:
    config = module._alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _schema(workspace: Workspace) -> str:
    with workspace.engine.connect() as connection:
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar())


def test_no_schema_is_changed_under_an_older_server(
    old: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by a newer server nor by a command; once the older one has ended, it is."""
    with monkeypatch.context() as as_older:
        as_older.setattr(serve_lock, "migrate", lambda _engine: None)
        with server_lock(old, "an older server"):
            with pytest.raises(WorkspaceError, match=f"older version.*schema {PRESENT}"):
                Workspace.open(old.root)
            assert _schema(old) == PRESENT
            with old.engine.connect() as connection:
                assert len(connection.execute(select(Meta)).all()) >= len(ID)
    opened = Workspace.open(old.root)
    assert _schema(old) == NEXT
    with server_lock(opened, "a newer server"):
        Workspace.open(old.root)


@pytest.mark.parametrize("old", ["sqlite"], indirect=True)
def test_the_database_as_it_was_is_kept(old: Workspace) -> None:
    """For its owner only; a copy that cannot be made keeps the schema; anonymising removes it."""
    unfinished = copy_path(old.engine).with_suffix(".part")
    unfinished.mkdir()
    with pytest.raises(StorageError, match="before its upgrade"):
        Workspace.open(old.root)
    assert _schema(old) == PRESENT
    unfinished.rmdir()
    opened = Workspace.open(old.root)
    assert copy_path(old.engine).stat().st_mode & 0o777 == 0o600
    copy = sqlite_engine(copy_path(old.engine))
    assert _schema(Workspace(old.root, copy)) == PRESENT
    with copy.connect() as connection:
        assert connection.execute(select(Meta)).all() != []
    add_user(opened, "Ada", "annotator", "correct horse")
    anonymise(opened, None, "Ada")
    assert not copy_path(old.engine).exists()


def test_an_older_server_does_not_start_on_a_newer_schema(workspace: Workspace) -> None:
    """Not even if it had opened the workspace before it was upgraded."""
    with write_transaction(workspace.engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with (
        pytest.raises(WorkspaceError, match="schema 9999, which this version"),
        server_lock(workspace, "an older server"),
    ):
        pass


def test_a_development_version_from_before_the_baseline_is_refused(workspace: Workspace) -> None:
    """With what to do; nothing is changed."""
    with write_transaction(workspace.engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0028'"))
    with pytest.raises(WorkspaceError, match="schema 0028, of a development version"):
        Workspace.open(workspace.root)
    assert _schema(workspace) == "0028"


def test_the_migrations_make_the_tables_that_are_declared(workspace: Workspace) -> None:
    """Whoever changes a table writes a migration."""
    with workspace.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


@pytest.mark.parametrize("old", ["postgresql"], indirect=True)
def test_servers_of_a_newer_version_start_together(old: Workspace) -> None:
    """One of them upgrades and serves; the other, which waited for that, is not in its way."""
    failed: list[WorkspaceError] = []

    def second() -> None:
        try:
            Workspace.open(old.root)
        except WorkspaceError as error:
            failed.append(error)

    waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    with old.engine.connect() as first_serves, old.engine.connect() as looking:
        with write_transaction(old.engine) as first_upgrades:
            thread = Thread(target=second)
            thread.start()
            _wait(lambda: _count(looking, waiting) == 1)
            _upgrade(first_upgrades, "head")
            first_serves.execute(text(f"SELECT pg_advisory_lock_shared({SERVE_LOCK})"))
        thread.join()
        first_serves.invalidate()
    assert failed == []


def _count(connection: Connection, statement: object) -> int:
    count = connection.execute(statement).scalar_one()  # type: ignore[call-overload]
    connection.rollback()
    return int(count)


def _wait(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.01)


BASELINE_ROWS = """
INSERT INTO campaign (id, name, protocol, guidelines, seed, status, created_at)
VALUES (1, 'c', '{}', '', 7, 'open', '');
INSERT INTO user_account (id, name, role, pseudonym, active, created_at, time_zone, locale)
VALUES (1, 'alma', 'annotator', 'p', true, '', 'Europe/Berlin', 'de');
INSERT INTO batch (id, campaign_id, position, code_name, priority) VALUES (1, 1, 1, 'Aries', 0);
INSERT INTO assignment (id, batch_id, user_id, seed, status, created_at, told_at)
VALUES (1, 1, 1, 7, 'open', '', 'told');
INSERT INTO task (id, campaign_id, batch_id, key, position, record) VALUES (1, 1, 1, 'q', 1, '{}');
INSERT INTO attempt (id, task_id, user_id, assignment_id, setting, created_at)
VALUES ('a', 1, 1, 1, 'search', '');
INSERT INTO response (attempt_id, last_seq, status, flagged, n_searches, n_citations, updated_at,
                      log_chars, state)
VALUES ('a', 3, 'submitted', false, 1, 2, 'then', 99, '{}');
INSERT INTO review_task (task_id, campaign_id, stale, status, score, n_handed, flagged, drawn,
                         gold_version, automatic, parts, sources)
VALUES (1, 1, false, 'single', 0, 1, false, false, 0, false, '[]', '[]');
INSERT INTO attempt_summary (attempt_id, task_id, user_id, campaign_id, handed_seq, last_seq,
                             status, handed_at, wall_ms, active_ms, n_searches, ratings)
VALUES ('a', 1, 1, 1, 3, 3, 'submitted', 'noon', 5, 4, 1, '[]');
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_workspace_of_the_first_schema_keeps_its_rows(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns and a table have other names since; what was in them is there."""
    engine = _new_engine(kind, tmp_path, monkeypatch)
    with write_transaction(engine) as connection:
        _upgrade(connection, "0100")
        for statement in BASELINE_ROWS.split(";"):
            if statement.strip():
                connection.execute(text(statement))
        _upgrade(connection, "head")
        values = connection.execute(
            text(
                "SELECT s.last_seq, s.status, s.log_chars, a.withdrawal_shown_at, r.n_submissions, "
                "m.submission_seq, m.submitted_at FROM attempt_state s, assignment a, "
                "review_task r, attempt_summary m"
            )
        ).one()
    assert tuple(values) == (3, "submitted", 99, "told", 1, 3, "noon")
    assert preferences_of(Workspace(tmp_path, engine), 1) == Preferences()
    engine.dispose()

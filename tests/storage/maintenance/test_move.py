"""Moving the database into PostgreSQL and back, and backing it up from there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import delete, event, insert, text

from pagetrail.annotation.clock import ManualClock, SystemClock
from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.location import DATABASE_NAME, DATABASE_URL, ELSEWHERE_NAME
from pagetrail.storage.database.postgresql import postgresql_engine, postgresql_url
from pagetrail.storage.database.tables import Audit, Document
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance import database_copy, move
from pagetrail.storage.maintenance.backup import back_up
from pagetrail.storage.maintenance.database_copy import digests
from pagetrail.storage.maintenance.move import move_to_folder, move_to_postgresql
from pagetrail.storage.maintenance.restore import restore
from pagetrail.storage.maintenance.serve_lock import database_lock
from pagetrail.storage.people.accounts import add_user
from pagetrail.storage.projections import rebuild
from tests.storage.importers.runs.run_data import madqa, run
from tests.storage.task_data import write_jsonl
from tests.support.factory import START, make_workspace, record_attempts
from tests.support.postgresql import new_database


@pytest.fixture
def annotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace in its folder, with events, and a text that PostgreSQL cannot hold as it is."""
    monkeypatch.setattr(database_copy, "BATCH_ROWS", 3)
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    run(workspace, write_jsonl(tmp_path / "r.jsonl", [madqa()]))
    row = {"at": "", "actor": "é", "action": "x", "detail": "a\x00\\u0000"}
    with write_transaction(workspace.engine) as connection:
        connection.execute(insert(Audit), row)
    return workspace


def test_there_and_back_without_a_loss(
    annotated: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every row to the byte, new rows get new ids, a backup from there is a workspace again."""
    address = new_database()
    monkeypatch.setenv(DATABASE_URL, address)
    with annotated.engine.connect() as connection:
        before = digests(connection)
    progress: list[tuple[int, int]] = []
    moved = move_to_postgresql(
        annotated, address, ManualClock(START), lambda *n: progress.append(n)
    )
    assert moved == before
    total = sum(table.rows for table in before.values())
    assert progress[-1] == (total, total)
    files = {path.name for path in annotated.root.glob("*.*") if path.suffix != ".lock"}
    aside = f"{DATABASE_NAME}.moved-20260302090000"
    assert files == {aside, ELSEWHERE_NAME}

    moved = Workspace.open(annotated.root)
    assert moved.engine.dialect.name == "postgresql"
    report = rebuild(moved.engine, check=True)
    assert not (report.differed or report.missing or report.orphaned)
    add_user(moved, "Eve", "annotator", "a long password")
    with write_transaction(moved.engine) as connection:
        connection.execute(delete(Document).where(Document.id < 0))
    after = list(SqlEventLog(moved.engine).events("1-Ada"))

    with write_transaction(moved.engine) as connection:  # its documents have no files here
        for table in ("recognised_words", "page", "document"):
            connection.execute(text(f"DELETE FROM {table}"))
    back_up(moved, tmp_path / "backup.tar", SystemClock())
    restore(tmp_path / "backup.tar", tmp_path / "restored", SystemClock())
    with Workspace.open(tmp_path / "restored").engine.connect() as connection:
        restored = digests(connection)

    home = move_to_folder(moved)
    assert home == restored
    assert home["event"] == before["event"]
    assert home["user_account"].rows == before["user_account"].rows + 1
    reopened = Workspace.open(annotated.root)
    assert reopened.engine.dialect.name == "sqlite"
    assert list(SqlEventLog(reopened.engine).events("1-Ada")) == after


def test_an_interrupted_move_is_finished(
    annotated: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copied, but not yet switched: the file is the database, and the same command goes on."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    address = new_database()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(move, "write_elsewhere", killed)
        move_to_postgresql(annotated, address, SystemClock())
    assert Workspace.open(annotated.root).engine.dialect.name == "sqlite"
    move_to_postgresql(annotated, address, SystemClock())
    monkeypatch.setenv(DATABASE_URL, address)
    assert Workspace.open(annotated.root).engine.dialect.name == "postgresql"


def test_the_database_is_free_before_its_connection_closes() -> None:
    """Whoever comes next need not wait until PostgreSQL notices that the connection closed."""
    engine, next_engine = (postgresql_engine(postgresql_url(a)) for a in [new_database()] * 2)
    is_free_at_close: list[bool] = []

    def take_lock(*_: object) -> None:
        with database_lock(next_engine):
            is_free_at_close.append(True)

    event.listen(engine, "close_detached", take_lock)
    with database_lock(engine):
        pass
    assert is_free_at_close == [True]


def test_what_is_refused_changes_nothing(
    annotated: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that differs, another's database, one that a server holds, and moving twice."""
    address = new_database()
    with monkeypatch.context() as patch, pytest.raises(StorageError, match="differs in: event"):
        real = database_copy._digest
        patch.setattr(
            database_copy, "_digest",
            lambda c, t: real(c, t) if t.name != "event" else id(c),
        )  # fmt: skip
        move_to_postgresql(annotated, address, SystemClock())
    engine = postgresql_engine(postgresql_url(address))
    with engine.connect() as connection:
        assert {table.rows for table in digests(connection).values()} == {0}
    with pytest.raises(WorkspaceError, match="in use"), database_lock(engine):
        move_to_postgresql(annotated, address, SystemClock())
    Workspace.create(tmp_path / "other", address)
    with pytest.raises(WorkspaceError, match="has a workspace already"):
        move_to_postgresql(annotated, address, SystemClock())
    with pytest.raises(WorkspaceError, match="in its folder already"):
        move_to_folder(annotated)
    assert (annotated.root / DATABASE_NAME).is_file()
    assert not (annotated.root / ELSEWHERE_NAME).exists()
    content = json.loads((tmp_path / "other" / ELSEWHERE_NAME).read_text(encoding="utf-8"))
    assert content["engine"] == "postgresql"

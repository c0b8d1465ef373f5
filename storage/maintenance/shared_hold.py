"""Several servers on one PostgreSQL database, and on one folder or one bucket.

Servers hold a shared lock on the database; moving the database needs it exclusively. The first
server writes a mark to the database and the folder. Others must find the same mark in both, since
they share documents, index and exports as well. With a bucket, each server may have its own folder,
and copies the mark.
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import SQLAlchemyError

from pagetrail.annotation.errors import PagetrailError, StorageError, WorkspaceError
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.postgresql import check_before_writing
from pagetrail.storage.database.served import SERVE_LOCK
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import Workspace

MARK_FILE = "servers.mark"
_MARK_KEY = "servers_mark"
CHECK_INTERVAL_S = 2.0
_WAIT_S = 15.0
_RETRY_S = 0.1
_log = logging.getLogger("pagetrail.server")


@contextmanager
def shared_hold(workspace: Workspace, interval_s: float = CHECK_INTERVAL_S) -> Iterator[SharedHold]:
    """Hold the database with other servers; the system releases the lock when the process ends.

    While the connection that holds it is lost, this process stores nothing; it takes the lock again
    as soon as the database answers.

    Raises:
        WorkspaceError: the database is being moved, or servers of another folder hold it.
    """
    hold = SharedHold(workspace, interval_s)
    hold.take(secrets.token_hex(8), _WAIT_S)
    check_before_writing(workspace.engine, hold.check)
    watch = Thread(target=hold.watch, name="database-hold", daemon=True)
    watch.start()
    try:
        yield hold
    finally:
        hold.closed.set()
        watch.join()
        check_before_writing(workspace.engine, None)
        hold.release()


def epoch_of(workspace: Workspace) -> str:
    """Identifies the period since the first of the running servers started, for all of them."""
    if workspace.engine.dialect.name == "postgresql" and (mark := _file_mark(workspace)):
        return mark
    return secrets.token_hex(6)


class SharedHold:
    """The shared lock, with its watcher.

    Attributes:
        times_lost: how often the connection that holds it was lost.
    """

    def __init__(self, workspace: Workspace, interval_s: float) -> None:
        self._workspace = workspace
        self._interval_s = interval_s
        self._connection: Connection | None = None
        self.times_lost = 0
        self.closed = Event()

    @property
    def is_held(self) -> bool:
        """Whether this process has the lock."""
        return self._connection is not None

    def check(self) -> None:
        """Refuse to write while the lock is not held.

        Raises:
            StorageError: the lock was lost.
        """
        if not self.is_held:
            raise StorageError(
                "The connection to the database was lost. Nothing was stored; try again in a "
                "moment.",
                code="storage_gone",
            )

    def take(self, first_mark: str = "", wait_s: float = 0.0) -> None:
        """Take the lock.

        Args:
            first_mark: the mark to write if this is the first server; "" for the folder's.

        Raises:
            WorkspaceError: the database is being moved, or servers of another folder hold it.
            StorageError: the database does not answer.
        """
        connection = self._workspace.engine.connect()
        connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()  # closed at the end, which releases the lock
        try:
            deadline = time.monotonic() + wait_s
            while reason := self._try_to_lock(connection, first_mark):
                if time.monotonic() > deadline:
                    raise WorkspaceError(reason, code="workspace_in_use")
                time.sleep(_RETRY_S)
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def release(self) -> None:
        """Release the lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            # Closing releases it too, but only once the database has noticed.
            with suppress(SQLAlchemyError):
                connection.execute(select(func.pg_advisory_unlock_shared(SERVE_LOCK)))
            connection.close()

    def watch(self) -> None:
        """Notice a lost connection, and take the lock again, until closed."""
        while not self.closed.wait(self._interval_s):
            connection = self._connection
            try:
                if connection is None:
                    self.take()
                    _log.warning("the database is back: work is stored again")
                else:
                    connection.execute(select(1))
            except (PagetrailError, SQLAlchemyError) as error:
                if connection is not None:
                    self._connection = None
                    self.times_lost += 1
                    connection.invalidate()
                    connection.close()
                _log.error("nothing is stored until the database can be held again: %s", error)

    def _try_to_lock(self, connection: Connection, first_mark: str) -> str:
        """Take the lock now; returns why that failed, or ""."""
        shared_lock = select(func.pg_try_advisory_lock_shared(SERVE_LOCK))
        is_first = connection.execute(select(func.pg_try_advisory_lock(SERVE_LOCK))).scalar()
        if is_first:
            self._write_mark(connection, first_mark or _file_mark(self._workspace) or "none")
            connection.execute(shared_lock)
            connection.execute(select(func.pg_advisory_unlock(SERVE_LOCK)))
            return ""
        if not connection.execute(shared_lock).scalar():
            return "The database is in use by a command that moves it. Try again when it has ended."
        mark = connection.execute(select(Meta.value).where(Meta.key == _MARK_KEY)).scalar()
        if mark is not None and self._workspace.files is not None:
            self._write_file_mark(mark)
            return ""
        if mark is not None and mark == _file_mark(self._workspace):
            return ""
        connection.execute(select(func.pg_advisory_unlock_shared(SERVE_LOCK)))
        return (
            "The database is in use by servers of another folder. All servers of a database need "
            "the same folder, or a bucket: stop the others, or start this one there."
        )

    def _write_mark(self, connection: Connection, mark: str) -> None:
        self._write_file_mark(mark)
        row = insert_into(connection, Meta).values(key=_MARK_KEY, value=mark)
        connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": mark}))

    def _write_file_mark(self, mark: str) -> None:
        path = self._workspace.root / MARK_FILE
        unfinished = path.with_name(f".{MARK_FILE}.{os.getpid()}.partial")
        unfinished.write_text(mark, encoding="ascii")
        unfinished.replace(path)


def _file_mark(workspace: Workspace) -> str | None:
    try:
        return (workspace.root / MARK_FILE).read_text(encoding="ascii")
    except (OSError, UnicodeError):
        return None

"""The database connection: SQLite's, and how the writers of either database take turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import BoundedSemaphore, Lock
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, TextClause, event, exc
from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import create_engine

from pagetrail.annotation.errors import StorageError
from pagetrail.annotation.messages import N_
from pagetrail.storage.database.damage import plain_message, storage_failure
from pagetrail.storage.database.replaced import DatabaseFile

BUSY_TIMEOUT_MS = 15_000

BUSY = N_("The database is busy with other work. Nothing was stored; try again in a moment.")
POOL_TIMEOUT = exc.TimeoutError
"""Raised where no connection of an engine is free in time."""
_MAX_SHARED_WRITERS = 8
"""Each has a connection, and may need one more to read with."""
_CANNOT_WRITE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_IOERR")
"""The last where a disk fails, or its file system has turned read-only."""
_NOT_WRITABLE = (
    "The database of the workspace cannot be written. The user that runs Pagetrail "
    "needs write access to the workspace's folder and its files, on a disk that is not read-only. "
    "Nothing was stored."
)
_FULL = "The workspace's disk is full. Nothing was stored; free some space, then try again."


@dataclass(frozen=True)
class WriterTurns:
    """How the writers of a database take turns.

    Attributes:
        options: execution options of a connection that writes.
        alone_first: statements that take the write lock, where the options do not.
        beside_first: statements that take the lock of ``:part`` and let others change other parts;
            none where there is one writer at a time in any case.
        check: called before and after each transaction; may refuse it.
        in_process: held by the writer of this process that has the turn.
        beside: turns of this process's writers that change a part each.
    """

    options: Mapping[str, str]
    alone_first: Sequence[TextClause] = ()
    beside_first: Sequence[TextClause] = ()
    check: Callable[[], None] = lambda: None
    in_process: Lock = field(default_factory=Lock)
    beside: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(_MAX_SHARED_WRITERS))


_turns: WeakKeyDictionary[Engine, WriterTurns] = WeakKeyDictionary()


def sqlite_engine(path: Path) -> Engine:
    """An engine for the workspace's SQLite file.

    WAL lets readers go on while one writer commits; ``synchronous=FULL`` makes a commit survive a
    power cut, which is what "saved" on the screen promises. Transactions are opened by
    ``write_transaction`` with BEGIN IMMEDIATE: a deferred one that starts to write after another
    has written fails at once instead of waiting.
    """
    engine = create_engine(
        f"sqlite:///{path}",
        connect_args={"check_same_thread": False, "timeout": BUSY_TIMEOUT_MS / 1000},
        pool_size=16,
        max_overflow=32,
    )

    @event.listens_for(engine, "connect")
    def _configure(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # SQLAlchemy emits BEGIN itself
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            # Without it REPLACE does not fire the triggers that keep the log append-only.
            "recursive_triggers=ON",
            f"busy_timeout={BUSY_TIMEOUT_MS}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        mode = connection.get_execution_options().get("sqlite_begin", "DEFERRED")
        connection.exec_driver_sql(f"BEGIN {mode}")

    event.listen(engine, "handle_error", _translate)
    take_turns(engine, WriterTurns({"sqlite_begin": "IMMEDIATE"}, check=DatabaseFile(path).check))
    return engine


def take_turns(engine: Engine, turns: WriterTurns) -> None:
    """Say how ``write_transaction`` opens the transactions of an engine."""
    _turns[engine] = turns


def ids_in_order(engine: Engine) -> bool:
    """Whether rows become visible in the order of their ids: where one writes at a time."""
    return not _turns[engine].beside_first


@contextmanager
def write_transaction(engine: Engine, part: str | None = None) -> Iterator[Connection]:
    """One transaction that holds the write lock from its start; commits on a clean exit.

    Args:
        part: what alone it changes, an attempt for instance. Where the database can, others may
            write at the same time who name other parts; whoever names none is always alone.

    Raises:
        StorageError: the lock was not free in time, the file was replaced by another or is
            damaged, or the database failed.
    """
    turns = _turns[engine]
    is_shared = part is not None and bool(turns.beside_first)
    with (
        _turn(turns, turns.beside if is_shared else turns.in_process),
        engine.connect().execution_options(**turns.options) as connection,
        connection.begin(),
    ):
        for lock in turns.beside_first if is_shared else turns.alone_first:
            connection.execute(lock, {"part": part} if ":part" in lock.text else {})
        yield connection


@contextmanager
def _turn(turns: WriterTurns, gate: Lock | BoundedSemaphore) -> Iterator[None]:
    """Wait for the other writers of this process.

    SQLite has no queue: a writer that finds the lock taken sleeps 1, 2, 5 … 100 ms and tries again,
    which makes five concurrent writers slower than five in turn. PostgreSQL has one, but whoever
    waits in it has a connection.
    """
    if not gate.acquire(timeout=BUSY_TIMEOUT_MS / 1000):
        raise StorageError(BUSY, code="storage_busy")
    try:
        turns.check()
        yield
        turns.check()  # what was just committed went into the file that the next start opens
    finally:
        gate.release()


def _translate(context: ExceptionContext) -> None:
    """Turn the driver's errors into Pagetrail's; constraint violations pass unchanged."""
    error = context.sqlalchemy_exception
    if not isinstance(error, DBAPIError) or isinstance(error, IntegrityError):
        return
    message = plain_message(error.orig)
    if "locked" in message or "busy" in message:
        raise StorageError(BUSY, code="storage_busy") from error
    if "full" in message:
        raise StorageError(_FULL, code="storage_full") from error
    if getattr(error.orig, "sqlite_errorname", "").startswith(_CANNOT_WRITE):
        # A connection to a file that could not be written stays like that; later ones need not.
        context.is_disconnect = True
        raise StorageError(_NOT_WRITABLE, code="storage_not_writable") from error
    raise storage_failure(context.engine, error.orig) from None

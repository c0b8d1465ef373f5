"""The database connection: durable, concurrent SQLite, or another database by URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import create_engine

BUSY_TIMEOUT_MS = 15_000


def sqlite_engine(path: Path) -> Engine:
    """An engine for the workspace's SQLite file.

    WAL lets readers go on while one writer commits; ``synchronous=FULL`` makes a commit survive a
    power cut, which is what "saved" on the screen promises. Transactions are opened by
    ``write_transaction`` with BEGIN IMMEDIATE: a deferred one that turns to writing after another
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
            # Without it REPLACE deletes rows past the triggers that keep the log append-only.
            "recursive_triggers=ON",
            f"busy_timeout={BUSY_TIMEOUT_MS}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        mode = connection.get_execution_options().get("sqlite_begin", "DEFERRED")
        connection.exec_driver_sql(f"BEGIN {mode}")

    return engine


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """One transaction that holds the write lock from its start; commits on a clean exit."""
    with (
        engine.connect().execution_options(sqlite_begin="IMMEDIATE") as connection,
        connection.begin(),
    ):
        yield connection

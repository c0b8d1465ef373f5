"""PostgreSQL in the place of the workspace's SQLite file.

``write_transaction`` takes an advisory lock of the database before it reads anything. Whoever
appends to one attempt shares it with others, and has a lock of that attempt; whoever changes
anything else holds it alone, so that no other transaction that writes overlaps, in however many
processes. Readers are never held up; each of their transactions sees one moment.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from zlib import crc32

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Integer,
    String,
    event,
    func,
    literal,
    select,
    text,
)
from sqlalchemy.dialects.postgresql.base import PGDDLCompiler
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import create_engine

from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.annotation.extras import install_command
from pagetrail.storage.database.base import metadata
from pagetrail.storage.database.damage import storage_failure
from pagetrail.storage.database.engine import BUSY, BUSY_TIMEOUT_MS, WriterTurns, take_turns

WRITE_LOCK = 7_243_001
"""Key of the advisory lock that whoever writes holds, one per database."""
PART_LOCKS = 7_243
"""First key of the locks of single parts; the second is a hash of the part's name."""

_JOB_LOCKS = 7_244
"""First key of the locks of jobs; the second is a checksum of their kind."""
_COUNT_HOLDERS = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
    "AND classid = :jobs AND objid = :kind AND database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database())"
)

_SETTINGS = {
    "lock_timeout": BUSY_TIMEOUT_MS,
    "synchronous_commit": "on",
    # A writer whose machine is gone lets the others go on.
    "tcp_keepalives_idle": 30,
    "tcp_keepalives_interval": 10,
    "tcp_keepalives_count": 3,
}
_checks: dict[URL, Callable[[], None]] = {}
"""Called before and after each transaction of this process that writes there."""
_BUSY_STATES = ("55P03", "40001", "40P01")
_FULL_STATE = "53100"
_DAMAGED_STATES = ("XX001", "XX002")
_FULL = "The database's disk is full. Nothing was stored; free some space, then try again."
_UNREACHABLE = "The database cannot be reached. Nothing was stored; try again in a moment."


def postgresql_url(address: str) -> URL:
    """The address with psycopg as its driver.

    Raises:
        WorkspaceError: not an address of a PostgreSQL database, or psycopg is not installed.
    """
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise _unusable() from error
    if url.drivername not in ("postgresql", "postgres", "postgresql+psycopg") or not url.database:
        raise _unusable()
    _psycopg()
    return url.set(drivername="postgresql+psycopg")


def _unusable() -> WorkspaceError:
    return WorkspaceError(
        "PAGETRAIL_DATABASE_URL is not the address of a PostgreSQL database: "
        "postgresql://user:password@host/database."
    )


def postgresql_engine(url: URL) -> Engine:
    """An engine for a database whose tables are all this workspace's."""
    settings = " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())
    engine = create_engine(
        url,
        connect_args={"options": settings},
        isolation_level="REPEATABLE READ",
        pool_size=16,
        max_overflow=32,
        pool_pre_ping=True,
    )
    engine.dialect.ddl_compiler = _ColumnsAsInSqlite
    event.listen(engine, "connect", _values_as_in_sqlite)
    event.listen(engine, "handle_error", _translate)
    # READ COMMITTED: what is read after the lock was granted is what the writer before has left.
    exclusive_locks = (text(f"SELECT pg_advisory_xact_lock({WRITE_LOCK})"),)
    # In this order: who waits for a part holds nothing that whoever has the part may wait for. The
    # second needs the row that the first gives. One statement: the way there costs more than both.
    shared_locks = (
        text(
            f"WITH beside AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared({WRITE_LOCK})) "  # noqa: S608 - numbers of ours
            f"SELECT pg_advisory_xact_lock({PART_LOCKS}, hashtext(:part)) FROM beside"
        ),
    )
    write_options = {"isolation_level": "READ COMMITTED"}
    check = partial(_run_check, url)
    take_turns(engine, WriterTurns(write_options, exclusive_locks, shared_locks, check))
    return engine


def check_before_writing(engine: Engine, check: Callable[[], None] | None) -> None:
    """Have every writer of this process on the engine's database checked; None: no more."""
    if check is None:
        _checks.pop(engine.url, None)
    else:
        _checks[engine.url] = check


def _run_check(url: URL) -> None:
    if (check := _checks.get(url)) is not None:
        check()


class _ColumnsAsInSqlite(PGDDLCompiler):
    """Whole numbers have 64 bits, and text is sorted by its characters' numbers."""

    def get_column_specification(self, column: Column[Any], **options: Any) -> str:
        declared = column.type
        if isinstance(declared, Integer):
            column.type = BigInteger()
        elif isinstance(declared, String):
            column.type = type(declared)(collation="C")
        try:
            return str(super().get_column_specification(column, **options))  # type: ignore[no-untyped-call]
        finally:
            column.type = declared


def _psycopg() -> Any:
    try:
        return importlib.import_module("psycopg")
    except ImportError as error:
        raise WorkspaceError(
            "PostgreSQL needs the package psycopg. Install it with: "
            f"{install_command('postgresql')}",
            code="missing_extra",
        ) from error


def _values_as_in_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Sums are whole numbers again, and NUL, which PostgreSQL's texts cannot hold, is U+FFFD."""
    types = importlib.import_module("psycopg.types.string")
    adapt = importlib.import_module("psycopg.adapt")

    class Storable(types.StrDumper):  # type: ignore[misc, name-defined]
        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\ufffd") if "\0" in obj else obj)

    class Number(adapt.Loader):  # type: ignore[misc, name-defined]
        def load(self, data: Any) -> int | float:
            digits = bytes(data).decode("ascii")
            return int(digits) if digits.lstrip("-").isdigit() else float(digits)

    adapters: Any = connection.adapters
    adapters.register_dumper(str, Storable)
    adapters.register_loader("numeric", Number)


def _translate(context: ExceptionContext) -> None:
    """Turn the driver's errors into Pagetrail's; constraint violations pass unchanged."""
    error = context.sqlalchemy_exception
    if not isinstance(error, DBAPIError) or isinstance(error, IntegrityError):
        return
    state = getattr(error.orig, "sqlstate", None)
    if state in _BUSY_STATES:
        raise StorageError(BUSY, code="storage_busy") from error
    if state == _FULL_STATE:
        raise StorageError(_FULL, code="storage_full") from error
    if context.is_disconnect or state is None or state.startswith(("08", "57P")):
        raise StorageError(_UNREACHABLE, code="storage_gone") from error
    raise storage_failure(
        context.engine, error.orig, damaged=state.startswith(_DAMAGED_STATES)
    ) from None


def advance_sequences(connection: Connection) -> None:
    """Have new rows get ids beyond those that were copied into the tables with their ids."""
    for name, table in metadata.tables.items():
        key = table.c.get("id")
        if key is not None and isinstance(key.type, Integer):
            connection.execute(
                text(
                    "SELECT setval(pg_get_serial_sequence(:name, 'id'), "  # noqa: S608 - a table's name
                    f'coalesce(max(id), 0) + 1, false) FROM "{name}" '
                    "HAVING pg_get_serial_sequence(:name, 'id') IS NOT NULL"
                ),
                {"name": name},
            )


@dataclass(frozen=True)
class JobHold:
    """The lock of a kind of job. It ends with the connection, and so with its process."""

    connection: Connection

    def check(self) -> None:
        """Make sure that it is still held.

        Raises:
            StorageError: the connection was lost, and with it the lock.
        """
        self.connection.execute(select(1))

    def release(self) -> None:
        """Let others start such a job."""
        # Closing releases it too, but only once the database has noticed.
        with suppress(StorageError, SQLAlchemyError):
            self.connection.execute(select(func.pg_advisory_unlock_all()))
        self.connection.invalidate()
        self.connection.close()


def hold_job(engine: Engine, kind: str) -> JobHold | None:
    """The lock of a kind of job; None while another process has it."""
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    connection.detach()
    try_lock = select(func.pg_try_advisory_lock(literal(_JOB_LOCKS), literal(_job_key(kind))))
    if connection.execute(try_lock).scalar():
        return JobHold(connection)
    connection.close()
    return None


def is_held(engine: Engine, kind: str) -> bool:
    """Whether some process has the lock of such a job."""
    with engine.connect() as connection:
        return bool(
            connection.execute(
                _COUNT_HOLDERS, {"jobs": _JOB_LOCKS, "kind": _job_key(kind)}
            ).scalar()
        )


def _job_key(kind: str) -> int:
    return crc32(kind.encode()) & 0x7FFF_FFFF

"""Moving a workspace's database from its folder into PostgreSQL, and back.

One transaction on either end: nothing is written to the source meanwhile, and until all of the
target has been compared with it, the workspace is what it was. After an interruption, the same
command goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, select, update

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.location import DATABASE_NAME, ELSEWHERE_NAME, write_elsewhere
from pagetrail.storage.database.postgresql import postgresql_engine, postgresql_url
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import Workspace, migrate
from pagetrail.storage.operations.database_copy import (
    Progress,
    TableDigest,
    copy_rows,
    copy_to_file,
    digests,
)
from pagetrail.storage.operations.serve_lock import database_lock, serve_lock

_UNFINISHED = f".{DATABASE_NAME}.moving"


def move_to_postgresql(
    workspace: Workspace, address: str, clock: Clock, progress: Progress | None = None
) -> dict[str, TableDigest]:
    """Move the database into an empty PostgreSQL database. The file stays under another name.

    Returns:
        What each table holds, compared on both ends.

    Raises:
        WorkspaceError: a server holds the workspace, its database is in PostgreSQL already, or
            the database at the address is another workspace's.
        StorageError: one of the databases failed, or the copy differs; nothing has changed.
    """
    root, source = workspace.root, workspace.engine
    if source.dialect.name == "postgresql":
        raise WorkspaceError(f"The database of {root} is in PostgreSQL already.")
    target = postgresql_engine(postgresql_url(address))
    migrate(target)
    with serve_lock(root, "a move"), database_lock(target):
        with source.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        with _nobody_writes(source) as reading:
            found = _filled(reading, target, progress)
            id_ = _workspace_id(reading)
            # In this order: as long as the file has its name, it is the database.
            write_elsewhere(root, id_ or "")
            moment = re.sub(r"\D", "", iso(clock.now()))[:14]
            aside = root / f"{DATABASE_NAME}.moved-{moment}"
            (root / DATABASE_NAME).rename(aside)
    source.dispose()
    target.dispose()
    for end in ("-wal", "-shm"):  # SQLite leaves them where a file was renamed
        left = root / f"{DATABASE_NAME}{end}"
        if end == "-wal" and left.exists() and left.stat().st_size:
            left.rename(aside.with_name(aside.name + end))
        left.unlink(missing_ok=True)
    return found


def move_to_folder(
    workspace: Workspace, progress: Progress | None = None
) -> dict[str, TableDigest]:
    """Move the database from PostgreSQL into the workspace's folder; the rows there stay.

    Raises:
        WorkspaceError: a server uses the workspace or its database, or it is in the folder.
        StorageError: one of the databases failed, or the copy differs; nothing has changed.
    """
    root, source = workspace.root, workspace.engine
    if source.dialect.name == "sqlite":
        raise WorkspaceError(f"The database of {root} is in its folder already.")
    with serve_lock(root, "a move"), database_lock(source), write_transaction(source) as reading:
        unfinished = root / _UNFINISHED
        found = copy_to_file(reading, unfinished, progress)
        if workspace.files is not None:  # other folders of the workspace still name the rows there
            left = f"{_workspace_id(reading)} (moved)"
            reading.execute(update(Meta).where(Meta.key == "workspace_id").values(value=left))
        unfinished.rename(root / DATABASE_NAME)
        (root / ELSEWHERE_NAME).unlink()
    source.dispose()
    return found


def _filled(
    reading: Connection, target: Engine, progress: Progress | None
) -> dict[str, TableDigest]:
    with write_transaction(target) as writing:
        there = _workspace_id(writing)
        if there is None:
            return copy_rows(reading, writing, progress)
        if there == _workspace_id(reading):
            found = digests(writing)
            if found == digests(reading):  # a move was interrupted when all had been copied
                return found
        raise WorkspaceError(
            "The database has a workspace already, or an older state of this one. Choose an empty "
            "database."
        )


@contextmanager
def _nobody_writes(source: Engine) -> Iterator[Connection]:
    """The lock of SQLite's writer. Whoever waits for it finds the file gone, and says so."""
    with (
        source.connect().execution_options(sqlite_begin="IMMEDIATE") as connection,
        connection.begin(),
    ):
        yield connection


def _workspace_id(connection: Connection) -> str | None:
    found = connection.execute(select(Meta.value).where(Meta.key == "workspace_id"))
    return found.scalar()

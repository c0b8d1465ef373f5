"""Moves a workspace's database from its folder into PostgreSQL, and back.

Each database is changed in one transaction: nothing is written to the source meanwhile, and the
workspace stays unchanged until the whole target has been compared with it. After an interruption,
run the command again.
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
from pagetrail.storage.maintenance.database_copy import (
    Progress,
    TableDigest,
    copy_rows,
    copy_to_file,
    digests,
)
from pagetrail.storage.maintenance.serve_lock import database_lock, serve_lock

_UNFINISHED = f".{DATABASE_NAME}.moving"


def move_to_postgresql(
    workspace: Workspace, address: str, clock: Clock, progress: Progress | None = None
) -> dict[str, TableDigest]:
    """Move the database into an empty PostgreSQL database. The file is kept under another name.

    Returns:
        The digest of each table, equal in both databases.

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
        with _exclusive_write_lock(source) as connection:
            copied = _fill(connection, target, progress)
            id_ = _workspace_id(connection)
            # In this order: while the file has its name, it is the database.
            write_elsewhere(root, id_ or "")
            timestamp = re.sub(r"\D", "", iso(clock.now()))[:14]
            moved_file = root / f"{DATABASE_NAME}.moved-{timestamp}"
            (root / DATABASE_NAME).rename(moved_file)
    source.dispose()
    target.dispose()
    for suffix in ("-wal", "-shm"):  # SQLite does not rename them with the database
        file = root / f"{DATABASE_NAME}{suffix}"
        if suffix == "-wal" and file.exists() and file.stat().st_size:
            file.rename(moved_file.with_name(moved_file.name + suffix))
        file.unlink(missing_ok=True)
    return copied


def move_to_folder(
    workspace: Workspace, progress: Progress | None = None
) -> dict[str, TableDigest]:
    """Move the database from PostgreSQL into the workspace's folder; its rows are kept there.

    Raises:
        WorkspaceError: a server uses the workspace or its database, or it is in the folder.
        StorageError: one of the databases failed, or the copy differs; nothing has changed.
    """
    root, source = workspace.root, workspace.engine
    if source.dialect.name == "sqlite":
        raise WorkspaceError(f"The database of {root} is in its folder already.")
    with serve_lock(root, "a move"), database_lock(source), write_transaction(source) as connection:
        unfinished = root / _UNFINISHED
        copied = copy_to_file(connection, unfinished, progress)
        if workspace.files is not None:  # other folders of the workspace still use those rows
            moved_id = f"{_workspace_id(connection)} (moved)"
            connection.execute(
                update(Meta).where(Meta.key == "workspace_id").values(value=moved_id)
            )
        unfinished.rename(root / DATABASE_NAME)
        (root / ELSEWHERE_NAME).unlink()
    source.dispose()
    return copied


def _fill(source: Connection, target: Engine, progress: Progress | None) -> dict[str, TableDigest]:
    with write_transaction(target) as connection:
        target_id = _workspace_id(connection)
        if target_id is None:
            return copy_rows(source, connection, progress)
        if target_id == _workspace_id(source):
            copied = digests(connection)
            if copied == digests(source):  # a move was interrupted after the copy
                return copied
        raise WorkspaceError(
            "The database has a workspace already, or an older state of this one. Choose an empty "
            "database."
        )


@contextmanager
def _exclusive_write_lock(source: Engine) -> Iterator[Connection]:
    """Hold SQLite's write lock. Whoever waits for it gets an error that the file is gone."""
    with (
        source.connect().execution_options(sqlite_begin="IMMEDIATE") as connection,
        connection.begin(),
    ):
        yield connection


def _workspace_id(connection: Connection) -> str | None:
    query = select(Meta.value).where(Meta.key == "workspace_id")
    return connection.execute(query).scalar()

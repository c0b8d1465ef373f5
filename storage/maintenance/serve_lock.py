"""The lock that servers hold on a workspace while they run; the system releases it at their end.

With SQLite only one server can hold it; with PostgreSQL several can, on one folder.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.storage.database.served import SERVE_FILE, SERVE_LOCK
from pagetrail.storage.database.workspace import Workspace, migrate
from pagetrail.storage.maintenance.shared_hold import shared_hold


@contextmanager
def server_lock(workspace: Workspace, purpose: str) -> Iterator[None]:
    """Hold a workspace for a server.

    Args:
        purpose: see ``serve_lock``.

    Raises:
        WorkspaceError: another server or command holds it exclusively, or a newer version has
            upgraded the workspace meanwhile.
    """
    is_shared = workspace.engine.dialect.name == "postgresql"
    with (
        serve_lock(workspace.root, purpose, shared=is_shared),
        shared_hold(workspace) if is_shared else nullcontext(),
    ):
        migrate(workspace.engine)  # refuses a schema of a newer version that held it before
        yield


@contextmanager
def serve_lock(workspace: Path, purpose: str, *, shared: bool = False) -> Iterator[None]:
    """Hold the workspace for a server, or for work that excludes servers; kill -9 releases it.

    Args:
        purpose: the holder, for messages to others ("a server on port 8501").
        shared: whether others that share it can hold it as well.

    Raises:
        WorkspaceError: another process on this machine holds it.
    """
    with (workspace / SERVE_FILE).open("a+", encoding="utf-8") as file:
        try:
            mode = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
            fcntl.flock(file, mode | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WorkspaceError(
                f"{workspace} is in use by {_holder(workspace)}. Stop it first, then try again.",
                code="workspace_in_use",
            ) from None
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "purpose": purpose}))
        file.flush()
        yield


@contextmanager
def database_lock(engine: Engine) -> Iterator[None]:
    """Hold a PostgreSQL database exclusively; the lock ends with the process.

    SQLite needs none: its file is in the folder that ``serve_lock`` holds.

    Raises:
        WorkspaceError: a server on this or another machine holds it.
    """
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.detach()  # closed at the end: the pool must not keep the lock
        lock = select(func.pg_try_advisory_lock(SERVE_LOCK))
        if not connection.execute(lock).scalar():
            raise WorkspaceError(
                "The database is in use by another server. Stop it first, then try again.",
                code="workspace_in_use",
            )
        try:
            yield
        finally:
            # Closing releases it too, but only once the database has noticed.
            with suppress(StorageError, SQLAlchemyError):
                connection.execute(select(func.pg_advisory_unlock(SERVE_LOCK)))


def _holder(workspace: Path) -> str:
    try:
        holder = json.loads((workspace / SERVE_FILE).read_text(encoding="utf-8"))
        return f"{holder['purpose']} (process {holder['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"

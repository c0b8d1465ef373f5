"""One server per workspace: a lock held while it runs, released by the system when it ends."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, func, select

from pagetrail.annotation.errors import WorkspaceError

FILE = "serve.lock"
SERVE_LOCK = 7_243_002
"""Key of PostgreSQL's advisory lock that a server holds."""


@contextmanager
def serve_lock(workspace: Path, purpose: str) -> Iterator[None]:
    """Hold the workspace for a server or for work that no server may see; kill -9 releases it.

    Args:
        purpose: what holds it, for the message of whoever finds it taken ("a server on port 8501").

    Raises:
        WorkspaceError: another process on this machine holds it.
    """
    with (workspace / FILE).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
    """Hold a PostgreSQL database for one server; it releases the lock when the process ends.

    SQLite's needs none: its file is in the folder that ``serve_lock`` holds.

    Raises:
        WorkspaceError: a server on this or another machine holds it.
    """
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.detach()  # closed in the end, which releases the lock
        taken = select(func.pg_try_advisory_lock(SERVE_LOCK))
        if not connection.execute(taken).scalar():
            raise WorkspaceError(
                "The database is in use by another server. Stop it first, then try again.",
                code="workspace_in_use",
            )
        yield


def _holder(workspace: Path) -> str:
    try:
        found = json.loads((workspace / FILE).read_text(encoding="utf-8"))
        return f"{found['purpose']} (process {found['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"

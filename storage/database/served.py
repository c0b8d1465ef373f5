"""The lock that running servers of a workspace hold, and whether one holds it.

With SQLite it is a file in the folder, with PostgreSQL a lock of the database; the system releases
either when the process ends (``storage.maintenance.serve_lock`` and ``shared_hold``).
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, func, select

SERVE_LOCK = 7_243_002
"""Key of PostgreSQL's advisory lock that servers hold."""
SERVE_FILE = "serve.lock"
"""The file in the folder that one server holds, or several share."""


@contextmanager
def no_server(connection: Connection) -> Iterator[bool]:
    """Keep servers from starting until the block, and the connection's transaction, have ended.

    Yields:
        False if one is running, in any process; nothing is locked then.
    """
    if connection.dialect.name == "postgresql":
        try_lock = select(func.pg_try_advisory_xact_lock(SERVE_LOCK))
        yield bool(connection.execute(try_lock).scalar())
        return
    file = Path(str(connection.engine.url.database)).parent / SERVE_FILE
    if not file.exists():
        yield True
        return
    with file.open("rb") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True

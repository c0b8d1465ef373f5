"""What spares every test some work: cheap password hashes, and databases copied, not migrated.

Processes that a test starts take no shortcut: commands and servers hash and migrate as installed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from argon2 import PasswordHasher
from sqlalchemy import Engine

from pagetrail.storage.database import workspace
from pagetrail.storage.database.engine import sqlite_engine
from pagetrail.storage.people import credentials

CHEAP_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PRODUCT_HASHER = credentials.HASHER
_migrate = workspace._migrate


def take_shortcuts() -> None:
    """For the rest of the process."""
    credentials.HASHER = CHEAP_HASHER
    workspace._migrate = _copied_or_migrated


def _copied_or_migrated(engine: Engine) -> None:
    path = Path(str(engine.url.database))
    if path.exists():
        _migrate(engine)
    else:
        path.write_bytes(_new_database())


@cache
def _new_database() -> bytes:
    """What the migrations make of nothing."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "new.sqlite3"
        engine = sqlite_engine(path)
        _migrate(engine)
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        engine.dispose()
        return path.read_bytes()

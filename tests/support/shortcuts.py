"""What spares every test some work: cheap hashes, copied databases, one look at installed packages,
forked worker processes, and pseudonyms that can be written into a test.

Commands and servers that a test starts hash and migrate as installed.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from argon2 import PasswordHasher
from sqlalchemy import Engine
from streamlit.components.v2 import manifest_scanner

from pagetrail.storage.database import workspace
from pagetrail.storage.database.engine import sqlite_engine
from pagetrail.storage.people import accounts, credentials
from tests.support.forked_workers import fork_workers

CHEAP_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PRODUCT_HASHER = credentials.HASHER
_migrate = workspace.migrate
PRODUCT_PSEUDONYM = accounts.new_pseudonym


def take_shortcuts() -> None:
    """For the rest of the process."""
    credentials.HASHER = CHEAP_HASHER
    workspace.migrate = _copied_or_migrated
    accounts.new_pseudonym = numbered_pseudonym
    scan_packages_once()
    fork_workers()


def numbered_pseudonym(taken: Collection[str], role: str) -> str:
    """annotator-01, annotator-02 …"""
    return next(made for n in count(1) if (made := f"{role}-{n:02d}") not in taken)


def scan_packages_once() -> None:
    """Streamlit reads the metadata of all packages for each app: a third of a second each time."""
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def _copied_or_migrated(engine: Engine) -> None:
    path = Path(str(engine.url.database))
    if engine.dialect.name != "sqlite" or path.exists():
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

"""What spares every test some work: cheap hashes, copied databases, one look at installed packages.

Commands and servers that a test starts hash and migrate as installed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from argon2 import PasswordHasher
from sqlalchemy import Engine
from streamlit.components.v2 import manifest_scanner

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
    scan_packages_once()


def scan_packages_once() -> None:
    """Streamlit reads the metadata of all packages for each app: a third of a second each time."""
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


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

"""A copy of the SQLite database as it was before its schema was last upgraded.

It is a workspace's database for the version that wrote it. Whoever upgrades a database in
PostgreSQL dumps it before, as ``docs/operations.md`` says.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Engine

from pagetrail.annotation.errors import StorageError

COPY_NAME = "before-upgrade.sqlite3"
_log = logging.getLogger(__name__)


def keep_copy(engine: Engine, schema: str) -> None:
    """Copy the database next to itself, replacing an earlier copy once this one is complete.

    Other processes may read meanwhile; the caller keeps them from writing.

    Raises:
        StorageError: it could not be copied, for want of space for instance.
    """
    if engine.dialect.name != "sqlite":
        _log.warning("upgrading the database from schema %s", schema)
        return
    database, copy = Path(str(engine.url.database)), copy_path(engine)
    unfinished = copy.with_suffix(".part")
    _log.warning(
        "upgrading the database from schema %s; %s is a copy of it as it was", schema, copy
    )
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(mode=0o600)
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("VACUUM INTO ?", [str(unfinished)])
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.replace(copy)
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise StorageError(
            f"The database could not be copied to {copy} before its upgrade: {error}. Nothing was "
            "changed. If the disk is full, free as much space as the database takes twice."
        ) from error


def remove_copy(engine: Engine) -> None:
    """Remove the copy, which has the names of people as they were."""
    if engine.dialect.name == "sqlite":
        copy_path(engine).unlink(missing_ok=True)


def copy_path(engine: Engine) -> Path:
    """Where the copy is, next to the SQLite database."""
    return Path(str(engine.url.database)).with_name(COPY_NAME)

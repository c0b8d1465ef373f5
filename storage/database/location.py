"""Where a workspace's database is: in its folder, or in PostgreSQL at ``PAGETRAIL_DATABASE_URL``.

The folder says which. It has the SQLite file, or in its place a small file that says which
workspace the database must have. The address is never written there: it may have a password.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from sqlalchemy import Engine, make_url

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.storage.database.engine import sqlite_engine
from pagetrail.storage.database.postgresql import postgresql_engine, postgresql_url

DATABASE_NAME = "pagetrail.sqlite3"
ELSEWHERE_NAME = "database.json"
DATABASE_URL = "PAGETRAIL_DATABASE_URL"


def is_workspace(root: Path) -> bool:
    """Whether the folder is a workspace, wherever its database is."""
    return (root / DATABASE_NAME).exists() or (root / ELSEWHERE_NAME).exists()


def address_wanted() -> str | None:
    """The address of the database that the environment names, if it names one."""
    return os.environ.get(DATABASE_URL) or None


def require_no_own_database(root: Path) -> None:
    """Refuse to serve from the folder's database when another was named.

    Raises:
        WorkspaceError: it has one.
    """
    if address_wanted() is not None and (root / DATABASE_NAME).is_file():
        raise WorkspaceError(
            f"{root} has its own database, but {DATABASE_URL} names another. Unset it, or move the "
            f"workspace there: pagetrail move {root} --to URL"
        )


def new_engine(root: Path, address: str | None) -> Engine:
    """The engine of a workspace that is being made, at the address or else in its folder."""
    if address is None:
        return sqlite_engine(root / DATABASE_NAME)
    return postgresql_engine(postgresql_url(address))


def existing_engine(root: Path) -> Engine:
    """The engine of a workspace that exists.

    Raises:
        WorkspaceError: there is no workspace, its database is an empty file, or nothing says where
            it is.
    """
    path = root / DATABASE_NAME
    if path.is_file():
        if not path.stat().st_size:  # SQLite would delete the log beside it
            raise lost_database(str(path))
        return sqlite_engine(path)
    if path.with_name(f"{DATABASE_NAME}-wal").exists():
        raise lost_database(str(path))
    if not (root / ELSEWHERE_NAME).is_file():
        raise WorkspaceError(
            f"{root} is not a workspace: it has no {DATABASE_NAME}. "
            f"Make one with: pagetrail init {root}"
        )
    address = address_wanted()
    if address is None:
        raise WorkspaceError(
            f"The database of {root} is in PostgreSQL. Set {DATABASE_URL} to its address."
        )
    return postgresql_engine(postgresql_url(address))


def lost_database(name: str) -> WorkspaceError:
    """The error to raise for a database that has no table of Pagetrail's.

    Args:
        name: its path, or what names it.
    """
    return WorkspaceError(
        f"{name} is missing, empty, or no database of Pagetrail: it is damaged, or another file "
        "has taken its place. Nothing was created or changed. Copy the folder away, with the log "
        f"({DATABASE_NAME}-wal) if it is there. Then put the database back from a snapshot of the "
        "disk, or restore a backup into a new folder: pagetrail restore BACKUP FOLDER. If this is "
        "what an interrupted `pagetrail init` left, delete the folder.",
        code="storage_damaged",
    )


def engine_at(address: str) -> Engine:
    """An engine for the database of another: ``address_of`` its engine."""
    url = make_url(address)
    if url.drivername.startswith("postgresql"):
        return postgresql_engine(url)
    return sqlite_engine(Path(url.database or ""))


def address_of(engine: Engine) -> str:
    """What a worker process opens the same database with. It may have a password: never shown."""
    return engine.url.render_as_string(hide_password=False)


def write_elsewhere(root: Path, workspace_id: str) -> None:
    """Say in the folder that its database is in PostgreSQL."""
    contents = {"engine": "postgresql", "workspace_id": workspace_id}
    unfinished = root / f".{ELSEWHERE_NAME}.partial"
    unfinished.write_text(json.dumps(contents) + "\n", encoding="utf-8")
    unfinished.replace(root / ELSEWHERE_NAME)


def require_same(root: Path, workspace_id: str | None) -> None:
    """Refuse the database of another workspace.

    Raises:
        WorkspaceError: it is another's, or the folder's file cannot be read.
    """
    try:
        stored_id = json.loads((root / ELSEWHERE_NAME).read_text(encoding="utf-8"))["workspace_id"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkspaceError(f"{root / ELSEWHERE_NAME} cannot be read.") from error
    if stored_id != workspace_id:
        raise WorkspaceError(
            f"The database that {DATABASE_URL} names is not the one of {root}. Nothing was changed."
        )

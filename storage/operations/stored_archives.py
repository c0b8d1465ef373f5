"""Archives of exports in the bucket, by name: stored whole, then named in the database."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, select

from pagetrail.annotation.errors import NotFoundError, StorageError
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import META
from pagetrail.storage.database.workspace import Workspace

ARCHIVE_KEYS = "export/"
"""How the keys of archives in ``meta`` begin; the name follows."""


def stored_archives(workspace: Workspace) -> dict[str, dict[str, Any]]:
    """What was said of each archive when it was stored, by name; none without a bucket."""
    if workspace.files is None:
        return {}
    with workspace.engine.connect() as connection:
        return {name: said["facts"] for name, said in _rows(connection).items()}


def store_archive(workspace: Workspace, name: str, archive: Path, facts: Mapping[str, Any]) -> None:
    """Put an archive into the bucket; it takes the place of the one of the same name.

    Args:
        facts: what JSON can hold.

    Raises:
        StorageError: the bucket or the database does not take it; the earlier one is as it was.
        WorkspaceError: the bucket is another workspace's.
    """
    assert workspace.files is not None
    with archive.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    workspace.files.put(archive, _object(sha256))
    text = json.dumps({"sha256": sha256, "facts": dict(facts)})
    with write_transaction(workspace.engine) as connection:
        before = _rows(connection).get(name)
        row = insert_into(connection, META).values(key=ARCHIVE_KEYS + name, value=text)
        connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": text}))
    _remove_unless_used(workspace, before)


def fetch_archive(workspace: Workspace, name: str, target: Path) -> None:
    """Write the archive of that name to a file.

    Raises:
        NotFoundError: there is none.
        CorpusError: it is missing in the bucket, or damaged there.
        StorageError: the bucket does not answer.
    """
    with workspace.engine.connect() as connection:
        found = _rows(connection).get(name)
    if workspace.files is None or found is None:
        raise NotFoundError(f"There is no export {name!r} any more.")
    workspace.files.fetch(_object(found["sha256"]), found["sha256"], target)


def remove_archive(workspace: Workspace, name: str) -> bool:
    """Forget the archive of that name; returns whether there was one.

    What a bucket that does not answer keeps is named by nothing, and may be deleted there.
    """
    if workspace.files is None:
        return False
    with write_transaction(workspace.engine) as connection:
        before = _rows(connection).get(name)
        connection.execute(delete(META).where(META.c.key == ARCHIVE_KEYS + name))
    _remove_unless_used(workspace, before)
    return before is not None


def archive_objects(workspace: Workspace) -> dict[str, str]:
    """The hash of each archive by its key in the bucket."""
    with workspace.engine.connect() as connection:
        hashes = [said["sha256"] for said in _rows(connection).values()]
    return {_object(sha256): sha256 for sha256 in hashes}


def _remove_unless_used(workspace: Workspace, before: Mapping[str, Any] | None) -> None:
    if workspace.files is None or before is None:
        return
    key = _object(before["sha256"])
    if key not in archive_objects(workspace):  # the same export again has the same bytes
        with suppress(StorageError):
            workspace.files.remove(key)


def _rows(connection: Connection) -> dict[str, dict[str, Any]]:
    rows = connection.execute(
        select(META.c.key, META.c.value).where(META.c.key.startswith(ARCHIVE_KEYS))
    )
    return {row.key[len(ARCHIVE_KEYS) :]: json.loads(row.value) for row in rows}


def _object(sha256: str) -> str:
    return f"exports/{sha256}.zip"

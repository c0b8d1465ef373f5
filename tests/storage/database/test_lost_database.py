"""A workspace whose database file is empty, gone, or another program's."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _of_another_program(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE accounts (name TEXT)")
    connection.close()


def _sizes(folder: Path) -> dict[str, int]:
    """Of all files, but for the memory in which SQLite's readers share their locks."""
    files = {str(file): file.stat().st_size for file in sorted(folder.rglob("*"))}
    return {path: size for path, size in files.items() if not path.endswith("-shm")}


@pytest.mark.parametrize("lose", [_emptied, Path.unlink, _of_another_program])
def test_nothing_is_created_where_the_database_is_lost(
    workspace: Workspace, lose: Callable[[Path], None]
) -> None:
    """Opening refuses, says how to recover, and leaves every file, the log above all, as it was."""
    workspace.engine.dispose()
    path = workspace.root / DATABASE_NAME
    lose(path)
    path.with_name(f"{DATABASE_NAME}-wal").write_bytes(b"the log")
    (workspace.root / "cache").rmdir()
    before = _sizes(workspace.root)
    with pytest.raises(WorkspaceError, match="restore a backup") as refusal:
        Workspace.open(workspace.root)
    assert refusal.value.code == "storage_damaged"
    assert _sizes(workspace.root) == before


def test_a_failing_disk_is_named(workspace: Workspace) -> None:
    """SQLITE_IOERR, as of a file system that has turned read-only: the reason, not “failed”."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        with pytest.raises(StorageError) as failure:
            add_user(workspace, "nora", "annotator", "a long password")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert failure.value.code == "storage_not_writable"

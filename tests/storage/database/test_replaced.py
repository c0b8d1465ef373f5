"""A database file that is replaced under a running server: noticed with the next write."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import StorageError
from pagetrail.storage.database.location import DATABASE_NAME
from tests.support.factory import driver, make_workspace

Replace = Callable[[Path, Path], object]


@pytest.mark.parametrize("replace", [os.replace, shutil.copyfile], ids=["moved", "copied"])
def test_nothing_is_confirmed_after_an_older_database_took_its_place(
    tmp_path: Path, replace: Replace
) -> None:
    """Before, 300 events were acknowledged and gone at the next start."""
    workspace = make_workspace(tmp_path / "ws")
    database = workspace.root / DATABASE_NAME
    attempt = driver(workspace, "1-Ada")
    attempt.do(ev.Opened(session="tab-1"))
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("VACUUM INTO ?", (str(tmp_path / "old.sqlite3"),))
    for number in range(400):  # enough for a checkpoint into the main file
        attempt.do(ev.NoteEdited(text=f"{number} " * 500), after_s=1)
    replace(tmp_path / "old.sqlite3", database)
    with pytest.raises(StorageError, match="was replaced") as refused:
        for number in range(2):
            attempt.do(ev.NoteEdited(text=f"lost {number}"), after_s=1)
    assert refused.value.code == "storage_replaced"
    with pytest.raises(StorageError, match="was replaced"):
        attempt.do(ev.NoteEdited(text="still refused"), after_s=1)


def test_checkpoints_and_other_processes_are_no_replacement(tmp_path: Path) -> None:
    """The main file also changes where all is well."""
    workspace = make_workspace(tmp_path / "ws")
    attempt = driver(workspace, "1-Ada")
    attempt.do(ev.Opened(session="tab-1"))
    for number in range(30):
        attempt.do(ev.NoteEdited(text=f"{number} " * 500), after_s=1)
        with workspace.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert attempt.state.last_seq == 31


def test_a_folder_that_was_moved_away_and_back_is_no_replacement(tmp_path: Path) -> None:
    """Refused while it is gone, and stored again without a restart."""
    workspace = make_workspace(tmp_path / "ws")
    attempt = driver(workspace, "1-Ada")
    attempt.do(ev.Opened(session="tab-1"))
    workspace.root.rename(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="is not in its place"):
        attempt.do(ev.NoteEdited(text="refused"), after_s=1)
    (tmp_path / "elsewhere").rename(workspace.root)
    attempt.do(ev.NoteEdited(text="stored"), after_s=1)
    assert attempt.state.last_seq == 2

"""Several servers on one PostgreSQL database: what they share, and what they do when it is gone."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.location import address_wanted
from pagetrail.storage.database.served import SERVE_LOCK
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance import shared_hold as module
from pagetrail.storage.maintenance.move import move_to_folder
from pagetrail.storage.maintenance.serve_lock import server_lock
from pagetrail.storage.maintenance.shared_hold import epoch_of, shared_hold

on_postgresql = pytest.mark.parametrize("workspace", ["postgresql"], indirect=True)
_END_HOLDERS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' "
    f"AND objid = {SERVE_LOCK} AND database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database())"
)


@on_postgresql
def test_servers_share_a_database_and_its_folder(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second server is let in, from another folder it is not, and a move wants all to end."""
    monkeypatch.setattr(module, "_WAIT_S", 0.0)
    copy = tmp_path / "copy"
    with server_lock(workspace, "a server"):
        shutil.copytree(workspace.root, copy)
        first = epoch_of(workspace)
        with server_lock(Workspace.open(workspace.root), "a second server"):
            assert epoch_of(workspace) == first
            with pytest.raises(WorkspaceError, match="in use"):
                move_to_folder(workspace)
    with server_lock(workspace, "a later server"):
        assert epoch_of(workspace) != first
        with (
            pytest.raises(WorkspaceError, match="another folder"),
            server_lock(Workspace.open(copy), "a server of a copy"),
        ):
            pass


@on_postgresql
def test_nothing_is_stored_while_the_lock_is_lost(workspace: Workspace) -> None:
    """The connection that has it is ended; it is taken again by itself."""
    with shared_hold(workspace, interval_s=0.3) as hold:
        other = create_engine(address_wanted().replace("postgresql:", "postgresql+psycopg:"))  # type: ignore[union-attr]
        with other.connect() as connection:
            assert connection.execute(_END_HOLDERS).all()
        other.dispose()
        _wait(lambda: hold.times_lost == 1)
        _wait(lambda: hold.is_held)
        with write_transaction(workspace.engine):
            pass
        hold.release()
        with pytest.raises(StorageError, match="was lost"), write_transaction(workspace.engine):
            pass


def _wait(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.01)

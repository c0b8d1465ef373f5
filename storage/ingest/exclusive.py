"""The lock under which documents are added, replaced, removed or moved: one process at a time."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagetrail.annotation.errors import ConflictError, WorkspaceError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.postgresql import hold_job
from pagetrail.storage.database.workspace import Workspace

_LOCK_NAME = "changing the corpus"


@contextmanager
def exclusive_ingest(workspace: Workspace) -> Iterator[Path]:
    """Hold the workspace's ingest lock; yields the empty folder for incoming copies."""
    incoming = workspace.corpus_dir / "incoming"
    with (workspace.root / "ingest.lock").open("w") as lock, _database_lock(workspace):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ConflictError(
                gettext(
                    "Another ingest is running on {root}. Wait until it has finished.",
                    root=workspace.root,
                )
            ) from error
        shutil.rmtree(incoming, ignore_errors=True)
        try:
            incoming.mkdir(parents=True)
        except OSError as error:
            raise WorkspaceError(
                gettext(
                    "{corpus_dir} cannot be written: {strerror}.",
                    corpus_dir=workspace.corpus_dir,
                    strerror=error.strerror,
                )
            ) from error
        try:
            yield incoming
        finally:
            shutil.rmtree(incoming, ignore_errors=True)


@contextmanager
def _database_lock(workspace: Workspace) -> Iterator[None]:
    """The same lock in a PostgreSQL database, for servers with other folders."""
    if workspace.engine.dialect.name != "postgresql":
        yield
        return
    if (hold := hold_job(workspace.engine, _LOCK_NAME)) is None:
        raise ConflictError(
            gettext(
                "Another ingest is running on this workspace's database. Wait until it "
                "has finished."
            )
        )
    try:
        yield
    finally:
        hold.release()

"""Making the practice workspace; runs in a worker process, since documents are read."""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.app.practice.campaigns import add_preset_campaign
from pagetrail.app.practice.tasks import (
    EDITION_FILE,
    practice_documents,
    practice_edition,
    practice_tasks,
)
from pagetrail.app.services.practice import practice_folder
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.search.store import ensure_index


def build_practice(workspace: Workspace) -> None:
    """Make the practice workspace of ``workspace``; one of another edition is replaced.

    Several servers may want it at once: one makes it, the others wait.

    Raises:
        WorkspaceError: the shipped material cannot be read.
    """
    folder = practice_folder(workspace.root)
    with folder.with_name(f".{folder.name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        edition = folder / EDITION_FILE
        if edition.is_file() and edition.read_text(encoding="utf-8") == practice_edition():
            return
        _build(workspace, folder)


def _build(workspace: Workspace, folder: Path) -> None:
    building = folder.with_name(f".{folder.name}.building")
    shutil.rmtree(building, ignore_errors=True)
    made = Workspace.create(building)
    try:
        report = ingest(made, practice_documents(), ocr="never", workers=1)
        if report.failed:
            raise WorkspaceError(f"The practice documents failed: {report.failed[0].reason}")
        for name in practice_tasks():
            add_preset_campaign(made, name)
        (building / EDITION_FILE).write_text(practice_edition(), encoding="utf-8")
        ensure_index(made)
    finally:
        made.engine.dispose()
    shutil.rmtree(folder, ignore_errors=True)
    building.rename(folder)

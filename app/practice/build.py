"""Builds the practice workspace, in a worker process because it reads documents."""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.messages import gettext
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
    """Build the practice workspace of ``workspace``, replacing one of another edition.

    Of several servers one builds it and the others wait.

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
    practice = Workspace.create(building)
    try:
        report = ingest(practice, practice_documents(), ocr="never", workers=1)
        if report.failed:
            raise WorkspaceError(
                gettext("The practice documents failed: {reason}", reason=report.failed[0].reason)
            )
        for name in practice_tasks():
            add_preset_campaign(practice, name)
        (building / EDITION_FILE).write_text(practice_edition(), encoding="utf-8")
        ensure_index(practice)
    finally:
        practice.engine.dispose()
    shutil.rmtree(folder, ignore_errors=True)
    building.rename(folder)

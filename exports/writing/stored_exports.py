"""The exports of a workspace: folders or, if the workspace has a bucket, archives in the bucket.

An export made by a server is stored as one zip archive in the bucket, where every server can list
and download it. An export made by a command stays in its folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from pagetrail.annotation.errors import OutputError
from pagetrail.exports.reading.source import LeftOut
from pagetrail.exports.writing import export_list
from pagetrail.exports.writing.export_list import FinishedExport
from pagetrail.exports.writing.output_folder import new_folder
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.stored_files import StoredFiles


def stored_exports(workspace: Workspace) -> StoredFiles:
    """The archives in the bucket."""
    return StoredFiles(workspace, "export")


def all_finished(workspace: Workspace) -> list[FinishedExport]:
    """The complete exports, newest first; those in the bucket take precedence over folders."""
    in_bucket = [_read_facts(facts) for facts in stored_exports(workspace).all().values()]
    names = {export.name for export in in_bucket}
    in_folder = [
        e for e in export_list.finished_exports(workspace.exports_dir) if e.name not in names
    ]
    return sorted([*in_bucket, *in_folder], key=lambda e: (e.written_at, e.name), reverse=True)


def store_export(workspace: Workspace, name: str) -> None:
    """Move a complete export from its folder into the bucket, if the workspace has one.

    Raises:
        NotFoundError: there is no such export.
        OutputError, StorageError, WorkspaceError: it cannot be stored; its folder stays.
    """
    if workspace.files is None:
        return
    export = export_list.find_export(workspace.exports_dir, name)
    export_facts = export_list.describe_export(export)
    with _scratch(workspace, "An export cannot be packed") as folder:
        archive = folder / "export.zip"
        export_list.zip_to(export, archive)
        facts = {**asdict(export_facts), "written_at": export_facts.written_at.isoformat()}
        stored_exports(workspace).store(name, archive, facts)
    export_list.remove_export(workspace.exports_dir, name)


def fetch_export(workspace: Workspace, name: str) -> None:
    """Unpack an export from the bucket into the exports folder, replacing one of the same name.

    Raises:
        NotFoundError: there is no such export.
        CorpusError, StorageError, OutputError: it cannot be fetched; nothing changed.
    """
    with _scratch(workspace, "An export cannot be unpacked") as folder:
        archive = folder / "export.zip"
        stored_exports(workspace).fetch(name, archive)
        with ZipFile(archive) as packed:
            packed.extractall(folder / "unpacked")
        with new_folder(workspace.exports_dir / name, overwrite=True) as target:
            shutil.copytree(folder / "unpacked" / name, target, dirs_exist_ok=True)


def write_zip(workspace: Workspace, name: str, target: Path) -> None:
    """Write a zip archive of the complete export with this name.

    Raises:
        NotFoundError: no such export.
        OutputError: the archive cannot be written.
        CorpusError, StorageError: it cannot be fetched from the bucket.
    """
    if name in (stored := stored_exports(workspace)).all():
        stored.fetch(name, target)
    else:
        export_list.zip_to(export_list.find_export(workspace.exports_dir, name), target)


def remove_export(workspace: Workspace, name: str) -> None:
    """Remove a complete export in one step.

    Raises:
        NotFoundError: no such export.
        OutputError, StorageError: it cannot be removed.
    """
    if not stored_exports(workspace).remove(name):
        export_list.remove_export(workspace.exports_dir, name)


@contextmanager
def _scratch(workspace: Workspace, complaint: str) -> Iterator[Path]:
    """A temporary folder for the block; what fails there becomes an error with this complaint."""
    try:
        with TemporaryDirectory(prefix=".export-", dir=workspace.cache_dir) as folder:
            yield Path(folder)
    except OSError as error:
        raise OutputError(f"{complaint}: {error.strerror or error}.") from error


def _read_facts(facts: dict[str, Any]) -> FinishedExport:
    left_out = tuple(LeftOut(**entry) for entry in facts["left_out"])
    written_at = datetime.fromisoformat(facts["written_at"])
    return FinishedExport(**{**facts, "left_out": left_out, "written_at": written_at})

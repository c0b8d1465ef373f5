"""Restores a workspace from a backup; every file is checked before the workspace appears."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import tarfile
from contextlib import closing, nullcontext
from pathlib import Path

from pydantic import ValidationError

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import InputFileError, WorkspaceError
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.location import DATABASE_NAME, is_workspace
from pagetrail.storage.database.private_files import FOLDER_MODE
from pagetrail.storage.database.workspace import FILES_KEY, Workspace
from pagetrail.storage.maintenance.archive import (
    MANIFEST,
    HashingFile,
    Manifest,
    Progress,
    open_private,
    sync_folder,
)
from pagetrail.storage.maintenance.scratch import scratch_folder
from pagetrail.storage.maintenance.serve_lock import serve_lock
from pagetrail.storage.maintenance.stored_files import SUFFIXES
from pagetrail.storage.search.generations import GENERATION_KEY

_MAX_MANIFEST_BYTES = 256 * 1024 * 1024
_CHUNK_BYTES = 1024 * 1024


def restore(
    source: Path,
    folder: Path,
    clock: Clock,
    *,
    replace: bool = False,
    progress: Progress | None = None,
) -> Manifest:
    """Restore a workspace from a backup. The folder appears when it is complete.

    Every file is checked against the manifest, and the database by SQLite itself.

    Args:
        folder: new or empty; or with ``replace`` a workspace that no server holds, which is then
            moved to ``<folder>.before-restore-<time>``.

    Raises:
        InputFileError: not a backup, or a damaged one; the folder is unchanged.
        WorkspaceError: the folder is not empty, a server holds it, or it cannot be written.
    """
    replaces = is_workspace(folder)
    if replaces and not replace:
        raise WorkspaceError(
            f"{folder} is a workspace. Restore into a new folder, or with --replace, which moves "
            "this one aside."
        )
    if not replaces and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WorkspaceError(f"{folder} is not an empty folder. Choose a new or empty one.")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with (
            serve_lock(folder, "a restore") if replaces else nullcontext(),
            scratch_folder(folder.parent, ".restore-") as unfinished,
        ):
            new_folder = unfinished / "workspace"
            new_folder.mkdir(mode=FOLDER_MODE)
            manifest = _extract(source, new_folder, progress)
            _check_database(new_folder / DATABASE_NAME, source)
            _remove_bucket_keys(new_folder / DATABASE_NAME)
            # Opened before it gets its name, so that an older backup arrives migrated.
            Workspace.open(new_folder).engine.dispose()
            if replaces:
                timestamp = re.sub(r"\D", "", iso(clock.now()))[:14]
                folder.rename(folder.with_name(f"{folder.name}.before-restore-{timestamp}"))
            elif folder.exists():
                folder.rmdir()
            new_folder.rename(folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise WorkspaceError(f"{folder} could not be written: {error}") from error
    return manifest


def _extract(source: Path, folder: Path, progress: Progress | None) -> Manifest:
    """Write exactly the members that the manifest names."""
    (folder / "corpus").mkdir(mode=FOLDER_MODE)
    try:
        with tarfile.open(source, mode="r:") as archive:
            manifest = _manifest(archive, source)
            bytes_done = 0
            for expected in manifest.files:
                member = archive.next()
                if member is None or member.name != expected.path or not member.isreg():
                    raise _damaged(source, f"{expected.path} is missing")
                content = archive.extractfile(member)
                if content is None or member.size != expected.size:
                    raise _damaged(
                        source, f"{expected.path} has another size than its manifest says"
                    )
                with content, open(folder / expected.path, "xb", opener=open_private) as file:
                    hashed = HashingFile(file)
                    shutil.copyfileobj(content, hashed, _CHUNK_BYTES)
                    file.flush()
                    os.fsync(file.fileno())
                if hashed.hexdigest() != expected.sha256:
                    raise _damaged(source, f"{expected.path} differs from its manifest's hash")
                bytes_done += expected.size
                if progress is not None:
                    progress(bytes_done, manifest.size)
    except (tarfile.TarError, EOFError) as error:
        raise _damaged(source, f"it cannot be read as a tar archive ({error})") from error
    except FileNotFoundError as error:
        raise InputFileError(f"{source} does not exist.") from error
    return manifest


def _manifest(archive: tarfile.TarFile, source: Path) -> Manifest:
    member = archive.next()
    content = archive.extractfile(member) if member is not None and member.isreg() else None
    if member is None or content is None or member.name != MANIFEST:
        raise InputFileError(f"{source} is not a backup: it does not begin with {MANIFEST}.")
    if member.size > _MAX_MANIFEST_BYTES:
        raise _damaged(source, f"{MANIFEST} is too large")
    try:
        manifest = Manifest.model_validate(json.loads(content.read()))
    except (ValidationError, ValueError) as error:
        raise InputFileError(
            f"{source} is not a backup that this version of Pagetrail reads: {MANIFEST} is not "
            "valid. A newer version may have written it."
        ) from error
    paths = [file.path for file in manifest.files]
    if len(set(paths)) != len(paths) or DATABASE_NAME not in paths:
        raise _damaged(source, f"{MANIFEST} names no database, or a file twice")
    return manifest


def _damaged(source: Path, problem: str) -> InputFileError:
    return InputFileError(
        f"{source} is damaged: {problem}. Nothing was restored; use another backup."
    )


def _remove_bucket_keys(path: Path) -> None:
    """The backup has all files, and the bucket belongs to the original workspace."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for pattern in (FILES_KEY, GENERATION_KEY, *(f"{kind}/%" for kind in SUFFIXES)):
            connection.execute("DELETE FROM meta WHERE key LIKE ?", (pattern,))


def _check_database(path: Path, source: Path) -> None:
    try:
        with closing(sqlite3.connect(path)) as connection:
            outcome = connection.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as error:
        outcome = str(error)
    if outcome != "ok":
        raise _damaged(source, f"SQLite says of its database: {outcome}")

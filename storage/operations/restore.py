"""Making a workspace from a backup: every file checked before the workspace appears."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import tarfile
from contextlib import closing, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import ValidationError

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import InputFileError, WorkspaceError
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.location import DATABASE_NAME, is_workspace
from pagetrail.storage.database.private_files import FOLDER_MODE
from pagetrail.storage.database.workspace import FILES_KEY, Workspace
from pagetrail.storage.operations.archive import (
    MANIFEST,
    Hashed,
    Manifest,
    Progress,
    open_private,
    sync_folder,
)
from pagetrail.storage.operations.serve_lock import serve_lock
from pagetrail.storage.operations.stored_files import SUFFIXES
from pagetrail.storage.search.generations import GENERATION_KEY

_MAX_MANIFEST = 256 * 1024 * 1024
_CHUNK = 1024 * 1024


def restore(
    source: Path,
    folder: Path,
    clock: Clock,
    *,
    replace: bool = False,
    progress: Progress | None = None,
) -> Manifest:
    """Make a workspace from a backup. The folder appears when it is complete.

    Every file is checked against the manifest, and the database by SQLite itself.

    Args:
        folder: new or empty; or with ``replace`` a workspace that no server holds, which is then
            moved to ``<folder>.before-restore-<time>``.

    Raises:
        InputFileError: not a backup, or a damaged one; the folder is as it was.
        WorkspaceError: the folder holds something, a server holds it, or it cannot be written.
    """
    workspace = is_workspace(folder)
    if workspace and not replace:
        raise WorkspaceError(
            f"{folder} is a workspace. Restore into a new folder, or with --replace, which moves "
            "this one aside."
        )
    if not workspace and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WorkspaceError(f"{folder} is not an empty folder. Choose a new or empty one.")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with (
            serve_lock(folder, "a restore") if workspace else nullcontext(),
            TemporaryDirectory(prefix=".restore-", dir=folder.parent) as unfinished,
        ):
            made = Path(unfinished) / "workspace"
            made.mkdir(mode=FOLDER_MODE)
            manifest = _extract(source, made, progress)
            _check_database(made / DATABASE_NAME, source)
            _forget_bucket(made / DATABASE_NAME)
            # Opened before it gets its name, so that an older backup arrives migrated.
            Workspace.open(made).engine.dispose()
            if workspace:
                moment = re.sub(r"\D", "", iso(clock.now()))[:14]
                folder.rename(folder.with_name(f"{folder.name}.before-restore-{moment}"))
            elif folder.exists():
                folder.rmdir()
            made.rename(folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise WorkspaceError(f"{folder} could not be written: {error}") from error
    return manifest


def _extract(source: Path, folder: Path, progress: Progress | None) -> Manifest:
    """Write the members that the manifest names, and nothing else."""
    (folder / "corpus").mkdir(mode=FOLDER_MODE)
    try:
        with tarfile.open(source, mode="r:") as archive:
            manifest = _manifest(archive, source)
            done = 0
            for wanted in manifest.files:
                member = archive.next()
                if member is None or member.name != wanted.path or not member.isreg():
                    raise _damaged(source, f"{wanted.path} is missing")
                reading = archive.extractfile(member)
                if reading is None or member.size != wanted.size:
                    raise _damaged(source, f"{wanted.path} has another size than its manifest says")
                with reading, open(folder / wanted.path, "xb", opener=open_private) as file:
                    hashed = Hashed(file)
                    shutil.copyfileobj(reading, hashed, _CHUNK)
                    file.flush()
                    os.fsync(file.fileno())
                if hashed.hexdigest() != wanted.sha256:
                    raise _damaged(source, f"{wanted.path} differs from its manifest's hash")
                done += wanted.size
                if progress is not None:
                    progress(done, manifest.size)
    except (tarfile.TarError, EOFError) as error:
        raise _damaged(source, f"it cannot be read as a tar archive ({error})") from error
    except FileNotFoundError as error:
        raise InputFileError(f"{source} does not exist.") from error
    return manifest


def _manifest(archive: tarfile.TarFile, source: Path) -> Manifest:
    member = archive.next()
    reading = archive.extractfile(member) if member is not None and member.isreg() else None
    if member is None or reading is None or member.name != MANIFEST:
        raise InputFileError(f"{source} is not a backup: it does not begin with {MANIFEST}.")
    if member.size > _MAX_MANIFEST:
        raise _damaged(source, f"{MANIFEST} is too large")
    try:
        manifest = Manifest.model_validate(json.loads(reading.read()))
    except (ValidationError, ValueError) as error:
        raise InputFileError(
            f"{source} is not a backup that this version of Pagetrail reads: {MANIFEST} is not "
            "valid. A newer version may have written it."
        ) from error
    paths = [file.path for file in manifest.files]
    if len(set(paths)) != len(paths) or DATABASE_NAME not in paths:
        raise _damaged(source, f"{MANIFEST} names no database, or a file twice")
    return manifest


def _damaged(source: Path, what: str) -> InputFileError:
    return InputFileError(f"{source} is damaged: {what}. Nothing was restored; use another backup.")


def _forget_bucket(path: Path) -> None:
    """The backup has all files, and the bucket stays the other workspace's."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for pattern in (FILES_KEY, GENERATION_KEY, *(f"{kind}/%" for kind in SUFFIXES)):
            connection.execute("DELETE FROM meta WHERE key LIKE ?", (pattern,))


def _check_database(path: Path, source: Path) -> None:
    try:
        with closing(sqlite3.connect(path)) as connection:
            said = connection.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as error:
        said = str(error)
    if said != "ok":
        raise _damaged(source, f"SQLite says of its database: {said}")

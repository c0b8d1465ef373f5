"""Backup of a workspace to one file while the server runs, and restoring it.

The file is an uncompressed tar archive: ``manifest.json`` first, then the database as of one moment
and the PDF files that it names. The image cache, the search index and the exports are left out:
they can be made again from the rest.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import InputFileError, WorkspaceError
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.workspace import DATABASE_NAME, Workspace
from pagetrail.storage.operations.serve_lock import serve_lock

FORMAT = "pagetrail-backup"
VERSION = 1
MANIFEST = "manifest.json"
_MAX_MANIFEST = 256 * 1024 * 1024
_CHUNK = 1024 * 1024
_NAME = re.compile(rf"{re.escape(DATABASE_NAME)}|corpus/[0-9a-f]{{64}}\.pdf")

Progress = Callable[[int, int], None]
"""Called with the bytes done and the bytes in all."""


class BackupFile(BaseModel):
    """A file of a backup: its path in the workspace, its size in bytes and its SHA-256."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    path: str = Field(pattern=_NAME.pattern)
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class Manifest(BaseModel):
    """The first member of a backup: what it holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    format: str = Field(pattern=f"^{FORMAT}$")
    version: int = Field(ge=1, le=VERSION)
    created_at: str
    workspace_id: str
    events: int = Field(ge=0)
    documents: int = Field(ge=0)
    files: list[BackupFile]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True)
class _Snapshot:
    events: int
    corpus: list[str]
    workspace_id: str


def back_up(
    workspace: Workspace, target: Path, clock: Clock, progress: Progress | None = None
) -> Manifest:
    """Write a backup; the server may go on and people may work. The file appears when complete.

    Raises:
        WorkspaceError: the target exists or cannot be written, or a document's file is missing or
            damaged (it is named).
    """
    if target.exists():
        raise WorkspaceError(f"{target} already exists. Choose another name, or delete it first.")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with TemporaryDirectory(prefix=".backup-", dir=target.parent or ".") as folder:
            database = Path(folder) / DATABASE_NAME
            _copy_database(workspace.root / DATABASE_NAME, database)
            manifest, sources = _contents(workspace, database, clock)
            try:
                _write(unfinished, manifest, sources, progress)
                # link refuses where the name was taken meanwhile; replace would overwrite it.
                os.link(unfinished, target)
            finally:
                unfinished.unlink(missing_ok=True)
        _sync_folder(target.parent)
    except FileExistsError as error:
        raise WorkspaceError(f"{target} already exists. Choose another name.") from error
    except OSError as error:
        raise WorkspaceError(f"The backup could not be written: {error}") from error
    return manifest


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
    workspace = (folder / DATABASE_NAME).exists()
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
            made.mkdir(mode=0o700)
            manifest = _extract(source, made, progress)
            _check_database(made / DATABASE_NAME, source)
            # Opened before it gets its name, so that an older backup arrives migrated.
            Workspace.open(made).engine.dispose()
            if workspace:
                moment = re.sub(r"\D", "", iso(clock.now()))[:14]
                folder.rename(folder.with_name(f"{folder.name}.before-restore-{moment}"))
            elif folder.exists():
                folder.rmdir()
            made.rename(folder)
        _sync_folder(folder.parent)
    except OSError as error:
        raise WorkspaceError(f"{folder} could not be written: {error}") from error
    return manifest


def _copy_database(source: Path, target: Path) -> None:
    """A copy as of one moment: one read transaction, which in WAL mode holds up no writer."""
    try:
        with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(target)) as copy:
            reading.backup(copy, pages=-1)
            # The copy is one file; the workspace switches to WAL when it is opened.
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise WorkspaceError(f"The database could not be copied: {error}") from error


def _contents(
    workspace: Workspace, database: Path, clock: Clock
) -> tuple[Manifest, list[tuple[BackupFile, Path]]]:
    snapshot = _read(database)
    with database.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    sources = [
        (
            BackupFile(path=DATABASE_NAME, size=database.stat().st_size, sha256=digest),
            database,
        )
    ]
    for sha256 in snapshot.corpus:
        path = f"corpus/{sha256}.pdf"
        try:
            size = (workspace.root / path).stat().st_size
        except FileNotFoundError:
            raise WorkspaceError(
                f"{path} is missing: it was removed just now, or the workspace is damaged. "
                "Run the backup again; pagetrail verify tells what is missing."
            ) from None
        sources.append((BackupFile(path=path, size=size, sha256=sha256), workspace.root / path))
    manifest = Manifest(
        format=FORMAT,
        version=VERSION,
        created_at=iso(clock.now()),
        workspace_id=snapshot.workspace_id,
        events=snapshot.events,
        documents=len(snapshot.corpus),
        files=[file for file, _ in sources],
    )
    return manifest, sources


def _read(database: Path) -> _Snapshot:
    with closing(sqlite3.connect(database)) as connection:
        events = connection.execute("SELECT count(*) FROM event").fetchone()[0]
        corpus = connection.execute("SELECT sha256 FROM document ORDER BY sha256").fetchall()
        id_ = connection.execute("SELECT value FROM meta WHERE key = 'workspace_id'").fetchone()
    return _Snapshot(events, [row[0] for row in corpus], id_[0] if id_ else "")


def _write(
    path: Path,
    manifest: Manifest,
    sources: list[tuple[BackupFile, Path]],
    progress: Progress | None,
) -> None:
    done = 0
    with open(path, "xb", opener=_private) as file:
        with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
            text = manifest.model_dump_json(indent=1).encode()
            archive.addfile(_member(MANIFEST, len(text)), io.BytesIO(text))
            for entry, source in sources:
                with source.open("rb") as reading:
                    hashed = _Hashed(reading)
                    archive.addfile(_member(entry.path, entry.size), hashed)
                if hashed.hexdigest() != entry.sha256:
                    raise WorkspaceError(
                        f"{entry.path} is not what was ingested: its content changed on disk. "
                        "Put the original file back, then run the backup again."
                    )
                done += entry.size
                if progress is not None:
                    progress(done, manifest.size)
        file.flush()
        os.fsync(file.fileno())


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member


class _Hashed(io.RawIOBase):
    """Hashes what is read from a file or written to one."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self._hash.update(data)
        return data

    def write(self, data: Any, /) -> int:
        self._hash.update(data)
        return self._file.write(data)

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


def _extract(source: Path, folder: Path, progress: Progress | None) -> Manifest:
    """Write the members that the manifest names, and nothing else."""
    (folder / "corpus").mkdir()
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
                with reading, open(folder / wanted.path, "xb", opener=_private) as file:
                    hashed = _Hashed(file)
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


def _check_database(path: Path, source: Path) -> None:
    try:
        with closing(sqlite3.connect(path)) as connection:
            said = connection.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as error:
        said = str(error)
    if said != "ok":
        raise _damaged(source, f"SQLite says of its database: {said}")


def _sync_folder(folder: Path) -> None:
    """Make the new name itself survive a power cut."""
    descriptor = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""Writes a backup of a workspace while its server runs.

The backup has a consistent copy of the database and the PDF files that it names. Image cache,
search index and exports are left out: they can be rebuilt.
"""

from __future__ import annotations

import io
import os
import sqlite3
import tarfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.ports import Clock
from pagetrail.storage.corpus.local_files import local_pdf
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.digests import file_sha256
from pagetrail.storage.maintenance.archive import (
    FORMAT,
    MANIFEST,
    VERSION,
    BackupFile,
    HashingFile,
    Manifest,
    Progress,
    open_private,
    sync_folder,
)
from pagetrail.storage.maintenance.database_copy import copy_to_file
from pagetrail.storage.maintenance.scratch import scratch_folder


@dataclass(frozen=True)
class _DatabaseContents:
    events: int
    documents: int
    document_hashes: list[str]
    workspace_id: str


def back_up(
    workspace: Workspace, target: Path, clock: Clock, progress: Progress | None = None
) -> Manifest:
    """Write a backup while people may work. The file appears when it is complete.

    Raises:
        WorkspaceError: the target exists or cannot be written, or a document's file is missing or
            damaged (it is named).
        CorpusError, StorageError: the same in a bucket, or it does not answer.
    """
    if target.exists():
        raise WorkspaceError(f"{target} already exists. Choose another name, or delete it first.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with scratch_folder(target.parent, ".backup-") as folder:
            database = folder / DATABASE_NAME
            _copy_database(workspace, database)
            manifest, sources = _manifest_and_sources(workspace, database, clock)
            unfinished = folder / "backup.tar"
            _write(unfinished, manifest, sources, progress)
            # Unlike replace, link does not overwrite a file that appeared meanwhile.
            os.link(unfinished, target)
        sync_folder(target.parent)
    except FileExistsError as error:
        raise WorkspaceError(f"{target} already exists. Choose another name.") from error
    except OSError as error:
        raise WorkspaceError(f"The backup could not be written: {error}") from error
    return manifest


def _copy_database(workspace: Workspace, target: Path) -> None:
    """Copy the database in one read transaction, which blocks no writer.

    PostgreSQL is copied to a SQLite file too, so that every backup is restored the same way.
    """
    if workspace.engine.dialect.name == "postgresql":
        with workspace.engine.connect() as connection, connection.begin():
            copy_to_file(connection, target)
        return
    source = workspace.root / DATABASE_NAME
    try:
        with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(target)) as copy:
            original.backup(copy, pages=-1)
            # The copy is one file; the workspace switches to WAL when it is opened.
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise WorkspaceError(f"The database could not be copied: {error}") from error


def _manifest_and_sources(
    workspace: Workspace, database: Path, clock: Clock
) -> tuple[Manifest, list[tuple[BackupFile, Path]]]:
    contents = _read_contents(database)
    digest = file_sha256(database)
    sources = [
        (
            BackupFile(path=DATABASE_NAME, size=database.stat().st_size, sha256=digest),
            database,
        )
    ]
    for sha256 in contents.document_hashes:
        path = f"corpus/{sha256}.pdf"
        try:
            size = local_pdf(workspace, sha256).stat().st_size
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
        workspace_id=contents.workspace_id,
        events=contents.events,
        documents=contents.documents,
        files=[file for file, _ in sources],
    )
    return manifest, sources


def _read_contents(database: Path) -> _DatabaseContents:
    with closing(sqlite3.connect(database)) as connection:
        events = connection.execute("SELECT count(*) FROM event").fetchone()[0]
        corpus = connection.execute(
            "SELECT sha256 FROM document UNION SELECT sha256 FROM earlier_document ORDER BY sha256"
        ).fetchall()
        id_ = connection.execute("SELECT value FROM meta WHERE key = 'workspace_id'").fetchone()
        documents = connection.execute("SELECT count(*) FROM document").fetchone()[0]
    return _DatabaseContents(events, documents, [row[0] for row in corpus], id_[0] if id_ else "")


def _write(
    path: Path,
    manifest: Manifest,
    sources: list[tuple[BackupFile, Path]],
    progress: Progress | None,
) -> None:
    bytes_done = 0
    with open(path, "xb", opener=open_private) as file:
        with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
            text = manifest.model_dump_json(indent=1).encode()
            archive.addfile(_member(MANIFEST, len(text)), io.BytesIO(text))
            for entry, source in sources:
                with source.open("rb") as file_in:
                    hashed = HashingFile(file_in)
                    archive.addfile(_member(entry.path, entry.size), hashed)
                if hashed.hexdigest() != entry.sha256:
                    raise WorkspaceError(
                        f"{entry.path} is not what was ingested: its content changed on disk. "
                        "Put the original file back, then run the backup again."
                    )
                bytes_done += entry.size
                if progress is not None:
                    progress(bytes_done, manifest.size)
        file.flush()
        os.fsync(file.fileno())


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member

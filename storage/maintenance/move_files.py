"""Moves a workspace's documents from its folder into a bucket, and back.

The workspace stays unchanged until all of them have been copied; after an interruption, run the
command again. The originals are kept, in the folder or in the bucket.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import delete, insert, or_

from pagetrail.annotation.errors import CorpusError, WorkspaceError
from pagetrail.storage.corpus.changes import document_files
from pagetrail.storage.corpus.local_files import corpus_key, local_pdf, pdf_path
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import FILES_KEY, IN_BUCKET, Workspace
from pagetrail.storage.files.bucket import Bucket
from pagetrail.storage.files.digests import file_sha256
from pagetrail.storage.ingest.exclusive import exclusive_ingest
from pagetrail.storage.maintenance.serve_lock import database_lock, serve_lock
from pagetrail.storage.maintenance.stored_files import SUFFIXES
from pagetrail.storage.search.generations import GENERATION_KEY

Progress = Callable[[int, int], None]
"""Called with documents done and all documents."""


def move_files_to_bucket(
    workspace: Workspace, address: str, progress: Progress | None = None
) -> int:
    """Upload every document to a bucket, which has them from then on.

    Does nothing if they are in that bucket already.

    Returns:
        The number of documents.

    Raises:
        WorkspaceError: a server holds the workspace, its files are in another bucket already, or
            the bucket is another workspace's.
        CorpusError: a document's file is missing or damaged; nothing has changed.
        StorageError: the bucket failed; nothing has changed.
    """
    with _exclusive_access(workspace):
        if workspace.files is not None:
            if workspace.files.address == Bucket(address, "").address:
                return len(_hashes(workspace))
            raise WorkspaceError(
                f"The files of {workspace.root} are in another bucket. Move them to the folder "
                "first."
            )
        bucket = Bucket(address, workspace.meta("workspace_id") or "")
        bucket.claim()
        stored_sizes = bucket.keys("corpus")
        hashes = _hashes(workspace)
        for sha256 in _with_progress(hashes, progress):
            path = pdf_path(workspace, sha256)
            _check(path, sha256)
            key = corpus_key(sha256)
            if stored_sizes.get(key) != path.stat().st_size:
                bucket.upload(path, key)
        with write_transaction(workspace.engine) as connection:
            connection.execute(insert(Meta).values(key=FILES_KEY, value=IN_BUCKET))
        return len(hashes)


def move_files_to_folder(workspace: Workspace, progress: Progress | None = None) -> int:
    """Download every document that is not in the folder, which has them from then on.

    Returns:
        The number of documents.

    Raises:
        WorkspaceError: a server holds the workspace, or its files are in the folder already.
        CorpusError: a document is missing or damaged; nothing has changed.
        StorageError: the bucket failed; nothing has changed.
    """
    if workspace.files is None:
        raise WorkspaceError(f"The files of {workspace.root} are in its folder already.")
    with _exclusive_access(workspace):
        hashes = _hashes(workspace)
        for sha256 in _with_progress(hashes, progress):
            _check(local_pdf(workspace, sha256), sha256)
        with write_transaction(workspace.engine) as connection:
            stored_files = or_(*(Meta.key.startswith(f"{kind}/") for kind in SUFFIXES))
            bucket_keys = Meta.key.in_([FILES_KEY, GENERATION_KEY])
            connection.execute(delete(Meta).where(or_(bucket_keys, stored_files)))
        return len(hashes)


@contextmanager
def _exclusive_access(workspace: Workspace) -> Iterator[None]:
    """Keep servers, on any machine, and ingests from running."""
    with (
        serve_lock(workspace.root, "a move of files"),
        database_lock(workspace.engine),
        exclusive_ingest(workspace),
    ):
        yield


def _hashes(workspace: Workspace) -> list[str]:
    with workspace.engine.connect() as connection:
        return sorted(document_files(connection))


def _with_progress(hashes: list[str], progress: Progress | None) -> Iterator[str]:
    for count, sha256 in enumerate(hashes, start=1):
        yield sha256
        if progress is not None:
            progress(count, len(hashes))


def _check(path: Path, sha256: str) -> None:
    try:
        is_same = file_sha256(path) == sha256
    except FileNotFoundError:
        raise CorpusError(f"{path} is missing. Put the original there; nothing changed.") from None
    if not is_same:
        raise CorpusError(
            f"{path} is not what was ingested. Put the original there; nothing changed."
        )

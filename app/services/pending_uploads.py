"""Uploaded PDF files that have not been ingested yet."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from uuid import uuid4

from pagetrail.annotation.errors import BadRequest, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.stored_files import StoredFiles

MAX_FILE = 512 * 1024 * 1024
"""Bytes of one file."""

MAX_WAITING = 500
_MAX_NAME = 200
_PART = ".part"
_GIVEN_UP_S = 86_400


@dataclass(frozen=True)
class PendingUpload:
    """An uploaded file that is not ingested yet."""

    path: Path
    bytes: int

    @property
    def name(self) -> str:
        """Name of the future document."""
        return self.path.name


class Upload:
    """A file that is being received; it is pending once it is finished."""

    def __init__(self, workspace: Workspace, file: IO[bytes], path: Path) -> None:
        self._workspace = workspace
        self._file = file
        self._path = path
        self._size = 0

    def write(self, chunk: bytes) -> None:
        """Take the next bytes.

        Raises:
            BadRequest: the file is too large.
        """
        self._size += len(chunk)
        if self._size > MAX_FILE:
            raise BadRequest(
                gettext(
                    "The file is larger than {max_file} MiB. Have it added on the server.",
                    max_file=MAX_FILE // 1024**2,
                )
            )
        self._file.write(chunk)

    def finish(self) -> None:
        """Mark the file as complete. Blocks, so not for the event loop.

        Raises:
            StorageError: the bucket or the database refuses it.
        """
        self._file.close()
        if self._workspace.files is not None:
            facts = {"name": self._path.name, "bytes": self._size}
            part = self._path.with_name(_PART)
            stored_uploads(self._workspace).store(self._path.parent.name, part, facts)
        self._path.with_name(_PART).rename(self._path)


def stored_uploads(workspace: Workspace) -> StoredFiles:
    """Uploads in the bucket, by their folders."""
    return StoredFiles(workspace, "upload")


def pending_uploads(workspace: Workspace) -> list[PendingUpload]:
    """Pending files by name. With a bucket, they may not be on this disk yet."""
    if workspace.files is not None:
        uploads = [
            PendingUpload(_folder(workspace) / folder_name / facts["name"], facts["bytes"])
            for folder_name, facts in stored_uploads(workspace).all().items()
        ]
    else:
        uploads = [
            PendingUpload(path, path.stat().st_size)
            for path in _folder(workspace).glob("*/*")
            if path.is_file() and not path.name.startswith(".")
        ]
    return sorted(uploads, key=lambda file: (file.name, str(file.path)))


@contextmanager
def receive(workspace: Workspace, name: str) -> Iterator[Upload]:
    """Receive a file of that name; it is removed if unfinished when the block ends.

    Args:
        name: a name accepted by ``check_upload``.
    """
    folder = _folder(workspace) / uuid4().hex
    folder.mkdir(parents=True)
    unfinished = folder / _PART
    try:
        with unfinished.open("wb") as file:
            yield Upload(workspace, file, folder / name)
    finally:
        if not (folder / name).exists():
            shutil.rmtree(folder, ignore_errors=True)


def check_upload(workspace: Workspace, name: str) -> None:
    """Refuse a file before it is received.

    Raises:
        BadRequest: not the name of a PDF file, or too many files are pending.
    """
    check_name(name)
    if len(pending_uploads(workspace)) >= MAX_WAITING:
        raise BadRequest(
            gettext(
                "{max_waiting} files are waiting. Ingest or discard them first.",
                max_waiting=MAX_WAITING,
            )
        )


def check_name(name: str) -> None:
    """Refuse names that a document cannot have.

    Raises:
        BadRequest: it has separators or control characters, is too long, or has another ending.
    """
    size = len(name.encode("utf-8", "surrogatepass"))
    if size > _MAX_NAME:
        raise BadRequest(
            gettext(
                "The name is too long: {size} bytes, of which {max_name} are allowed (a letter "
                "outside English takes 2 to 4). Rename the file.",
                size=size,
                max_name=_MAX_NAME,
            )
        )
    if Path(name).name != name or "\\" in name or name.startswith(".") or not name.isprintable():
        raise BadRequest(
            gettext("{name!r} cannot be the name of a document. Rename the file.", name=name[:80])
        )
    if not name.casefold().endswith(".pdf"):
        raise BadRequest(
            gettext(
                "{name} is not a PDF file by its name. Only PDF files are accepted.", name=name[:80]
            )
        )


def discard(workspace: Workspace) -> int:
    """Remove all pending files; returns their number.

    Raises:
        PagetrailError: the files cannot be removed.
    """
    files = pending_uploads(workspace)
    stored = stored_uploads(workspace)
    for file in files:
        stored.remove(file.path.parent.name)
    try:
        shutil.rmtree(_folder(workspace))
    except FileNotFoundError:
        return len(files)
    except OSError as error:
        raise PagetrailError(
            gettext("The files cannot be removed: {strerror}.", strerror=error.strerror)
        ) from error
    return len(files)


def remove_leftovers(workspace: Workspace) -> None:
    """Remove the folders of ingested files and of uploads that were never completed.

    Copies of files that other servers have ingested or discarded are removed too.
    """
    stored = None if workspace.files is None else stored_uploads(workspace).all()
    for folder in _folder(workspace).glob("*"):
        names = [path.name for path in folder.iterdir()] if folder.is_dir() else ["not ours"]
        if names == [_PART]:
            is_abandoned = time.time() - (folder / _PART).stat().st_mtime > _GIVEN_UP_S
        else:
            is_abandoned = stored is not None and folder.name not in stored
        if not names:
            folder.rmdir()
        elif is_abandoned:
            shutil.rmtree(folder, ignore_errors=True)


def _folder(workspace: Workspace) -> Path:
    return workspace.root / "uploads"

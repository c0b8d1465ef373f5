"""PDF files that supervisors have uploaded and that wait to be ingested."""

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
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.operations.stored_files import StoredFiles

MAX_FILE = 512 * 1024 * 1024
"""Bytes of one file."""

MAX_WAITING = 500
_MAX_NAME = 200
_PART = ".part"
_GIVEN_UP_S = 86_400


@dataclass(frozen=True)
class Waiting:
    """An uploaded file that is not ingested yet."""

    path: Path
    bytes: int

    @property
    def name(self) -> str:
        """As the document will be called."""
        return self.path.name


class Upload:
    """One file being received; it counts once it is finished."""

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
                f"The file is larger than {MAX_FILE // 1024**2} MiB. Have it added on the server."
            )
        self._file.write(chunk)

    def finish(self) -> None:
        """The file is complete: it waits from now on. Not for the event loop.

        Raises:
            StorageError: the bucket or the database does not take it.
        """
        self._file.close()
        if self._workspace.files is not None:
            facts = {"name": self._path.name, "bytes": self._size}
            part = self._path.with_name(_PART)
            stored_uploads(self._workspace).store(self._path.parent.name, part, facts)
        self._path.with_name(_PART).rename(self._path)


def stored_uploads(workspace: Workspace) -> StoredFiles:
    """The uploads in the bucket, by the folder that each has to itself."""
    return StoredFiles(workspace, "upload")


def waiting(workspace: Workspace) -> list[Waiting]:
    """The files that wait, by name. Where files are in a bucket, they may not be here yet."""
    if workspace.files is not None:
        found = [
            Waiting(_folder(workspace) / place / facts["name"], facts["bytes"])
            for place, facts in stored_uploads(workspace).all().items()
        ]
    else:
        found = [
            Waiting(path, path.stat().st_size)
            for path in _folder(workspace).glob("*/*")
            if path.is_file() and not path.name.startswith(".")
        ]
    return sorted(found, key=lambda file: (file.name, str(file.path)))


@contextmanager
def receive(workspace: Workspace, name: str) -> Iterator[Upload]:
    """Receive a file of that name; what is not finished when the block ends is removed.

    Args:
        name: as ``check_upload`` has passed it.
    """
    place = _folder(workspace) / uuid4().hex
    place.mkdir(parents=True)
    unfinished = place / _PART
    try:
        with unfinished.open("wb") as file:
            yield Upload(workspace, file, place / name)
    finally:
        if not (place / name).exists():
            shutil.rmtree(place, ignore_errors=True)


def check_upload(workspace: Workspace, name: str) -> None:
    """Refuse a file before it is received.

    Raises:
        BadRequest: not the name of a PDF file, or too many wait already.
    """
    check_name(name)
    if len(waiting(workspace)) >= MAX_WAITING:
        raise BadRequest(f"{MAX_WAITING} files are waiting. Ingest or discard them first.")


def check_name(name: str) -> None:
    """Refuse what cannot be a document's name.

    Raises:
        BadRequest: it has separators or control characters, is too long, or is no PDF's.
    """
    size = len(name.encode("utf-8", "surrogatepass"))
    if size > _MAX_NAME:
        raise BadRequest(
            f"The name is too long: {size} bytes, of which {_MAX_NAME} are allowed "
            "(a letter outside English takes 2 to 4). Rename the file."
        )
    if Path(name).name != name or "\\" in name or name.startswith(".") or not name.isprintable():
        raise BadRequest(f"{name[:80]!r} cannot be the name of a document. Rename the file.")
    if not name.casefold().endswith(".pdf"):
        raise BadRequest(f"{name[:80]} is not a PDF file by its name. Only PDF files are accepted.")


def discard(workspace: Workspace) -> int:
    """Remove all files that wait; returns how many there were.

    Raises:
        PagetrailError: the disk does not let them go.
    """
    files = waiting(workspace)
    stored = stored_uploads(workspace)
    for file in files:
        stored.remove(file.path.parent.name)
    try:
        shutil.rmtree(_folder(workspace))
    except FileNotFoundError:
        return len(files)
    except OSError as error:
        raise PagetrailError(f"The files cannot be removed: {error.strerror}.") from error
    return len(files)


def tidy(workspace: Workspace) -> None:
    """Remove the folders of ingested files and of uploads that were never completed.

    Also copies of files that other servers have ingested or discarded.
    """
    stored = None if workspace.files is None else stored_uploads(workspace).all()
    for place in _folder(workspace).glob("*"):
        held = [path.name for path in place.iterdir()] if place.is_dir() else ["not ours"]
        if held == [_PART]:
            gone = time.time() - (place / _PART).stat().st_mtime > _GIVEN_UP_S
        else:
            gone = stored is not None and place.name not in stored
        if not held:
            place.rmdir()
        elif gone:
            shutil.rmtree(place, ignore_errors=True)


def _folder(workspace: Workspace) -> Path:
    return workspace.root / "uploads"

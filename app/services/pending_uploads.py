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
    """One file being received; it counts once it is complete."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
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


def waiting(workspace: Workspace) -> list[Waiting]:
    """The files that wait, by name."""
    found = [
        Waiting(path, path.stat().st_size)
        for path in _folder(workspace).glob("*/*")
        if path.is_file() and not path.name.startswith(".")
    ]
    return sorted(found, key=lambda file: (file.name, str(file.path)))


@contextmanager
def receive(workspace: Workspace, name: str) -> Iterator[Upload]:
    """Receive a file of that name, which exists once the block ends without an error.

    Raises:
        BadRequest: not the name of a PDF file, or too many wait already.
    """
    check_name(name)
    if len(waiting(workspace)) >= MAX_WAITING:
        raise BadRequest(f"{MAX_WAITING} files are waiting. Ingest or discard them first.")
    place = _folder(workspace) / uuid4().hex
    place.mkdir(parents=True)
    unfinished = place / _PART
    try:
        with unfinished.open("wb") as file:
            yield Upload(file)
        unfinished.rename(place / name)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def check_name(name: str) -> None:
    """Refuse what cannot be a document's name.

    Raises:
        BadRequest: it has separators or control characters, is too long, or is no PDF's.
    """
    if (
        Path(name).name != name
        or "\\" in name
        or name.startswith(".")
        or not name.isprintable()
        or len(name.encode("utf-8", "surrogatepass")) > _MAX_NAME
    ):
        raise BadRequest(f"{name[:80]!r} cannot be the name of a document. Rename the file.")
    if not name.casefold().endswith(".pdf"):
        raise BadRequest(f"{name[:80]} is not a PDF file by its name. Only PDF files are accepted.")


def discard(workspace: Workspace) -> int:
    """Remove all files that wait; returns how many there were.

    Raises:
        PagetrailError: the disk does not let them go.
    """
    count = len(waiting(workspace))
    try:
        shutil.rmtree(_folder(workspace))
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise PagetrailError(f"The files cannot be removed: {error.strerror}.") from error
    return count


def tidy(workspace: Workspace) -> None:
    """Remove the folders of ingested files and of uploads that were never completed."""
    for place in _folder(workspace).glob("*"):
        held = [path.name for path in place.iterdir()] if place.is_dir() else ["not ours"]
        if not held:
            place.rmdir()
        elif held == [_PART] and time.time() - (place / _PART).stat().st_mtime > _GIVEN_UP_S:
            shutil.rmtree(place, ignore_errors=True)


def _folder(workspace: Workspace) -> Path:
    return workspace.root / "uploads"

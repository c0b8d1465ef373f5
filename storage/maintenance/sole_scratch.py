"""The scratch folder of a target, which one writer has at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pagetrail.annotation.errors import ConflictError
from pagetrail.storage.maintenance.scratch import MARKER, empty_scratch, remove_scratch


@contextmanager
def sole_scratch_folder(target: Path) -> Iterator[Path]:
    """An empty hidden folder beside the target, removed when the block ends.

    What a killed writer left there is removed first.

    Raises:
        ConflictError: somebody is writing the target.
    """
    folder = target.with_name(f".{target.name}.unfinished")
    with _marker_of(folder, target):
        empty_scratch(folder)
        try:
            yield folder
        finally:
            remove_scratch(folder)


def is_in_use(folder: Path) -> bool:
    """Whether a scratch folder's writer lives; folders without a marker have none."""
    try:
        with (folder / MARKER).open("rb") as marker:
            fcntl.flock(marker, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _marker_of(folder: Path, target: Path) -> IO[bytes]:
    """The folder's marker, locked."""
    while True:
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            marker = (folder / MARKER).open("ab")
        except FileNotFoundError:  # another writer has just removed the folder
            continue
        try:
            fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            marker.close()
            raise ConflictError(
                f"{target} is being written by another export or command. Wait until it has "
                "finished, or choose another folder."
            ) from None
        if os.fstat(marker.fileno()).st_nlink:
            return marker
        marker.close()

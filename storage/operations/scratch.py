"""Folders of unfinished work. A killed run leaves its folder, and the next run there removes it."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

MARKER = "unfinished.lock"
"""File in each of these folders, locked while its process lives: nothing else is ever removed."""


@contextmanager
def scratch_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A folder with a ``MARKER``, removed when the block ends.

    Those that killed runs left in ``parent`` are removed first.

    Args:
        prefix: of its name, with a dot, so that it is hidden.
    """
    for folder in abandoned_folders(parent):
        shutil.rmtree(folder, ignore_errors=True)
    folder, marker = _marked_folder(parent, prefix)
    try:
        with marker:
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def abandoned_folders(parent: Path) -> list[Path]:
    """Folders of runs that were killed, by name; empty where ``parent`` cannot be read."""
    try:
        hidden = [path for path in parent.iterdir() if path.name.startswith(".")]
    except OSError:
        return []
    return sorted(path for path in hidden if _is_abandoned(path))


def _marked_folder(parent: Path, prefix: str) -> tuple[Path, IO[bytes]]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        marker = (folder / MARKER).open("xb")
        fcntl.flock(marker, fcntl.LOCK_EX)
        if os.fstat(marker.fileno()).st_nlink:
            return folder, marker
        marker.close()  # another run took the folder for an abandoned one, and has removed it


def _is_abandoned(folder: Path) -> bool:
    try:
        with (folder / MARKER).open("r+b") as marker:
            fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return not folder.is_symlink()
    except OSError:  # no such folder, or its process lives
        return False

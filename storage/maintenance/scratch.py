"""Folders of unfinished work. A killed run leaves its folder, and the next run there removes it."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    for abandoned in abandoned_folders(parent):
        with _lock_of_abandoned(abandoned) as is_abandoned:
            if is_abandoned:
                remove_scratch(abandoned)
    folder, marker = _marked_folder(parent, prefix)
    try:
        with marker:
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def empty_scratch(folder: Path) -> None:
    """Remove all but the marker."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != MARKER:
            path.unlink(missing_ok=True)


def remove_scratch(folder: Path) -> None:
    """Remove a folder whose marker is locked; the marker last, so that nobody takes half of it."""
    with suppress(OSError):
        empty_scratch(folder)
        (folder / MARKER).unlink(missing_ok=True)
        folder.rmdir()


def abandoned_folders(parent: Path) -> list[Path]:
    """Folders of runs that were killed, by name; empty where ``parent`` cannot be read."""
    try:
        hidden = [path for path in parent.iterdir() if path.name.startswith(".")]
    except OSError:
        return []
    folders = []
    for path in sorted(hidden):
        with _lock_of_abandoned(path) as is_abandoned:
            folders += [path] if is_abandoned else []
    return folders


def _marked_folder(parent: Path, prefix: str) -> tuple[Path, IO[bytes]]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        marker = (folder / MARKER).open("xb")
        fcntl.flock(marker, fcntl.LOCK_EX)
        if os.fstat(marker.fileno()).st_nlink:
            return folder, marker
        marker.close()  # another run took the folder for an abandoned one, and has removed it


@contextmanager
def _lock_of_abandoned(folder: Path) -> Iterator[bool]:
    """Hold the marker of a killed run's folder; yields whether it is one."""
    try:
        marker = (folder / MARKER).open("r+b")
    except OSError:
        yield False
        return
    with marker:
        try:
            fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # its process lives
            yield False
            return
        yield not folder.is_symlink()

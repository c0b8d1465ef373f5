"""Which files a person means by the paths of a command line."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pagetrail.storage.ingest.report import FailedFile, about


@dataclass
class InputFiles:
    """Attributes:
    files: regular files to read, each once, in the order given; folders sorted by path.
    sizes: how many of them have so many bytes.
    failed: paths that cannot be read at all.
    ignored: number of files in folders whose name does not end in ``.pdf``.
    """

    files: list[Path] = field(default_factory=list)
    sizes: Counter[int] = field(default_factory=Counter)
    failed: list[FailedFile] = field(default_factory=list)
    ignored: int = 0


def find_pdfs(paths: Iterable[Path]) -> InputFiles:
    """Files as they are; folders with all below them, links followed, each folder once.

    A file named outright is taken whatever its name; in a folder only ``*.pdf`` in any case is.
    """
    found = InputFiles()
    seen: set[str] = set()
    for path in paths:
        if path.is_dir():
            before = len(found.files) + len(found.failed)
            _walk(path, found, seen)
            if len(found.files) + len(found.failed) == before and not _seen_below(path, seen):
                found.failed.append(_failed(path, "holds no PDF file."))
        else:
            _take_file(path, found, seen)
    return found


def size_and_hash(path: Path, hashed: Callable[[int], bool]) -> tuple[int, str]:
    """Bytes and SHA-256 sum (hexadecimal), which is empty unless files of that size are hashed.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return size, hashlib.file_digest(file, "sha256").hexdigest() if hashed(size) else ""


def _walk(folder: Path, found: InputFiles, seen: set[str]) -> None:
    visited: set[tuple[int, int]] = set()

    def unreadable(error: OSError) -> None:
        found.failed.append(_failed(Path(error.filename), f"cannot be listed: {error.strerror}."))

    for root, folders, names in os.walk(folder, followlinks=True, onerror=unreadable):
        here = Path(root).stat()
        if (here.st_dev, here.st_ino) in visited:
            folders.clear()
            continue
        visited.add((here.st_dev, here.st_ino))
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(".pdf"):
                _take_file(Path(root, name), found, seen)
            else:
                found.ignored += 1


def _take_file(path: Path, found: InputFiles, seen: set[str]) -> None:
    absolute = os.path.normpath(path.absolute())
    if absolute in seen:
        return
    seen.add(absolute)
    try:
        status = path.stat()
    except OSError as error:
        link = path.is_symlink()
        what = "is a link to nothing" if link else f"cannot be read: {error.strerror}"
        found.failed.append(_failed(path, f"{what}."))
        return
    if stat.S_ISREG(status.st_mode):
        found.files.append(path)
        found.sizes[status.st_size] += 1
    else:
        found.failed.append(_failed(path, "is not a regular file."))


def _seen_below(folder: Path, seen: set[str]) -> bool:
    root = os.path.normpath(folder.absolute()) + os.sep
    return any(file.startswith(root) for file in seen)


def _failed(path: Path, what: str) -> FailedFile:
    return FailedFile(str(path), about(str(path), what))

"""Finds the input files in the paths of a command line."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pagetrail.storage.files.system_files import is_system_file
from pagetrail.storage.ingest.report import FailedFile


@dataclass
class InputFiles:
    """Attributes:
    files: regular files to read, each once, in the order given; folders sorted by path.
    sizes: number of files by size in bytes.
    failed: paths that cannot be read at all.
    ignored: number of files in folders whose name does not end in ``.pdf``, without the system's.
    """

    files: list[Path] = field(default_factory=list)
    sizes: Counter[int] = field(default_factory=Counter)
    failed: list[FailedFile] = field(default_factory=list)
    ignored: int = 0


def find_pdfs(paths: Iterable[Path]) -> InputFiles:
    """Files, and the PDFs in folders and their subfolders; links are followed, each folder once.

    In folders only ``*.pdf`` (in any case) is used, without the system's files; a file given
    directly may have any name.
    """
    inputs = InputFiles()
    visited: set[str] = set()
    for path in paths:
        if path.is_dir():
            before = len(inputs.files) + len(inputs.failed)
            _add_folder(path, inputs, visited)
            if len(inputs.files) + len(inputs.failed) == before and not _has_files_below(
                path, visited
            ):
                inputs.failed.append(FailedFile.from_problem(str(path), "holds no PDF file."))
        else:
            _add_file(path, inputs, visited)
    return inputs


def size_and_hash(path: Path, hashed: Callable[[int], bool]) -> tuple[int, str]:
    """Size and SHA-256 (hexadecimal), which is empty unless files of that size are hashed.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return size, hashlib.file_digest(file, "sha256").hexdigest() if hashed(size) else ""


def _add_folder(folder: Path, inputs: InputFiles, paths_added: set[str]) -> None:
    visited: set[tuple[int, int]] = set()

    def unreadable(error: OSError) -> None:
        inputs.failed.append(
            FailedFile.from_problem(error.filename, f"cannot be listed: {error.strerror}.")
        )

    for root, folders, names in os.walk(folder, followlinks=True, onerror=unreadable):
        status = Path(root).stat()
        if (status.st_dev, status.st_ino) in visited:
            folders.clear()
            continue
        visited.add((status.st_dev, status.st_ino))
        folders.sort()
        for name in sorted(names):
            if is_system_file(Path(root, name).relative_to(folder)):
                continue
            if name.lower().endswith(".pdf"):
                _add_file(Path(root, name), inputs, paths_added)
            else:
                inputs.ignored += 1


def _add_file(path: Path, inputs: InputFiles, paths_added: set[str]) -> None:
    absolute = os.path.normpath(path.absolute())
    if absolute in paths_added:
        return
    paths_added.add(absolute)
    try:
        status = path.stat()
    except OSError as error:
        link = path.is_symlink()
        problem = "is a link to nothing" if link else f"cannot be read: {error.strerror}"
        inputs.failed.append(FailedFile.from_problem(str(path), f"{problem}."))
        return
    if stat.S_ISREG(status.st_mode):
        inputs.files.append(path)
        inputs.sizes[status.st_size] += 1
    else:
        inputs.failed.append(FailedFile.from_problem(str(path), "is not a regular file."))


def _has_files_below(folder: Path, paths_added: set[str]) -> bool:
    root = os.path.normpath(folder.absolute()) + os.sep
    return any(file.startswith(root) for file in paths_added)

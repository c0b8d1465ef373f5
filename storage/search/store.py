"""Stored indexes of a workspace: built in a temporary folder, signed, and renamed when complete.

A folder is opened only if its ``meta.json`` has this workspace's signature over the size and
SHA-256 of every file: damage is found before it can change a ranking.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.tables import Page
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.digests import file_sha256
from pagetrail.storage.search.arrays import IndexArrays
from pagetrail.storage.search.build import build
from pagetrail.storage.search.generations import fetch_generation, one_builder, store_generation
from pagetrail.storage.search.index import ENGINE, SCHEMA_VERSION, BuildProgress

META_NAME = "meta.json"
FILE_FORMAT = 2
"""Format of the files; 1 was Whoosh's own. An index of another format is rebuilt."""
_BUILDING = ".building-"
_LOCK = ".lock"
FilesOnDisk = frozenset[tuple[str, int, int, int]]
"""Name, inode, size in bytes and time of the last change (ns) of each file of an index."""


@dataclass(frozen=True)
class StoredIndex:
    """An index that may be opened.

    Attributes:
        folder: its location.
        identity: hash over engine, schema and pages in order.
        revision: the corpus revision that it was built from.
        pages: number of pages.
        files: its files when they were verified.
    """

    folder: Path
    identity: str
    revision: int
    pages: int
    files: FilesOnDisk


def current_index(workspace: Workspace) -> StoredIndex | None:
    """The index of the current corpus, or None if it is missing or outdated."""
    revision = Corpus(workspace).revision
    for folder in index_folders(workspace):
        stored = _read_index(workspace, folder, revision)
        if stored is not None:
            return stored
    return None


def usable_index(workspace: Workspace) -> StoredIndex | None:
    """The current index, or else the latest intact one, which answers while a new one is built."""
    indexes = [s for f in index_folders(workspace) if (s := _read_index(workspace, f)) is not None]
    revision = Corpus(workspace).revision
    return max(indexes, key=lambda s: (s.revision == revision, s.revision), default=None)


def files_on_disk(folder: Path) -> FilesOnDisk:
    """State of an index's files in the file system; verify them again when it changes."""
    try:
        files = [(path.name, path.stat()) for path in folder.iterdir()]
    except OSError:
        return frozenset()
    return frozenset((name, stat.st_ino, stat.st_size, stat.st_mtime_ns) for name, stat in files)


def is_being_built(workspace: Workspace) -> bool:
    """Whether a process is building an index of this workspace."""
    try:
        with (workspace.index_dir / _LOCK).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    except BlockingIOError:
        return True
    except OSError:
        return False


def ensure_index(
    workspace: Workspace, progress: BuildProgress | None = None, *, force: bool = False
) -> StoredIndex:
    """The index of the current corpus, built if necessary; outdated ones are removed.

    Existing indexes stay until the new one is complete, and an interrupted build leaves nothing
    that could be opened. Readers of an outdated index keep its (unlinked) files.

    Args:
        progress: called with the number of pages added during a build. With a bucket, an index
            built by another server is downloaded instead.
        force: build from the texts alone, even if there is a current index.
    """
    if not force and (stored := current_index(workspace)) is not None:
        return stored
    with _build_lock(workspace):
        if not force and (stored := current_index(workspace)) is not None:
            return stored
        _remove_unfinished(workspace)
        with one_builder(workspace, progress):
            fetched = None if force else _fetch(workspace)
            stored = fetched or _build(
                workspace, progress, None if force else usable_index(workspace)
            )
            if fetched is None:
                store_generation(workspace, stored.folder, stored.identity, stored.revision)
        for folder in index_folders(workspace):
            if folder != stored.folder:
                shutil.rmtree(folder, ignore_errors=True)
        return stored


def build_index(root: Path) -> None:
    """``ensure_index`` of the workspace in that folder, for another process."""
    ensure_index(Workspace.open(root))


def page_count(workspace: Workspace) -> int:
    """Number of pages in the corpus."""
    with workspace.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(Page)).scalar_one())


def _build(
    workspace: Workspace, progress: BuildProgress | None, old: StoredIndex | None
) -> StoredIndex:
    corpus = Corpus(workspace)
    # Read before the pages: after a change in between, the new index is outdated, never current.
    revision = corpus.revision
    folder = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=workspace.index_dir))
    try:
        unchanged = None if old is None else IndexArrays.load(old.folder)
        identity, count = build(corpus.pages(), folder, progress, unchanged)
        _sign(workspace, folder, identity, revision, count)
        target = _free_folder(workspace, identity)
        folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return StoredIndex(target, identity, revision, count, files_on_disk(target))


def _fetch(workspace: Workspace) -> StoredIndex | None:
    """Download the index of the current corpus, if another server has built it."""
    revision = Corpus(workspace).revision
    folder = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=workspace.index_dir))
    try:
        identity = fetch_generation(workspace, revision, folder)
        if identity is None:
            return None
        target = _free_folder(workspace, identity)
        folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    stored = _read_index(workspace, target, revision)
    if stored is None:  # of another version of the program
        shutil.rmtree(target)
    return stored


def _free_folder(workspace: Workspace, identity: str) -> Path:
    """Folder for a new index; another of the same identity stays until it is replaced."""
    target = workspace.index_dir / identity
    number = 1
    while target.exists() or target.is_symlink():
        number += 1
        target = workspace.index_dir / f"{identity}.{number}"
    return target


def _sign(workspace: Workspace, folder: Path, identity: str, revision: int, pages: int) -> None:
    facts = {
        "engine": ENGINE,
        "schema": SCHEMA_VERSION,
        "format": FILE_FORMAT,
        "identity": identity,
        "revision": revision,
        "pages": pages,
        "files": _fingerprints(folder),
    }
    text = json.dumps({**facts, "signature": _signature(workspace, facts)}, indent=1)
    (folder / META_NAME).write_text(text, encoding="utf-8")


def _read_index(
    workspace: Workspace, folder: Path, revision: int | None = None
) -> StoredIndex | None:
    """The index in a folder, or None unless it is intact and written by this version.

    Args:
        revision: required corpus revision; None: any.
    """
    if folder.is_symlink():
        return None
    on_disk = files_on_disk(folder)
    try:
        facts: Any = json.loads((folder / META_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(facts, dict) or not isinstance(facts.get("signature"), str):
        return None
    signature = facts.pop("signature")
    if not hmac.compare_digest(signature.encode(), _signature(workspace, facts).encode()):
        return None
    if not is_of_this_program(facts) or revision not in (None, facts["revision"]):
        return None
    try:
        is_intact = facts["files"] == _fingerprints(folder)
    except OSError:
        return None
    if not is_intact or facts["identity"] != folder.name.split(".")[0]:
        return None
    return StoredIndex(folder, facts["identity"], facts["revision"], facts["pages"], on_disk)


def _signature(workspace: Workspace, facts: dict[str, Any]) -> str:
    secret = workspace.meta("secret")
    if not secret:
        raise WorkspaceError(
            gettext(
                "The workspace {root} has lost its secret, so its index cannot be "
                "trusted. Make a new workspace and ingest the documents again.",
                root=workspace.root,
            )
        )
    message = b"search index\n" + json.dumps(facts, sort_keys=True).encode()
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def _fingerprints(folder: Path) -> dict[str, list[int | str]]:
    prints: dict[str, list[int | str]] = {}
    for path in sorted(folder.iterdir()):
        if path.name == META_NAME or not path.is_file():
            continue
        prints[path.name] = [path.stat().st_size, file_sha256(path)]
    return prints


def is_of_this_program(facts: dict[str, Any]) -> bool:
    """Whether this version of the program and engine wrote an index with these facts."""
    made_by = tuple(map(facts.get, ("engine", "schema", "format")))
    return made_by == (ENGINE, SCHEMA_VERSION, FILE_FORMAT)


def index_folders(workspace: Workspace) -> list[Path]:
    if not workspace.index_dir.is_dir():
        return []
    return sorted(
        path
        for path in workspace.index_dir.iterdir()
        if path.is_dir() and not path.name.startswith(".")
    )


def _remove_unfinished(workspace: Workspace) -> None:
    for path in workspace.index_dir.glob(f"{_BUILDING}*"):
        shutil.rmtree(path, ignore_errors=True)
    for path in workspace.index_dir.glob(".*.tar"):
        path.unlink(missing_ok=True)


@contextmanager
def _build_lock(workspace: Workspace) -> Iterator[None]:
    """One builder at a time, across processes; the lock ends with its process."""
    workspace.index_dir.mkdir(exist_ok=True)
    with (workspace.index_dir / _LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

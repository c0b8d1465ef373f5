"""Documents' files as paths: where they are in a bucket, fetched into the folder when needed."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from pagetrail.annotation.errors import Busy, PagetrailError, StorageError
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.bucket import UNFINISHED, Bucket

PAGE_WAIT_S = 20.0
"""How long somebody who wants a page waits for its document; it is fetched all the same."""

_AT_ONCE = 4
_LEFT_AFTER_S = 3_600.0


@dataclass
class _Fetch:
    done: threading.Event = field(default_factory=threading.Event)
    error: PagetrailError | None = None


_fetches: dict[Path, _Fetch] = {}
_lock = threading.Lock()
_turns = threading.BoundedSemaphore(_AT_ONCE)


def pdf_path(workspace: Workspace, sha256: str) -> Path:
    """Where a registered document's file is in the folder, or will be."""
    return workspace.corpus_dir / f"{sha256}.pdf"


def corpus_key(sha256: str) -> str:
    """What a document's file is called in a bucket."""
    return f"corpus/{sha256}.pdf"


def local_pdf(workspace: Workspace, sha256: str, wait_s: float | None = None) -> Path:
    """A registered document's file, there and as it was ingested.

    Args:
        wait_s: how long to wait for it; None: until it is there or cannot be had.

    Raises:
        Busy: it is still being fetched.
        CorpusError: the bucket does not have it, or another file in its place.
        StorageError: the bucket does not answer, or the disk does not take the file.
    """
    path = pdf_path(workspace, sha256)
    if workspace.files is None or path.exists():
        return path
    with _lock:
        fetch = _fetches.get(path)
        if fetch is None:
            fetch = _fetches[path] = _Fetch()
            args = (fetch, workspace.files, path, sha256)
            threading.Thread(target=_run, args=args, name="fetch", daemon=True).start()
    if not fetch.done.wait(wait_s):
        raise Busy("The document is being fetched from the bucket. Try again in a moment.")
    if fetch.error is not None:
        raise fetch.error
    return path


def _run(fetch: _Fetch, files: Bucket, path: Path, sha256: str) -> None:
    try:
        with _turns:
            _remove_left(path.parent)
            files.fetch(corpus_key(sha256), sha256, path)
    except PagetrailError as error:
        fetch.error = error
    except OSError as error:
        fetch.error = StorageError(
            f"The disk does not take a document from the bucket: {error.strerror}."
        )
    finally:
        with _lock:
            del _fetches[path]
        fetch.done.set()


def _remove_left(folder: Path) -> None:
    """Remove what killed processes were fetching."""
    for left in folder.glob(f".*{UNFINISHED}"):
        try:
            if time.time() - left.stat().st_mtime > _LEFT_AFTER_S:
                left.unlink(missing_ok=True)
        except FileNotFoundError:
            continue

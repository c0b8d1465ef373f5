"""Local paths of documents' files, fetched from the bucket if there is one."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from pagetrail.annotation.errors import Busy, PagetrailError, StorageError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.bucket import UNFINISHED, Bucket

PAGE_WAIT_S = 20.0
"""How long a request for a page waits for its document; the download continues."""

_MAX_DOWNLOADS = 4
_ABANDONED_S = 3_600.0


@dataclass
class _Download:
    has_ended: threading.Event = field(default_factory=threading.Event)
    error: PagetrailError | None = None


_downloads: dict[Path, _Download] = {}
_lock = threading.Lock()
_download_slots = threading.BoundedSemaphore(_MAX_DOWNLOADS)


def pdf_path(workspace: Workspace, sha256: str) -> Path:
    """Path of a registered document's file in the folder, whether or not it is there."""
    return workspace.corpus_dir / f"{sha256}.pdf"


def corpus_key(sha256: str) -> str:
    """Key of a document's file in a bucket."""
    return f"corpus/{sha256}.pdf"


def local_pdf(workspace: Workspace, sha256: str, wait_s: float | None = None) -> Path:
    """Path of a registered document's file, downloaded if necessary.

    Args:
        wait_s: how long to wait for a download; None: until it ends.

    Raises:
        Busy: it is still being fetched.
        CorpusError: the bucket does not have it, or another file in its place.
        StorageError: the bucket does not answer, or the disk does not take the file.
    """
    path = pdf_path(workspace, sha256)
    if workspace.files is None or path.exists():
        return path
    with _lock:
        download = _downloads.get(path)
        if download is None:
            download = _downloads[path] = _Download()
            args = (download, workspace.files, path, sha256)
            threading.Thread(target=_run_download, args=args, name="fetch", daemon=True).start()
    if not download.has_ended.wait(wait_s):
        raise Busy(gettext("The document is being fetched from the bucket. Try again in a moment."))
    if download.error is not None:
        raise download.error
    return path


def _run_download(download: _Download, files: Bucket, path: Path, sha256: str) -> None:
    try:
        with _download_slots:
            _remove_abandoned(path.parent)
            files.fetch(corpus_key(sha256), sha256, path)
    except PagetrailError as error:
        download.error = error
    except OSError as error:
        download.error = StorageError(
            gettext(
                "The disk does not take a document from the bucket: {strerror}.",
                strerror=error.strerror,
            )
        )
    finally:
        with _lock:
            del _downloads[path]
        download.has_ended.set()


def _remove_abandoned(folder: Path) -> None:
    """Remove unfinished downloads of killed processes."""
    for path in folder.glob(f".*{UNFINISHED}"):
        try:
            if time.time() - path.stat().st_mtime > _ABANDONED_S:
                path.unlink(missing_ok=True)
        except FileNotFoundError:
            continue

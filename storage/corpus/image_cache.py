"""Page images on disk: a cache with a size limit, and thumbnails. Processes may share both."""

from __future__ import annotations

import fcntl
import logging
import math
import os
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

RENDERER = f"pymupdf-{version('pymupdf')}-jpeg80"
DEFAULT_LIMIT = 2_000_000_000
"""Bytes."""
THUMBNAIL_DPI = 40
"""A page of letter size is then 440 pixels high: one image for cards, previews and lists."""

_TRIM_TARGET = 0.8
_TRIM_INTERVAL = 0.05
_TOUCH_INTERVAL_S = 3_600
_ABANDONED_S = 3_600
_PART = ".part"
_SIZE_FILE = ".measured"
_log = logging.getLogger(__name__)


class ImageCache:
    """JPEG images by (document hash, page, dpi); the least recently used are removed first.

    Images of ``THUMBNAIL_DPI`` have a folder of their own, where they stay; they do not count
    towards the limit. If its folder is deleted, full or read-only, nothing is cached.

    Attributes:
        pages, thumbnails: the two folders.

    Args:
        cache_dir: the workspace's cache folder.
        limit: bytes. Each process trims the cache to four fifths of the limit whenever it has
            written a twentieth, so that four processes together stay below the limit.
    """

    def __init__(self, cache_dir: Path, limit: int = DEFAULT_LIMIT) -> None:
        self.pages = cache_dir / "pages"
        self._folder = self.pages / RENDERER
        self.thumbnails = cache_dir / "thumbnails"
        self._limit = limit
        self._unmeasured_bytes = math.inf  # written since the last measurement

    def read(self, sha256: str, page: int, dpi: int) -> bytes | None:
        """The image, or None if it is not cached, or truncated by a power cut."""
        try:
            with self._path(sha256, page, dpi).open("rb") as file:
                image = file.read()
                if os.fstat(file.fileno()).st_mtime < time.time() - _TOUCH_INTERVAL_S:
                    os.utime(file.fileno())
        except OSError:
            return None
        return image if image.startswith(b"\xff\xd8") and image.endswith(b"\xff\xd9") else None

    def missing_thumbnails(self, sha256: str, n_pages: int) -> list[int]:
        """Numbers of the pages without a thumbnail, in order."""
        try:
            names = {path.name for path in self._thumbnail_folder(sha256).iterdir()}
        except OSError:
            names = set()
        return [page for page in range(1, n_pages + 1) if f"{page}.jpg" not in names]

    def folders(self, sha256: str) -> list[Path]:
        """The folders with images of a document."""
        return [self._thumbnail_folder(sha256), self._folder / sha256[:2] / sha256]

    def has(self, sha256: str, page: int, dpi: int) -> bool:
        """Whether there is an image, which may be truncated."""
        return self._path(sha256, page, dpi).is_file()

    def write(self, sha256: str, page: int, dpi: int, image: bytes) -> None:
        """Store an image; a failure is logged and costs speed only."""
        path = self._path(sha256, page, dpi)
        temporary = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.pages.mkdir(parents=True, exist_ok=True)
            # In the cache's own folder, where ``trim`` removes what a killed process left.
            descriptor, temporary = tempfile.mkstemp(dir=self.pages, suffix=_PART)
            with os.fdopen(descriptor, "wb") as file:
                file.write(image)
            Path(temporary).replace(path)
        except OSError as error:
            _log.warning("page cache not written: %s", error)
            if temporary is not None:
                Path(temporary).unlink(missing_ok=True)
        if dpi != THUMBNAIL_DPI:
            self._unmeasured_bytes += len(image)

    @property
    def trim_is_due(self) -> bool:
        """Whether this process has written enough to exceed the limit."""
        return self._unmeasured_bytes >= self._limit * _TRIM_INTERVAL

    def trim(self) -> None:
        """Measure the cache, and remove the least recently used images if it is too large."""
        self._unmeasured_bytes = 0
        try:
            with (self.pages / _SIZE_FILE).open("a") as size_file:
                fcntl.flock(size_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                total = self._remove_oldest()
                size_file.truncate(0)
                size_file.write(str(total))
        except BlockingIOError:
            return  # another process is trimming
        except OSError as error:
            _log.warning("page cache not trimmed: %s", error)

    @property
    def measured_bytes(self) -> int:
        """Size of all images at the last measurement by any process; 0 before the first."""
        try:
            return int((self.pages / _SIZE_FILE).read_text(encoding="ascii") or 0)
        except (OSError, ValueError):
            return 0

    def _remove_oldest(self) -> int:
        """Remove old images until within the limit; returns the remaining bytes."""
        files = sorted(_files(self.pages))
        total = sum(size for _, size, _ in files)
        abandoned_before = time.time() - _ABANDONED_S
        for used, size, path in files:
            # Unfinished files of killed processes are removed as well.
            if total > self._limit * _TRIM_TARGET or (
                path.endswith(_PART) and used < abandoned_before
            ):
                Path(path).unlink(missing_ok=True)
                total -= size
        return total

    def _thumbnail_folder(self, sha256: str) -> Path:
        return self.thumbnails / sha256[:2] / sha256

    def _path(self, sha256: str, page: int, dpi: int) -> Path:
        if dpi == THUMBNAIL_DPI:
            return self._thumbnail_folder(sha256) / f"{page}.jpg"
        return self._folder / sha256[:2] / sha256 / f"{page}-{dpi}.jpg"


def _files(folder: Path | str) -> Iterator[tuple[float, int, str]]:
    """Last use (seconds since 1970), size and path of every image, of any renderer."""
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    yield from _files(entry.path)
                elif entry.name.endswith((".jpg", _PART)):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_mtime, status.st_size, entry.path
            except FileNotFoundError:
                continue  # removed meanwhile

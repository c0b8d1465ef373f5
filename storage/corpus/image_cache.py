"""Page images on disk, within a limit. Several processes may use one cache at the same time."""

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

_TRIM_TO = 0.8
_TRIM_EVERY = 0.05
_USED_AGAIN_S = 3_600
_GIVEN_UP_S = 3_600
_PART = ".part"
_MEASURED = ".measured"
_log = logging.getLogger(__name__)


class ImageCache:
    """JPEG images by (document hash, page, dpi); the least recently used are removed first.

    It works without its folder, too: if that is deleted, full or read-only, nothing is found.

    Args:
        cache_dir: the workspace's folder.
        limit: bytes. Each process that writes looks whenever it has written a twentieth of that,
            and leaves four fifths, so that four processes together stay below the limit.
    """

    def __init__(self, cache_dir: Path, limit: int = DEFAULT_LIMIT) -> None:
        self._root = cache_dir / "pages"
        self._folder = self._root / RENDERER
        self._limit = limit
        self._written = math.inf  # bytes since it was last measured, which it was not yet

    def read(self, sha256: str, page: int, dpi: int) -> bytes | None:
        """The image; None if there is none, or only part of one after a power cut."""
        try:
            with self._path(sha256, page, dpi).open("rb") as file:
                image = file.read()
                if os.fstat(file.fileno()).st_mtime < time.time() - _USED_AGAIN_S:
                    os.utime(file.fileno())
        except OSError:
            return None
        return image if image.startswith(b"\xff\xd8") and image.endswith(b"\xff\xd9") else None

    def has(self, sha256: str, page: int, dpi: int) -> bool:
        """Whether there is an image; it is not looked into."""
        return self._path(sha256, page, dpi).is_file()

    def write(self, sha256: str, page: int, dpi: int, image: bytes) -> None:
        """Store an image; a failure is logged and costs speed only."""
        path = self._path(sha256, page, dpi)
        temporary = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=_PART)
            with os.fdopen(handle, "wb") as file:
                file.write(image)
            Path(temporary).replace(path)
        except OSError as error:
            _log.warning("page cache not written: %s", error)
            if temporary is not None:
                Path(temporary).unlink(missing_ok=True)
        self._written += len(image)

    @property
    def trim_is_due(self) -> bool:
        """Whether this process has written so much that the limit may have been reached."""
        return self._written >= self._limit * _TRIM_EVERY

    def trim(self) -> None:
        """Measure the cache, and where it is too large remove what was used longest ago."""
        self._written = 0
        try:
            with (self._root / _MEASURED).open("a") as measured:
                fcntl.flock(measured, fcntl.LOCK_EX | fcntl.LOCK_NB)
                total = self._remove_oldest()
                measured.truncate(0)
                measured.write(str(total))
        except BlockingIOError:
            return  # another process is at it
        except OSError as error:
            _log.warning("page cache not trimmed: %s", error)

    @property
    def measured(self) -> int:
        """Bytes of all images when some process last looked; 0 before the first look."""
        try:
            return int((self._root / _MEASURED).read_text(encoding="ascii") or 0)
        except (OSError, ValueError):
            return 0

    def _remove_oldest(self) -> int:
        """Keep to the limit; returns the bytes that are left."""
        files = sorted(_files(self._root))
        total = sum(size for _, size, _ in files)
        given_up = time.time() - _GIVEN_UP_S
        for used, size, path in files:
            # What a killed process left half-written belongs to nobody.
            if total > self._limit * _TRIM_TO or (path.endswith(_PART) and used < given_up):
                Path(path).unlink(missing_ok=True)
                total -= size
        return total

    def _path(self, sha256: str, page: int, dpi: int) -> Path:
        return self._folder / sha256[:2] / sha256 / f"{page}-{dpi}.jpg"


def _files(folder: Path | str) -> Iterator[tuple[float, int, str]]:
    """Last use (seconds since 1970), size and path of every image, whatever drew it."""
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    yield from _files(entry.path)
                elif entry.name.endswith((".jpg", _PART)):
                    found = entry.stat(follow_symlinks=False)
                    yield found.st_mtime, found.st_size, entry.path
            except FileNotFoundError:
                continue  # removed in the meantime

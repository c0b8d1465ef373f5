"""The cache of page images keeps to its limit."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

import pytest

from pagetrail.storage.corpus.image_cache import ImageCache

IMAGE = b"\xff\xd8" + bytes(996) + b"\xff\xd9"
DAY_S = 86_400


def _filled(folder: Path, limit: int, pages: int) -> ImageCache:
    """Images of 1,000 bytes; page 1 was used longest ago."""
    cache = ImageCache(folder, limit)
    for page in range(1, pages + 1):
        cache.write("a" * 64, page, 75, IMAGE)
        _used(folder, page, days_ago=pages + 1 - page)
    return cache


def _used(folder: Path, page: int, days_ago: float) -> None:
    (path,) = folder.rglob(f"{page}-75.jpg")
    at = time.time() - days_ago * DAY_S
    os.utime(path, (at, at))


def _pages(cache: ImageCache, pages: int) -> list[int]:
    return [page for page in range(1, pages + 1) if cache.read("a" * 64, page, 75)]


def test_the_least_recently_used_are_removed_first(tmp_path: Path) -> None:
    """Down to four fifths of the limit; reading an image counts as using it."""
    cache = _filled(tmp_path, limit=10_000, pages=12)
    assert cache.read("a" * 64, 2, 75) == IMAGE
    cache.trim()
    assert _pages(cache, 12) == [2, 6, 7, 8, 9, 10, 11, 12]
    assert cache.measured_bytes == 8_000
    cache.trim()
    assert cache.measured_bytes == 8_000


def test_a_cache_within_the_limit_loses_nothing(tmp_path: Path) -> None:
    """However old its images are; what another version drew and what was left half-written go."""
    cache = _filled(tmp_path, limit=100_000, pages=3)
    (folder,) = {path.parent for path in tmp_path.rglob("*.jpg")}
    killed, working = folder / "killed.part", folder / "working.part"
    for part in (killed, working):
        part.write_bytes(b"half")
    os.utime(killed, (0, 0))
    cache.trim()
    assert _pages(cache, 3) == [1, 2, 3]
    assert not killed.exists()
    assert working.exists()


def test_images_of_other_versions_count_and_are_removed(tmp_path: Path) -> None:
    """Nothing reads them any more, so they are the first to go."""
    old = tmp_path / "pages" / "pymupdf-1.0.0-jpeg80" / "aa" / "a" / "1-75.jpg"
    old.parent.mkdir(parents=True)
    old.write_bytes(IMAGE)
    os.utime(old, (0, 0))
    cache = ImageCache(tmp_path, 10_000)
    for page in range(2, 10):
        cache.write("a" * 64, page, 75, IMAGE)
    cache.trim()
    assert not old.exists()
    assert len(_pages(cache, 10)) == 8


def test_a_process_looks_at_first_and_whenever_it_has_written_a_twentieth(tmp_path: Path) -> None:
    """Not with every image: looking reads the whole folder."""
    cache = ImageCache(tmp_path, 100_000)
    looked = []
    for page in range(11):
        cache.write("a" * 64, page, 75, IMAGE)
        if cache.trim_is_due:
            looked.append(page)
            cache.trim()
    assert looked == [0, 5, 10]


def test_one_process_at_a_time_removes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """While another holds the lock nothing happens; an unwritable folder is only logged."""
    cache = _filled(tmp_path, limit=2_000, pages=4)
    with (tmp_path / "pages" / ".measured").open("a") as locked_file:
        fcntl.flock(locked_file, fcntl.LOCK_EX)
        cache.trim()
        assert len(_pages(cache, 4)) == 4
    assert not caplog.records
    ImageCache(tmp_path / "gone", 2_000).trim()
    assert "page cache not trimmed" in caplog.text

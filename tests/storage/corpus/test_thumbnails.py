"""Thumbnails: each page's is drawn once, after an ingest or in idle moments, and then stays."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest

from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.image_cache import THUMBNAIL_DPI, ImageCache
from pagetrail.storage.corpus.overview import clear_cache
from pagetrail.storage.corpus.thumbnails import (
    IdleThumbnails,
    ThumbnailReport,
    draw_thumbnails,
    machine_is_idle,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from tests.storage.pdfs import make_pdf

PAGES = 12


@pytest.fixture
def collection(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Two documents of six pages."""
    paths = [
        make_pdf(tmp_path / name, [f"{name} {n}" for n in range(PAGES // 2)])
        for name in ("a.pdf", "b.pdf")
    ]
    ingest(workspace, paths, ocr="never", workers=1)
    return workspace


def _idle(workspace: Workspace, quiet: Callable[[], bool] = lambda: True) -> IdleThumbnails:
    return IdleThumbnails(Corpus(workspace), workspace.cache_dir, quiet)


def _draw_all(
    workspace: Workspace, progress: Callable[[int, int], None] = lambda done, total: None
) -> ThumbnailReport:
    return draw_thumbnails(workspace, Corpus(workspace).names(), progress)


def _thumbnail_times(workspace: Workspace) -> dict[Path, float]:
    paths = ImageCache(workspace.cache_dir).thumbnails.rglob("*.jpg")
    return {path: path.stat().st_ctime for path in paths}


def test_only_what_is_missing_is_drawn(collection: Workspace) -> None:
    """As after an interruption, or for a document that was added; the report says what it took."""
    report = _draw_all(collection)
    first = _thumbnail_times(collection)
    assert (report.drawn, report.failed, report.missing) == (PAGES, 0, 0)
    assert report.bytes == sum(path.stat().st_size for path in first)
    removed = sorted(first)[3]
    removed.unlink()
    assert _draw_all(collection).drawn == 1
    second = _thumbnail_times(collection)
    assert {path for path in second if second[path] != first[path]} == {removed}


def test_an_interrupted_run_keeps_what_it_has_drawn(collection: Workspace) -> None:
    """The next one draws the rest."""

    def interrupt(done: int, _total: int) -> None:
        if done:
            raise KeyboardInterrupt

    first = _draw_all(collection, interrupt)
    assert first.drawn == len(_thumbnail_times(collection)) > 0
    assert first.drawn + first.missing == PAGES
    assert _draw_all(collection).drawn == first.missing


def test_a_file_that_cannot_be_drawn_is_passed_over(collection: Workspace) -> None:
    """The other document has its thumbnails, and the report counts the pages."""
    info = Corpus(collection).document("a.pdf")
    assert info is not None
    Corpus(collection).path(info.sha256).write_bytes(b"%PDF-1.7 gone")
    report = _draw_all(collection)
    assert (report.drawn, report.failed) == (PAGES // 2, PAGES // 2)
    assert len(_thumbnail_times(collection)) == PAGES // 2


def test_a_disk_that_takes_none_ends_the_run(collection: Workspace) -> None:
    """Not every page is drawn in vain."""
    ImageCache(collection.cache_dir).thumbnails.write_text("in the way")
    report = _draw_all(collection)
    assert report.missing >= PAGES - 2
    assert "The disk does not take the thumbnails of pages." in report.sentence()


def test_idle_drawing_fills_what_is_missing_and_starts_again_after_clearing(
    collection: Workspace,
) -> None:
    """A collection that is complete is not looked through again."""
    _idle(collection).draw_missing()
    first = _thumbnail_times(collection)
    assert len(first) == PAGES
    sorted(first)[0].unlink()
    _idle(collection).draw_missing()
    assert len(_thumbnail_times(collection)) == PAGES - 1
    clear_cache(collection)
    assert _thumbnail_times(collection) == {}
    _idle(collection).draw_missing()
    assert len(_thumbnail_times(collection)) == PAGES


def test_nothing_is_drawn_while_anybody_needs_the_machine(collection: Workspace) -> None:
    """It waits, and ends at once when the server does."""
    asked = Event()

    def is_idle() -> bool:
        asked.set()
        return False

    thumbnails = _idle(collection, is_idle)
    rendering = Thread(target=thumbnails.draw_missing)
    rendering.start()
    assert asked.wait(60)
    assert _thumbnail_times(collection) == {}
    thumbnails.close()
    rendering.join(timeout=60)
    assert not rendering.is_alive()
    assert _thumbnail_times(collection) == {}


def test_trimming_the_page_cache_leaves_thumbnails(tmp_path: Path) -> None:
    """However small its limit is."""
    cache = ImageCache(tmp_path, limit=1)
    for dpi in (THUMBNAIL_DPI, 150):
        cache.write("ab" * 32, 1, dpi, b"\xff\xd8 image \xff\xd9")
    cache.trim()
    assert cache.read("ab" * 32, 1, 150) is None
    assert cache.read("ab" * 32, 1, THUMBNAIL_DPI) is not None


def test_a_machine_on_which_pages_are_drawn_is_not_quiet() -> None:
    """Nor for five seconds afterwards."""
    assert not machine_is_idle(time.monotonic() - 1)

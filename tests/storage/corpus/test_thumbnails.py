"""Thumbnails made ahead: all of them, in quiet moments only, going on where they stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.overview import clear_cache
from pagetrail.storage.corpus.page_worker import THUMBNAIL_DPI
from pagetrail.storage.corpus.thumbnails import Thumbnails, machine_is_idle
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


def _thumbnails(
    workspace: Workspace, quiet: Callable[[], bool] = lambda: True, limit: int = 10**9
) -> Thumbnails:
    return Thumbnails(Corpus(workspace), workspace.cache_dir, limit, quiet)


def _thumbnail_times(workspace: Workspace) -> dict[Path, float]:
    paths = workspace.cache_dir.rglob(f"*-{THUMBNAIL_DPI}.jpg")
    return {path: path.stat().st_ctime for path in paths}


def test_every_page_gets_one_and_only_what_is_missing_is_drawn(collection: Workspace) -> None:
    """As after an interruption, or a document that was added."""
    _thumbnails(collection).render_all()
    first = _thumbnail_times(collection)
    assert len(first) == PAGES
    removed = sorted(first)[3]
    removed.unlink()
    _thumbnails(collection).render_all()
    second = _thumbnail_times(collection)
    assert {path for path in second if second[path] != first[path]} == {removed}


def test_a_file_that_cannot_be_drawn_is_passed_over(collection: Workspace) -> None:
    """The other document has its thumbnails."""
    info = Corpus(collection).document("a.pdf")
    assert info is not None
    Corpus(collection).path(info.sha256).write_bytes(b"%PDF-1.7 gone")
    _thumbnails(collection).render_all()
    assert len(_thumbnail_times(collection)) == PAGES // 2


def test_nothing_is_drawn_while_anybody_needs_the_machine(collection: Workspace) -> None:
    """It waits, and ends at once when the server does."""
    thumbnails = _thumbnails(collection, quiet=lambda: False)
    rendering = Thread(target=thumbnails.render_all)
    rendering.start()
    time.sleep(0.5)
    assert _thumbnail_times(collection) == {}
    thumbnails.close()
    rendering.join(timeout=60)
    assert not rendering.is_alive()
    assert _thumbnail_times(collection) == {}


def test_they_take_half_of_the_cache_at_most(collection: Workspace) -> None:
    """Pages that people opened keep the other half."""
    _thumbnails(collection).render_all()
    total_bytes = sum(path.stat().st_size for path in _thumbnail_times(collection))
    clear_cache(collection)
    _thumbnails(collection, limit=int(0.9 * total_bytes)).render_all()
    assert len(_thumbnail_times(collection)) == PAGES // 2


def test_a_machine_on_which_pages_are_drawn_is_not_quiet() -> None:
    """Nor for five seconds afterwards."""
    assert not machine_is_idle(time.monotonic() - 1)

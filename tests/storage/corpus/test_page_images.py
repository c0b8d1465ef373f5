"""Images of pages: right, cached, and served even where the cache cannot be written."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from pagetrail.annotation.errors import NotFoundError
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.image_cache import THUMBNAIL_DPI
from pagetrail.storage.corpus.page_images import PageImages
from pagetrail.storage.corpus.page_workers import PageOfFile, PageWorkers
from pagetrail.storage.corpus.thumbnails import draw_thumbnails
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from tests.storage.pdfs import make_pdf


class _Counting(PageWorkers):
    """Counts how often a page is really drawn."""

    rendered_pages = 0

    def jpeg(self, page: PageOfFile, dpi: int) -> bytes:
        self.rendered_pages += 1
        return super().jpeg(page, dpi)


@pytest.fixture
def counting(workspace: Workspace) -> Iterator[_Counting]:
    """Two processes that draw."""
    workers = _Counting(workspace.cache_dir, size=2, limit_s=60)
    yield workers
    workers.pool.close()


@pytest.fixture
def sha256(workspace: Workspace, tmp_path: Path) -> str:
    """The hash of a registered document of nine pages."""
    path = make_pdf(tmp_path / "report.pdf", [f"page {n}" for n in range(1, 10)])
    return ingest(workspace, [path], ocr="never").ingested[0].sha256


def test_a_page_is_drawn_once_and_then_read(
    workspace: Workspace, sha256: str, counting: _Counting
) -> None:
    """The same bytes come from the cache, also for another process's instance."""
    images = PageImages(workspace, workers=counting)
    first = images.jpeg(sha256, 1)
    assert Image.open(io.BytesIO(first)).size == (625, 417)
    assert images.jpeg(sha256, 1) == first
    assert PageImages(workspace, Corpus(workspace), counting).jpeg(sha256, 1) == first
    assert counting.rendered_pages == 1
    assert images.jpeg(sha256, 1, dpi=72) != first


def test_a_stored_thumbnail_is_read_and_a_missing_one_is_drawn_and_stored(
    workspace: Workspace, sha256: str, counting: _Counting
) -> None:
    """After an ingest nothing is drawn for a thumbnail; in an older workspace once, on request."""
    images = PageImages(workspace, workers=counting)
    drawn_on_request = images.jpeg(sha256, 1, THUMBNAIL_DPI)
    assert counting.rendered_pages == 1
    draw_thumbnails(workspace, ["report.pdf"], lambda done, total: None)
    stored = [images.jpeg(sha256, page, THUMBNAIL_DPI) for page in range(1, 10)]
    assert counting.rendered_pages == 1
    assert stored[0] == drawn_on_request
    assert Image.open(io.BytesIO(stored[8])).size == (167, 112)


def test_many_at_once_draw_each_page_once(
    workspace: Workspace, sha256: str, counting: _Counting
) -> None:
    """Sixty-four requests from sixteen threads for nine pages draw nine pages, whole ones."""
    images = PageImages(workspace, workers=counting)
    with ThreadPoolExecutor(16) as threads:
        pictures = list(threads.map(lambda n: images.jpeg(sha256, n % 9 + 1), range(64)))
    assert counting.rendered_pages == 9
    assert len(set(pictures)) == 9
    assert not list(workspace.cache_dir.rglob("*.part"))


def test_a_page_that_does_not_exist_is_named(workspace: Workspace, sha256: str) -> None:
    """Document, page and what exists are in the message."""
    images = PageImages(workspace)
    for page in (0, -1, 12):
        with pytest.raises(NotFoundError) as caught:
            images.jpeg(sha256, page)
        assert caught.value.message == (
            f"page {page} of report.pdf does not exist: the document has 9 pages"
        )
    with pytest.raises(NotFoundError, match="No document in this workspace has the hash"):
        images.jpeg("../../etc/passwd", 1)
    with pytest.raises(NotFoundError, match="24 to 300 dpi, not at 9000"):
        images.jpeg(sha256, 1, dpi=9000)


def test_a_cache_that_cannot_be_written_serves_all_the_same(
    workspace: Workspace, sha256: str, counting: _Counting
) -> None:
    """A file in the place of the cache folder (as a full or read-only disk) costs speed only."""
    (workspace.cache_dir / "pages").write_text("in the way")
    images = PageImages(workspace, workers=counting)
    assert images.jpeg(sha256, 2) == images.jpeg(sha256, 2)
    assert counting.rendered_pages == 2


def test_a_torn_cache_file_is_drawn_again(
    workspace: Workspace, sha256: str, counting: _Counting
) -> None:
    """What a power cut left of an image is never served."""
    images = PageImages(workspace, workers=counting)
    image = images.jpeg(sha256, 3)
    (cached,) = workspace.cache_dir.rglob("*.jpg")
    for torn in (b"", image[: len(image) // 2]):
        cached.write_bytes(torn)
        assert images.jpeg(sha256, 3) == image
        assert cached.read_bytes() == image

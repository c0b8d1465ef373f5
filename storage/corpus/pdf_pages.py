"""Extracts words and renders images of pages with PyMuPDF; lengths as in ``storage.corpus.pdf``."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymupdf
from cachetools import LRUCache
from PIL import Image

from pagetrail.annotation.errors import CorpusError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.corpus.page_values import MAX_PIXELS, Word, pixels_per_point
from pagetrail.storage.corpus.pdf import MUPDF_LOCK, PDF_ERRORS, open_pdf
from pagetrail.storage.database.storable_text import clean_text


class _OpenDocuments(LRUCache[Path, Any]):
    """Open documents, the least recently used closed first; only used under ``MUPDF_LOCK``."""

    def __missing__(self, path: Path) -> Any:
        self[path] = document = open_pdf(path)
        return document

    def popitem(self) -> tuple[Path, Any]:
        path, document = super().popitem()
        document.close()
        return path, document


class PdfPages:
    """Words and images of pages. Thread-safe.

    Up to ``keep_open`` documents stay open; they are used and closed under ``MUPDF_LOCK``.
    """

    def __init__(self, keep_open: int = 8) -> None:
        self._open = _OpenDocuments(keep_open)

    def render_jpeg(self, path: Path, page: int, dpi: int = 150) -> bytes:
        """The displayed page as a JPEG of quality 80 with at most ``MAX_PIXELS`` pixels.

        Raises:
            CorpusError: the file or the page cannot be read.
        """
        with self._page(path, page) as pdf_page:
            scale = pixels_per_point(pdf_page.rect.width, pdf_page.rect.height, dpi, MAX_PIXELS)
            return _jpeg(pdf_page, scale, scale)

    def render_filled(self, path: Path, page: int, size: tuple[int, int]) -> bytes:
        """The displayed page as a JPEG of exactly this size, for measuring in pixels.

        A pixel is ``width of the page / size[0]`` points wide, and its height is computed likewise;
        the two may differ by less than a pixel over the page. ``pixel_size`` gives the size for a
        dpi.

        Raises:
            CorpusError: the file or the page cannot be read.
        """
        with self._page(path, page) as pdf_page:
            scale_x, scale_y = size[0] / pdf_page.rect.width, size[1] / pdf_page.rect.height
            return _jpeg(pdf_page, scale_x, scale_y, size)

    def words(self, path: Path, page: int, limit: int | None = None) -> list[Word]:
        """The words of the text layer in reading order, clipped to the displayed page.

        Words entirely outside the crop box are left out; a page without text has none.

        Args:
            limit: maximum number of words.

        Raises:
            CorpusError: the file or the page cannot be read.
        """
        with self._page(path, page) as pdf_page:
            frame = pdf_page.rect
            rotation = _rotation_matrix(pdf_page.rotation, frame.width, frame.height)
            text_words = pdf_page.get_text("words")
        words = []
        for x0, y0, x1, y1, text, *_ in text_words[:limit]:
            box = (pymupdf.Rect(x0, y0, x1, y1) * rotation).normalize() & frame
            if box.x0 < box.x1 and box.y0 < box.y1:
                words.append(Word(box.x0, box.y0, box.x1, box.y1, clean_text(text)[0]))
        return words

    def close(self) -> None:
        """Close all documents; the next use opens them again."""
        with MUPDF_LOCK:
            while self._open:
                self._open.popitem()

    @contextmanager
    def _page(self, path: Path, page: int) -> Iterator[Any]:
        """Load the page and hold the lock."""
        with MUPDF_LOCK:
            document = self._open[path]
            if not 1 <= page <= document.page_count:
                raise CorpusError(
                    gettext(
                        "Page {page} does not exist: the document has {page_count} pages.",
                        page=page,
                        page_count=document.page_count,
                    )
                )
            try:
                yield document.load_page(page - 1)
            except PDF_ERRORS as error:
                raise CorpusError(
                    gettext("Page {page} cannot be read: the PDF is damaged.", page=page)
                ) from error


def _rotation_matrix(rotation: int, width: float, height: float) -> Any:
    """Matrix from unrotated to displayed points of a page with this displayed size.

    PyMuPDF's own ``rotation_matrix`` ignores UserUnit.
    """
    return {
        0: pymupdf.Matrix(1, 0, 0, 1, 0, 0),
        90: pymupdf.Matrix(0, 1, -1, 0, width, 0),
        180: pymupdf.Matrix(-1, 0, 0, -1, width, height),
        270: pymupdf.Matrix(0, -1, 1, 0, 0, height),
    }[rotation]


def _jpeg(page: Any, scale_x: float, scale_y: float, size: tuple[int, int] | None = None) -> bytes:
    """The page at this scale (pixels per point), cropped to ``size`` if given.

    Pillow encodes, straight from MuPDF's pixels: MuPDF's own encoder takes ten times as long for
    7 % fewer bytes.
    """
    pixmap = page.get_pixmap(
        matrix=pymupdf.Matrix(scale_x, scale_y), colorspace=pymupdf.csRGB, alpha=False
    )
    rendered_size = (pixmap.width, pixmap.height)
    image = Image.frombuffer("RGB", rendered_size, pixmap.samples_mv, "raw", "RGB", 0, 1)
    if size is not None and size != rendered_size:
        # MuPDF computes in single precision and may add a row or column to a large page.
        image = image.crop((0, 0, *size))
    encoded = io.BytesIO()
    image.save(encoded, "JPEG", quality=80)
    # Drawn pages are cached on disk; MuPDF's own cache would take up to 256 MB of images.
    pymupdf.TOOLS.store_shrink(100)
    return encoded.getvalue()

"""Words and images of pages for screens and exports; lengths as in ``storage.corpus.pdf``."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pymupdf
from cachetools import LRUCache
from PIL import Image

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.pdf import (
    EXTRACTOR,
    MUPDF_LOCK,
    PDF_ERRORS,
    open_pdf,
    pixels_per_point,
)
from pagetrail.storage.database.storable_text import clean_text

RENDERER = f"{EXTRACTOR.replace(' ', '-')}-jpeg80"
MAX_PIXELS = 16_000_000
"""A page is drawn smaller rather than with more pixels than this."""


class Word(NamedTuple):
    """A word of the text layer and its box on the displayed page, in points."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


class _OpenDocuments(LRUCache[Path, Any]):
    """Open documents; the least recently used is closed first.

    Used under ``MUPDF_LOCK`` only.
    """

    def __missing__(self, path: Path) -> Any:
        self[path] = document = open_pdf(path)
        return document

    def popitem(self) -> tuple[Path, Any]:
        path, document = super().popitem()
        document.close()
        return path, document


class PdfPages:
    """Words and images of pages for the screens. Thread-safe.

    MuPDF is used under one lock. Documents stay open; the least recently used is closed first, and
    always under that lock, so never while it is being read.
    """

    def __init__(self, keep_open: int = 8) -> None:
        self._open = _OpenDocuments(keep_open)

    def render_jpeg(self, path: Path, page: int, dpi: int = 150) -> bytes:
        """The displayed page as a JPEG of quality 80 with at most ``MAX_PIXELS`` pixels.

        Raises:
            CorpusError: the file or the page cannot be read.
        """
        with self._page(path, page) as loaded:
            scale = pixels_per_point(loaded.rect.width, loaded.rect.height, dpi, MAX_PIXELS)
            drawn = _drawn(loaded, scale, scale)
        return _jpeg(drawn)

    def render_filled(self, path: Path, page: int, size: tuple[int, int]) -> bytes:
        """The displayed page as a JPEG that it fills exactly, for measuring in pixels.

        A pixel is ``width of the page / size[0]`` points wide, and its height is computed likewise;
        the two may differ by less than a pixel over the page. ``pixel_size`` gives the size for a
        dpi.

        Raises:
            CorpusError: the file or the page cannot be read.
        """
        with self._page(path, page) as loaded:
            across, down = size[0] / loaded.rect.width, size[1] / loaded.rect.height
            drawn = _drawn(loaded, across, down)
        return _jpeg(drawn, size)

    def words(self, path: Path, page: int) -> list[Word]:
        """The words of the text layer in reading order, clipped to the displayed page.

        Words entirely outside the crop box are left out; a page without text has none.

        Raises:
            CorpusError: the file or the page cannot be read.
        """
        with self._page(path, page) as loaded:
            frame = loaded.rect
            turn = _rotation_matrix(loaded.rotation, frame.width, frame.height)
            found = loaded.get_text("words")
        words = []
        for x0, y0, x1, y1, text, *_ in found:
            box = (pymupdf.Rect(x0, y0, x1, y1) * turn).normalize() & frame
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
        """The loaded page, under the lock."""
        with MUPDF_LOCK:
            document = self._open[path]
            if not 1 <= page <= document.page_count:
                raise CorpusError(
                    f"Page {page} does not exist: the document has {document.page_count} pages."
                )
            try:
                yield document.load_page(page - 1)
            except PDF_ERRORS as error:
                raise CorpusError(f"Page {page} cannot be read: the PDF is damaged.") from error


def pixel_size(width: float, height: float, dpi: int) -> tuple[int, int]:
    """Size in whole pixels of a page given in points; fewer than at this dpi if it is too large."""
    scale = pixels_per_point(width, height, dpi, MAX_PIXELS)
    return max(1, math.floor(width * scale + 0.5)), max(1, math.floor(height * scale + 0.5))


def _rotation_matrix(rotation: int, width: float, height: float) -> Any:
    """Matrix from unrotated to displayed points of a page with this displayed size.

    PyMuPDF's own ``rotation_matrix`` leaves UserUnit out.
    """
    return {
        0: pymupdf.Matrix(1, 0, 0, 1, 0, 0),
        90: pymupdf.Matrix(0, 1, -1, 0, width, 0),
        180: pymupdf.Matrix(-1, 0, 0, -1, width, height),
        270: pymupdf.Matrix(0, -1, 1, 0, 0, height),
    }[rotation]


def _drawn(page: Any, across: float, down: float) -> tuple[tuple[int, int], bytes]:
    """Size and RGB samples; the costly encoding is done without the lock."""
    pixmap = page.get_pixmap(
        matrix=pymupdf.Matrix(across, down), colorspace=pymupdf.csRGB, alpha=False
    )
    size, samples = (pixmap.width, pixmap.height), bytes(pixmap.samples)
    del pixmap
    # Drawn pages are cached on disk; MuPDF's own cache would take up to 256 MB of images.
    pymupdf.TOOLS.store_shrink(100)
    return size, samples


def _jpeg(drawn: tuple[tuple[int, int], bytes], size: tuple[int, int] | None = None) -> bytes:
    image = Image.frombytes("RGB", *drawn)
    if size is not None and size != image.size:
        # MuPDF computes in single precision and may add a row or column to a large page.
        image = image.crop((0, 0, *size))
    encoded = io.BytesIO()
    image.save(encoded, "JPEG", quality=80)
    return encoded.getvalue()

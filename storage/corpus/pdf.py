"""PDF files through PyMuPDF: text, sizes, words and images of pages. Nothing else opens PDFs.

Lengths are PDF points on the page as displayed (crop box and /Rotate applied), origin top-left,
x to the right, y down (docs/metrics.md, Boxes). A page is counted from 1.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import pymupdf
from cachetools import LRUCache
from PIL import Image

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.database.storable_text import clean_text

EXTRACTOR = f"pymupdf {pymupdf.VersionBind}"
RENDERER = f"{EXTRACTOR.replace(' ', '-')}-jpeg80"
MAX_PIXELS = 16_000_000
MAX_SIDE = 12_000
"""A page that would have more pixels than this (in all, or in one direction) is drawn smaller."""

_UNREADABLE_RUN = 1_000
_PDF_ERRORS = (RuntimeError, ValueError, IndexError, pymupdf.mupdf.FzErrorBase)

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


class PageText(NamedTuple):
    """One page of a parsed document.

    ``crop_x0`` and ``crop_y0`` are the lower-left corner of the crop box in the PDF's own user
    space, where y goes up. ``readable`` is False if the file has no usable page of this number; the
    text is then empty and the size that of the page before.
    """

    width: float
    height: float
    rotation: int
    crop_x0: float
    crop_y0: float
    text: str
    readable: bool


@dataclass(frozen=True)
class PdfText:
    """The pages of a document, and problems found while reading it.

    Attributes:
        pages: all pages in order, unreadable ones included.
        claimed_pages: the page count that the file states.
        repaired: whether the file was damaged and the reader rebuilt its structure.
        replaced_characters: NUL and lone surrogates that were replaced.
    """

    pages: tuple[PageText, ...]
    claimed_pages: int
    repaired: bool
    replaced_characters: int


class Word(NamedTuple):
    """A word of the text layer and its box on the displayed page, in points."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


def read_pdf(path: Path, on_page: Callable[[int, int], None] | None = None) -> PdfText:
    """Text and geometry of every page.

    Args:
        on_page: called with (pages read, pages claimed) after each page.

    Raises:
        CorpusError: nothing in the file can be used; the message continues the file's name,
            e.g. "is protected by a password".
    """
    document = _open(path)
    try:
        claimed = document.page_count
        pages: list[PageText] = []
        replaced = unreadable_run = 0
        for number in range(claimed):
            try:
                page, changed = _page_text(document.load_page(number))
                replaced += changed
                unreadable_run = 0
            except _PDF_ERRORS:
                before = pages[-1] if pages else PageText(612.0, 792.0, 0, 0.0, 0.0, "", False)
                page = before._replace(text="", readable=False)
                unreadable_run += 1
            pages.append(page)
            if unreadable_run == _UNREADABLE_RUN:
                break
            if on_page is not None:
                on_page(number + 1, claimed)
        while pages and not pages[-1].readable:
            pages.pop()
        if not pages:
            raise CorpusError(
                "has no page that can be read"
                + (f", although it claims to have {claimed}." if claimed else ".")
            )
        return PdfText(tuple(pages), claimed, bool(document.is_repaired), replaced)
    finally:
        document.close()


def grey_image(path: Path, page: int, dpi: int, max_pixels: int) -> bytes | None:
    """The page as a grey PGM image for text recognition, or None if it is blank.

    Raises:
        CorpusError: the page cannot be drawn.
    """
    with _MUPDF:
        document = _open(path)
        try:
            loaded = document.load_page(page - 1)
            scale = _pixels_per_point(loaded.rect.width, loaded.rect.height, dpi, max_pixels)
            pixmap = loaded.get_pixmap(
                matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False
            )
            samples = bytes(pixmap.samples)
            # Not ``is_unicolor``: it takes seconds on a blank page of this size.
            blank = samples.count(samples[0]) == len(samples)
            return None if blank else bytes(pixmap.tobytes("pnm"))
        except _PDF_ERRORS as error:
            raise CorpusError(f"has a page {page} that cannot be drawn.") from error
        finally:
            document.close()


class _OpenDocuments(LRUCache[Path, Any]):
    """Open documents; the least recently used is closed first. Used under ``_MUPDF`` only."""

    def __missing__(self, path: Path) -> Any:
        self[path] = document = _open(path)
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
            scale = _pixels_per_point(loaded.rect.width, loaded.rect.height, dpi, MAX_PIXELS)
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
        with _MUPDF:
            while self._open:
                self._open.popitem()

    @contextmanager
    def _page(self, path: Path, page: int) -> Iterator[Any]:
        """The loaded page, under the lock."""
        with _MUPDF:
            document = self._open[path]
            if not 1 <= page <= document.page_count:
                raise CorpusError(
                    f"Page {page} does not exist: the document has {document.page_count} pages."
                )
            try:
                yield document.load_page(page - 1)
            except _PDF_ERRORS as error:
                raise CorpusError(f"Page {page} cannot be read: the PDF is damaged.") from error


_MUPDF = Lock()


def _open(path: Path) -> Any:
    try:
        document = pymupdf.open(str(path), filetype="pdf")
    except pymupdf.EmptyFileError as error:
        raise CorpusError("is empty (zero bytes).") from error
    except _PDF_ERRORS as error:
        raise CorpusError(_why_unreadable(path)) from error
    if document.needs_pass:
        document.close()
        raise CorpusError(
            "is protected by a password. Save a copy without the password and ingest that."
        )
    try:
        document.page_count  # noqa: B018 - reading it is what fails
    except _PDF_ERRORS as error:
        document.close()
        raise CorpusError(
            "is damaged: it claims a number of pages that it cannot have. Print it to a new PDF "
            "and ingest that."
        ) from error
    return document


def _why_unreadable(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(1024)
    if b"%PDF-" in start:
        return "starts like a PDF but has no readable content: it is damaged or incomplete."
    return "is not a PDF: its content does not start with %PDF."


def _page_text(page: Any) -> tuple[PageText, int]:
    rect = page.rect
    width, height = float(rect.width), float(rect.height)
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise ValueError("a page without an area")
    crop, media = page.cropbox, page.mediabox
    text, replaced = clean_text(page.get_text("text"))
    crop_y0 = float(media.y1 - crop.y1)
    return PageText(width, height, page.rotation, float(crop.x0), crop_y0, text, True), replaced


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


def pixel_size(width: float, height: float, dpi: int) -> tuple[int, int]:
    """Size in whole pixels of a page given in points; fewer than at this dpi if it is too large."""
    scale = _pixels_per_point(width, height, dpi, MAX_PIXELS)
    return max(1, math.floor(width * scale + 0.5)), max(1, math.floor(height * scale + 0.5))


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


def _pixels_per_point(width: float, height: float, dpi: int, max_pixels: int) -> float:
    """Pixels per point at ``dpi``, or fewer if the image would be too large."""
    return min(dpi / 72, math.sqrt(max_pixels / (width * height)), MAX_SIDE / max(width, height))

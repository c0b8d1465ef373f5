"""PDF files through PyMuPDF: opened here and nowhere else; text and sizes of their pages.

Lengths are PDF points on the page as displayed (crop box and /Rotate applied), origin top-left,
x to the right, y down (docs/metrics.md, Boxes). A page is counted from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import pymupdf

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.page_values import (
    UNREADABLE_PAGE,
    UNREADABLE_RUN,
    FirstPages,
    PagesFrom,
    PageText,
    PdfText,
    joined_pages,
    pixels_per_point,
)
from pagetrail.storage.database.storable_text import clean_text

MUPDF_LOCK = Lock()
"""Held while MuPDF is used; it is not thread-safe."""

MAX_SPLIT_PAGES = 100_000
"""A file that claims more is read by one worker: it soon finds out whether it has them."""
_INFINITE = 2.0**31
"""What MuPDF gives as the size of a page without bounds is larger."""
_IDENTITY = pymupdf.Matrix(1, 1)
PDF_ERRORS = (
    *(RuntimeError, ValueError, IndexError, ArithmeticError),
    pymupdf.mupdf.FzErrorBase,
)
"""ArithmeticError is for sizes of pages whose product is 0 or infinite."""

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


def read_pdf(path: Path, on_page: Callable[[int, int], None] | None = None) -> PdfText:
    """Text and geometry of every page.

    Args:
        on_page: called with (pages read, pages claimed) after each page.

    Raises:
        CorpusError: nothing in the file can be used; the message continues the file's name,
            e.g. "is protected by a password".
    """
    found = read_start(path, on_page, pages=None)
    assert isinstance(found, PdfText)
    return found


def read_start(
    path: Path, on_page: Callable[[int, int], None] | None = None, *, pages: int | None
) -> PdfText | FirstPages:
    """All pages, or the first ones of a sound document that has more than twice as many.

    Args:
        pages: how many are the first ones; None: all are read here.

    Raises:
        CorpusError: as ``read_pdf``.
    """
    document = open_pdf(path)
    try:
        claimed = document.page_count
        split = pages is not None and 2 * pages < claimed <= MAX_SPLIT_PAGES
        first = pages if pages is not None and split else claimed
        found, replaced = _read_range(document, 0, first, on_page)
        # A damaged file is repaired each time it is opened, which may take long.
        if first < claimed and found[-1].readable and not document.is_repaired:
            return FirstPages(found, replaced, claimed)
        more, also_replaced = _read_range(document, first, claimed, on_page)
        whole = joined_pages((*found, *more), claimed)
        return PdfText(whole, claimed, bool(document.is_repaired), replaced + also_replaced)
    finally:
        document.close()


def read_pages(path: Path, first: int, end: int) -> PagesFrom:
    """Pages of a document from index ``first`` up to ``end`` (0-based, exclusive)."""
    document = open_pdf(path)
    try:
        pages, replaced = _read_range(document, first, end, None)
        return PagesFrom(first, pages, bool(document.is_repaired), replaced)
    finally:
        document.close()


def _read_range(
    document: Any, first: int, end: int, on_page: Callable[[int, int], None] | None
) -> tuple[tuple[PageText, ...], int]:
    pages: list[PageText] = []
    replaced = unreadable_run = 0
    for index in range(first, end):
        try:
            page, changed = _page_text(document.load_page(index))
            replaced += changed
            unreadable_run = 0
        except PDF_ERRORS:
            page = UNREADABLE_PAGE
            unreadable_run += 1
        pages.append(page)
        if unreadable_run == UNREADABLE_RUN:
            break
        if on_page is not None:
            on_page(index + 1, document.page_count)
    return tuple(pages), replaced


def grey_image(path: Path, page: int, dpi: int, max_pixels: int) -> tuple[bytes, float] | None:
    """The page as a grey PGM image for text recognition, and its pixels per point.

    None if the page is blank.

    Raises:
        CorpusError: the page cannot be drawn.
    """
    with MUPDF_LOCK:
        document = open_pdf(path)
        try:
            loaded = document.load_page(page - 1)
            scale = pixels_per_point(loaded.rect.width, loaded.rect.height, dpi, max_pixels)
            pixmap = loaded.get_pixmap(
                matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False
            )
            samples = bytes(pixmap.samples)
            # Not ``is_unicolor``: it takes seconds on a blank page of this size.
            blank = samples.count(samples[0]) == len(samples)
            return None if blank else (bytes(pixmap.tobytes("pnm")), scale)
        except PDF_ERRORS as error:
            raise CorpusError(f"has a page {page} that cannot be drawn.") from error
        finally:
            document.close()


def open_pdf(path: Path) -> Any:
    """The open document, which the caller closes.

    Raises:
        CorpusError: it cannot be used; the message continues the file's name.
    """
    try:
        document = pymupdf.open(str(path), filetype="pdf")
    except pymupdf.EmptyFileError as error:
        raise CorpusError("is empty (zero bytes).") from error
    except PDF_ERRORS as error:
        raise CorpusError(_why_unreadable(path)) from error
    if document.needs_pass:
        document.close()
        raise CorpusError(
            "is protected by a password. Save a copy without the password and ingest that."
        )
    try:
        document.page_count  # noqa: B018 - reading it is what fails
    except PDF_ERRORS as error:
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
    frame = pymupdf.mupdf.fz_bound_page(page.this)
    width, height = frame.x1 - frame.x0, frame.y1 - frame.y0
    if not (0 < width < _INFINITE and 0 < height < _INFINITE):
        # PyMuPDF puts the crop box in the place of an infinite page.
        rect = page.rect
        width, height = float(rect.width), float(rect.height)
        if not (0 < width < math.inf and 0 < height < math.inf):
            raise ValueError("a page without an area")
    in_file = pymupdf.mupdf.pdf_page_from_fz_page(page.this)
    crop, media = pymupdf.JM_cropbox(in_file.obj()), pymupdf.JM_mediabox(in_file.obj())
    rotation = pymupdf.JM_page_rotation(in_file)
    text, replaced = clean_text(page.get_text() if rotation else _upright_text(page))
    return PageText(width, height, rotation, crop.x0, media.y1 - crop.y1, text, True), replaced


def _upright_text(page: Any) -> str:
    """``page.get_text()`` of a page that is not rotated: its own steps without those in between.

    They find the crop box and the rotation several times, which takes 5 % of the time.
    """
    laid_out = pymupdf.mupdf.FzStextPage(
        pymupdf.extra.page_get_textpage(page.this, None, pymupdf.TEXTFLAGS_TEXT, _IDENTITY)
    )
    written = pymupdf.mupdf.fz_new_buffer(1024)
    pymupdf.extra.JM_print_stext_page_as_text(written, laid_out)
    return str(pymupdf.JM_EscapeStrFromBuffer(written))

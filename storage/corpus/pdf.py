"""Reads text and page sizes of PDF files with PyMuPDF; only this module opens PDFs.

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

from pagetrail.annotation.errors import CorpusError, UnusableFile
from pagetrail.annotation.messages import gettext
from pagetrail.storage.corpus.page_kinds import first_page_kind, page_kind
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
"""A file that claims more is read by one worker, which soon finds out whether they exist."""
_INFINITE = 2.0**31
"""MuPDF gives a larger size for a page without bounds."""
_IDENTITY = pymupdf.Matrix(1, 1)
PDF_ERRORS = (
    *(RuntimeError, ValueError, IndexError, ArithmeticError),
    pymupdf.mupdf.FzErrorBase,
)
"""ArithmeticError: the product of a page's width and height is 0 or infinite."""

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)


def read_pdf(path: Path, on_page: Callable[[int, int], None] | None = None) -> PdfText:
    """Read text and geometry of every page.

    Args:
        on_page: called with (pages read, pages claimed) after each page.

    Raises:
        CorpusError: the file is not usable; the message continues the file's name,
            e.g. "is protected by a password".
    """
    pdf = read_start(path, on_page, pages=None)
    assert isinstance(pdf, PdfText)
    return pdf


def read_start(
    path: Path, on_page: Callable[[int, int], None] | None = None, *, pages: int | None
) -> PdfText | FirstPages:
    """Read all pages, or the first ``pages`` of an undamaged document with more than twice as many.

    Args:
        pages: None: read all pages.

    Raises:
        CorpusError: as ``read_pdf``.
    """
    document = open_pdf(path)
    try:
        claimed = document.page_count
        is_split = pages is not None and 2 * pages < claimed <= MAX_SPLIT_PAGES
        end = pages if pages is not None and is_split else claimed
        start, replaced = _read_range(document, 0, end, on_page)
        # A damaged file is repaired each time it is opened, which can take long.
        if end < claimed and start[-1].readable and not document.is_repaired:
            return FirstPages(start, replaced, claimed)
        rest, replaced_in_rest = _read_range(document, end, claimed, on_page)
        joined = joined_pages((*start, *rest), claimed)
        return PdfText(joined, claimed, bool(document.is_repaired), replaced + replaced_in_rest)
    finally:
        document.close()


def read_pages(path: Path, first: int, end: int) -> PagesFrom:
    """Read the pages of a document from index ``first`` (0-based) to ``end`` (exclusive)."""
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
            page, replaced_on_page = _page_text(document.load_page(index))
            if index == 0:
                page = page._replace(kind=first_page_kind(document, page.text) or page.kind)
            replaced += replaced_on_page
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
        CorpusError: the page cannot be rendered.
    """
    with MUPDF_LOCK:
        document = open_pdf(path)
        try:
            pdf_page = document.load_page(page - 1)
            scale = pixels_per_point(pdf_page.rect.width, pdf_page.rect.height, dpi, max_pixels)
            pixmap = pdf_page.get_pixmap(
                matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False
            )
            samples = bytes(pixmap.samples)
            # Not ``is_unicolor``: it takes seconds on a blank page of this size.
            is_blank = samples.count(samples[0]) == len(samples)
            return None if is_blank else (bytes(pixmap.tobytes("pnm")), scale)
        except PDF_ERRORS as error:
            raise CorpusError(
                gettext("has a page {page} that cannot be drawn.", page=page)
            ) from error
        finally:
            document.close()


def open_pdf(path: Path) -> Any:
    """Open a document, which the caller closes.

    Raises:
        UnusableFile: it cannot be read.
    """
    try:
        document = pymupdf.open(str(path), filetype="pdf")
    except pymupdf.EmptyFileError as error:
        raise UnusableFile(gettext("is empty (zero bytes).")) from error
    except PDF_ERRORS as error:
        raise UnusableFile(_unreadable_reason(path)) from error
    if document.needs_pass:
        document.close()
        raise UnusableFile(
            gettext("is protected by a password. Save a copy without the password and ingest that.")
        )
    try:
        document.page_count  # noqa: B018 - reading it is what fails
    except PDF_ERRORS as error:
        document.close()
        raise UnusableFile(
            gettext(
                "is damaged: it claims a number of pages that it cannot have. Print it "
                "to a new PDF and ingest that."
            )
        ) from error
    return document


def _unreadable_reason(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(1024)
    if b"%PDF-" in start:
        return "starts like a PDF but has no readable content: it is damaged or incomplete."
    return "is not a PDF: its content does not start with %PDF."


def _page_text(page: Any) -> tuple[PageText, int]:
    frame = pymupdf.mupdf.fz_bound_page(page.this)
    width, height = frame.x1 - frame.x0, frame.y1 - frame.y0
    if not (0 < width < _INFINITE and 0 < height < _INFINITE):
        # PyMuPDF replaces an infinite page by its crop box.
        rect = page.rect
        width, height = float(rect.width), float(rect.height)
        if not (0 < width < math.inf and 0 < height < math.inf):
            raise ValueError("a page without an area")
    pdf_page = pymupdf.mupdf.pdf_page_from_fz_page(page.this)
    crop, media = pymupdf.JM_cropbox(pdf_page.obj()), pymupdf.JM_mediabox(pdf_page.obj())
    rotation = pymupdf.JM_page_rotation(pdf_page)
    text, replaced = clean_text(page.get_text() if rotation else _upright_text(page))
    kind = page_kind(page, text)
    page_text = PageText(
        width, height, rotation, crop.x0, media.y1 - crop.y1, text, readable=True, kind=kind
    )
    return page_text, replaced


def _upright_text(page: Any) -> str:
    """``page.get_text()`` of an unrotated page, without computing crop box and rotation repeatedly.

    That takes 5 % of the time.
    """
    text_page = pymupdf.mupdf.FzStextPage(
        pymupdf.extra.page_get_textpage(page.this, None, pymupdf.TEXTFLAGS_TEXT, _IDENTITY)
    )
    buffer = pymupdf.mupdf.fz_new_buffer(1024)
    pymupdf.extra.JM_print_stext_page_as_text(buffer, text_page)
    return str(pymupdf.JM_EscapeStrFromBuffer(buffer))

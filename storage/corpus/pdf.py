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
from pagetrail.storage.corpus.page_values import PageText, PdfText, pixels_per_point
from pagetrail.storage.database.storable_text import clean_text

MUPDF_LOCK = Lock()
"""Held while MuPDF is used; it is not thread-safe."""

_UNREADABLE_RUN = 1_000
PDF_ERRORS = (RuntimeError, ValueError, IndexError, pymupdf.mupdf.FzErrorBase)

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
    document = open_pdf(path)
    try:
        claimed = document.page_count
        pages: list[PageText] = []
        replaced = unreadable_run = 0
        for number in range(claimed):
            try:
                page, changed = _page_text(document.load_page(number))
                replaced += changed
                unreadable_run = 0
            except PDF_ERRORS:
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
            return None if blank else bytes(pixmap.tobytes("pnm"))
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
    rect = page.rect
    width, height = float(rect.width), float(rect.height)
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise ValueError("a page without an area")
    crop, media = page.cropbox, page.mediabox
    text, replaced = clean_text(page.get_text("text"))
    crop_y0 = float(media.y1 - crop.y1)
    return PageText(width, height, page.rotation, float(crop.x0), crop_y0, text, True), replaced

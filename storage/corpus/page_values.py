"""Values read from PDF files, and sizes of page images; lengths as in ``pdf``.

PyMuPDF is not imported here: the server process uses these values and opens no PDF.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pagetrail.annotation.errors import CorpusError
from pagetrail.annotation.messages import N_, gettext

MAX_PIXELS = 16_000_000
"""Maximum number of pixels of a page image; larger pages are rendered smaller."""

MAX_SIDE = 12_000
"""Maximum width and height of a page image in pixels; larger pages are rendered smaller."""


UNREADABLE = "unreadable"
# Kinds of pages whose text layer is not what they show, as values of ``page.text_source``.
PARTIAL = "partial"
"""A scan with a text layer that covers next to nothing of it, such as a stamp or page number."""

BLANK = "blank"
"""Nothing is drawn on the page."""

NOTICE = "notice"
"""The page of a dynamic form that only says to open it in another program."""

COVER = "cover"
"""The first page of a portfolio, whose files are not shown."""


DOCUMENT_WARNINGS = {
    NOTICE: N_(
        "A dynamic form (XFA): a notice is shown instead of it. Print it to a PDF with Adobe "
        "Acrobat Reader, and ingest that."
    ),
    COVER: N_(
        "A portfolio: the files in it are not shown. Extract them with Adobe Acrobat Reader, and "
        "ingest the PDFs among them."
    ),
    BLANK: N_(
        "Nothing is shown on any page. If another program shows something, print it to a PDF "
        "there, and ingest that."
    ),
}
"""What is wrong with a document and what to do, by the kind of its pages."""


class PageText(NamedTuple):
    """One page of a parsed document.

    ``crop_x0`` and ``crop_y0`` are the lower-left corner of the crop box in the PDF's own user
    space, where y goes up. ``readable`` is False if the file has no usable page of this number; the
    text is then empty and the size that of the page before. ``kind`` is one of the kinds above, or
    "" for a page whose text layer is what it shows.
    """

    width: float
    height: float
    rotation: int
    crop_x0: float
    crop_y0: float
    text: str
    readable: bool
    kind: str = ""


@dataclass(frozen=True)
class PdfText:
    """The pages of a document, and problems found while reading it.

    Attributes:
        pages: all pages in order, unreadable ones included.
        claimed_pages: the page count that the file states.
        repaired: whether the file was damaged and the reader rebuilt it.
        replaced_characters: number of replaced NUL characters and lone surrogates.
    """

    pages: tuple[PageText, ...]
    claimed_pages: int
    repaired: bool
    replaced_characters: int


@dataclass(frozen=True)
class FirstPages:
    """The first pages of a long document; other workers read the rest.

    Attributes:
        replaced_characters, claimed_pages: as in ``PdfText``.
    """

    pages: tuple[PageText, ...]
    replaced_characters: int
    claimed_pages: int


@dataclass(frozen=True)
class PagesFrom:
    """Pages of a long document from index ``first`` (0-based); other fields as in ``PdfText``."""

    first: int
    pages: tuple[PageText, ...]
    repaired: bool
    replaced_characters: int


UNREADABLE_PAGE = PageText(612.0, 792.0, 0, 0.0, 0.0, "", readable=False)
UNREADABLE_RUN = 1_000
"""A document ends before this many consecutive unreadable pages."""


def joined_pages(pages: Iterable[PageText], claimed: int) -> tuple[PageText, ...]:
    """The document's pages up to the last readable one.

    An unreadable page has the size of the one before it.

    Args:
        claimed: the page count that the file states.

    Raises:
        CorpusError: no page is readable.
    """
    joined: list[PageText] = []
    readable = 0
    for page in pages:
        if not page.readable and joined:
            page = joined[-1]._replace(text="", readable=False, kind="")
        joined.append(page)
        readable = len(joined) if page.readable else readable
        if len(joined) - readable == UNREADABLE_RUN:
            break
    if not readable:
        raise CorpusError(
            gettext(
                "has no page that can be read, although it claims to have {pages}.", pages=claimed
            )
            if claimed
            else gettext("has no page that can be read.")
        )
    return tuple(joined[:readable])


def document_warning(sources: Collection[str]) -> str:
    """Key of ``DOCUMENT_WARNINGS`` for a document with pages of these sources or kinds, or ""."""
    for kind in (NOTICE, COVER):
        if kind in sources:
            return kind
    is_blank = BLANK in sources and not set(sources) - {BLANK, UNREADABLE}
    return BLANK if is_blank else ""


class Word(NamedTuple):
    """A word of the text layer or of OCR, and its box on the displayed page in points."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


class RecognisedPage(NamedTuple):
    """Text recognised on a page; ``words`` in the order of ``text``."""

    text: str
    words: tuple[Word, ...] = ()


def pixel_size(width: float, height: float, dpi: int) -> tuple[int, int]:
    """Size of a page image in pixels; smaller than at this dpi if it is too large."""
    scale = pixels_per_point(width, height, dpi, MAX_PIXELS)
    return max(1, math.floor(width * scale + 0.5)), max(1, math.floor(height * scale + 0.5))


def pixels_per_point(width: float, height: float, dpi: int, max_pixels: int) -> float:
    """Pixels per point at ``dpi``, or fewer if the image would be too large."""
    return min(dpi / 72, math.sqrt(max_pixels / (width * height)), MAX_SIDE / max(width, height))

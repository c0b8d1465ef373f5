"""What is read from PDF files, as plain values, and sizes of page images; lengths as in ``pdf``.

PyMuPDF is not imported here: the server process deals in these values and opens no PDF.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pagetrail.annotation.errors import CorpusError

MAX_PIXELS = 16_000_000
"""A page is drawn smaller rather than with more pixels than this."""

MAX_SIDE = 12_000
"""A page is drawn smaller rather than with more pixels in width or height than this."""


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


@dataclass(frozen=True)
class FirstPages:
    """The first pages of a long document; other workers read the others.

    Attributes:
        replaced_characters, claimed_pages: as in ``PdfText``.
    """

    pages: tuple[PageText, ...]
    replaced_characters: int
    claimed_pages: int


@dataclass(frozen=True)
class PagesFrom:
    """Some pages of a long document, from index ``first`` (0-based) on; the rest as ``PdfText``."""

    first: int
    pages: tuple[PageText, ...]
    repaired: bool
    replaced_characters: int


UNREADABLE_PAGE = PageText(612.0, 792.0, 0, 0.0, 0.0, "", readable=False)
UNREADABLE_RUN = 1_000
"""Pages in a row that cannot be read: the document is taken to end before them."""


def joined_pages(pages: Iterable[PageText], claimed: int) -> tuple[PageText, ...]:
    """The document's pages up to the last readable one.

    An unreadable page has the size of the one before it.

    Args:
        claimed: the page count that the file states.

    Raises:
        CorpusError: none is readable.
    """
    found: list[PageText] = []
    readable = 0
    for page in pages:
        if not page.readable and found:
            page = found[-1]._replace(text="", readable=False)
        found.append(page)
        readable = len(found) if page.readable else readable
        if len(found) - readable == UNREADABLE_RUN:
            break
    if not readable:
        raise CorpusError(
            "has no page that can be read"
            + (f", although it claims to have {claimed}." if claimed else ".")
        )
    return tuple(found[:readable])


class Word(NamedTuple):
    """A word, of the text layer or recognised, and its box on the displayed page, in points."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


class RecognisedPage(NamedTuple):
    """What text recognition read on a page; ``words`` in the order of ``text``."""

    text: str
    words: tuple[Word, ...] = ()


def pixel_size(width: float, height: float, dpi: int) -> tuple[int, int]:
    """Size in whole pixels of a page given in points; fewer than at this dpi if it is too large."""
    scale = pixels_per_point(width, height, dpi, MAX_PIXELS)
    return max(1, math.floor(width * scale + 0.5)), max(1, math.floor(height * scale + 0.5))


def pixels_per_point(width: float, height: float, dpi: int, max_pixels: int) -> float:
    """Pixels per point at ``dpi``, or fewer if the image would be too large."""
    return min(dpi / 72, math.sqrt(max_pixels / (width * height)), MAX_SIDE / max(width, height))

"""What is read from PDF files, as plain values, and sizes of page images; lengths as in ``pdf``.

PyMuPDF is not imported here: the server process deals in these values and opens no PDF.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.metadata import version
from typing import NamedTuple

EXTRACTOR = f"pymupdf {version('pymupdf')}"
RENDERER = f"{EXTRACTOR.replace(' ', '-')}-jpeg80"
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


class Word(NamedTuple):
    """A word of the text layer and its box on the displayed page, in points."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


def pixel_size(width: float, height: float, dpi: int) -> tuple[int, int]:
    """Size in whole pixels of a page given in points; fewer than at this dpi if it is too large."""
    scale = pixels_per_point(width, height, dpi, MAX_PIXELS)
    return max(1, math.floor(width * scale + 0.5)), max(1, math.floor(height * scale + 0.5))


def pixels_per_point(width: float, height: float, dpi: int, max_pixels: int) -> float:
    """Pixels per point at ``dpi``, or fewer if the image would be too large."""
    return min(dpi / 72, math.sqrt(max_pixels / (width * height)), MAX_SIDE / max(width, height))

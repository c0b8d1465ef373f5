"""Page images as files, and boxes in the pixels of those images.

A page fills its image exactly, so the image's size alone gives a box's pixels:
``x in pixels = x in points · width of the image / width of the page``, and likewise for y.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pagetrail.annotation.errors import CorpusError, NotFoundError
from pagetrail.annotation.geometry.box import Box, clipped
from pagetrail.annotation.geometry.page import PageSize
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.file_formats import short_name

FOLDER = "images"
Place = tuple[str, int]
"""(document, page), pages from 1."""


@dataclass(frozen=True)
class Picture:
    """A page's image.

    Attributes:
        size: of the page, points.
        width, height: of the image, pixels.
        file: path below the export's folder.
    """

    document: str
    page: int
    size: PageSize
    width: int
    height: int
    file: str

    def pixels(self, rect: Box) -> Box:
        """A box in pixels, clipped to the page and unrounded."""
        rect = clipped(rect, self.size) or rect
        across, down = self.width / self.size.width, self.height / self.size.height
        x0, y0, x1, y1 = rect
        return x0 * across, y0 * down, x1 * across, y1 * down

    def whole_pixels(self, rect: Box) -> tuple[int, int, int, int]:
        """Whole pixels, half up (docs/metrics.md, Boxes), inside the image and at least one."""
        x0, y0, x1, y1 = (math.floor(edge + 0.5) for edge in self.pixels(rect))
        x0, y0 = min(max(x0, 0), self.width - 1), min(max(y0, 0), self.height - 1)
        return x0, y0, min(max(x1, x0 + 1), self.width), min(max(y1, y0 + 1), self.height)


def picture_of(source: Source, place: Place) -> Picture | None:
    """The image that a page would have; None if there is no such page."""
    document, page = place
    size = source.pages.size(document, page)
    pixels = source.pages.pixels(document, page, source.dpi)
    if size is None or pixels is None:
        return None
    file = f"{FOLDER}/{short_name(document)}-page-{page}.jpg"
    return Picture(document, page, size, *pixels, file)


def draw(source: Source, written: Written, picture: Picture) -> bytes | None:
    """The image's JPEG bytes; None, and counted as left out, if the page cannot be rendered."""
    try:
        return source.pages.jpeg(picture.document, picture.page, source.dpi)
    except (CorpusError, NotFoundError):
        written.leave_out("page", "cannot_be_drawn", place_id((picture.document, picture.page)))
        return None


def save_pictures(
    source: Source, written: Written, places: Iterable[Place], folder: Path
) -> dict[Place, Picture]:
    """Write the images of these pages, in the order of document and page.

    Returns:
        The pages that could be drawn.
    """
    written.choices |= {"dpi": source.dpi}
    ordered = sorted(set(places))
    saved: dict[Place, Picture] = {}
    for done, place in enumerate(ordered, start=1):
        picture = picture_of(source, place)
        if picture is None:
            written.leave_out("page", "unknown_page", place_id(place))
            continue
        jpeg = draw(source, written, picture)
        if jpeg is not None:
            (folder / FOLDER).mkdir(exist_ok=True)
            (folder / picture.file).write_bytes(jpeg)
            written.rows[picture.file] = 1
            saved[place] = picture
        if source.progress is not None:
            source.progress(done, len(ordered))
    return saved


def place_id(place: Place) -> str:
    """A page as manifests and lookup tables name it: ``report.pdf#3``."""
    return f"{place[0]}#{place[1]}"

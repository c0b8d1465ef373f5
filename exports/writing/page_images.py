"""Writes page images, and converts boxes to pixels of these images.

A page fills its image exactly, so the size of the image determines a box's pixels:
``x in pixels = x in points · width of the image / width of the page``, and likewise for y.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pagetrail.annotation.errors import CorpusError, NotFoundError
from pagetrail.annotation.geometry.box import Box, PageSize, clipped
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import FileNames

FOLDER = "images"
PageKey = tuple[str, int]
"""(document, page), pages from 1."""


@dataclass(frozen=True)
class PageImage:
    """The image of a page.

    Attributes:
        size: size of the page in points.
        width, height: size of the image in pixels.
        file: path in the export's folder.
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
        scale_x, scale_y = self.width / self.size.width, self.height / self.size.height
        x0, y0, x1, y1 = rect
        return x0 * scale_x, y0 * scale_y, x1 * scale_x, y1 * scale_y

    def whole_pixels(self, rect: Box) -> tuple[int, int, int, int]:
        """A box in whole pixels, rounded half up (docs/metrics.md, Boxes), at least one by one."""
        x0, y0, x1, y1 = (math.floor(edge + 0.5) for edge in self.pixels(rect))
        x0, y0 = min(max(x0, 0), self.width - 1), min(max(y0, 0), self.height - 1)
        return x0, y0, min(max(x1, x0 + 1), self.width), min(max(y1, y0 + 1), self.height)


def page_image(source: Source, page_key: PageKey, names: FileNames) -> PageImage | None:
    """The image of a page, not drawn yet; None if there is no such page."""
    document, page = page_key
    size = source.pages.size(document, page)
    pixels = source.pages.pixels(document, page, source.dpi)
    if size is None or pixels is None:
        return None
    file = f"{FOLDER}/{names[document]}-page-{page}.jpg"
    return PageImage(document, page, size, *pixels, file)


def draw_page_image(source: Source, tally: WrittenFiles, image: PageImage) -> bytes | None:
    """JPEG bytes of the image; None, counted as left out, if the page cannot be rendered."""
    try:
        return source.pages.jpeg(image.document, image.page, source.dpi)
    except (CorpusError, NotFoundError):
        tally.leave_out("page", "cannot_be_drawn", page_label((image.document, image.page)))
        return None


def save_page_images(
    source: Source, tally: WrittenFiles, page_keys: Iterable[PageKey], folder: Path
) -> dict[PageKey, PageImage]:
    """Write the images of these pages, ordered by document and page.

    Returns:
        The images of the pages that could be drawn.
    """
    tally.choices |= {"dpi": source.dpi}
    ordered = sorted(set(page_keys))
    images: dict[PageKey, PageImage] = {}
    for page_key, image, jpeg in drawn_page_images(source, tally, ordered):
        (folder / FOLDER).mkdir(exist_ok=True)
        (folder / image.file).write_bytes(jpeg)
        tally.rows[image.file] = 1
        images[page_key] = image
    return images


def drawn_page_images(
    source: Source, tally: WrittenFiles, page_keys: Sequence[PageKey]
) -> Iterator[tuple[PageKey, PageImage, bytes]]:
    """The JPEG of every page that can be drawn; counts the others as left out."""
    names = FileNames()
    for pages_done, page_key in enumerate(page_keys, start=1):
        image = page_image(source, page_key, names)
        if image is None:
            tally.leave_out("page", "unknown_page", page_label(page_key))
            continue
        jpeg = draw_page_image(source, tally, image)
        if jpeg is not None:
            yield page_key, image, jpeg
        if source.progress is not None:
            source.progress(pages_done, len(page_keys))


def page_label(page_key: PageKey) -> str:
    """A page's name in manifests and lookup tables: ``report.pdf#3``."""
    return f"{page_key[0]}#{page_key[1]}"

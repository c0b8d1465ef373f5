"""Boxes in the units of every format lead back to the stored points."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.geometry.box import Box, PageSize
from pagetrail.annotation.geometry.element import Element
from pagetrail.exports.formats import coco
from pagetrail.exports.formats import label_studio as labelstudio
from pagetrail.exports.formats.parsebench import layout_bbox
from pagetrail.exports.writing.page_images import PageImage
from pagetrail.storage.corpus.page_values import pixel_size
from pagetrail.storage.importers.preannotations.boxes import to_points
from pagetrail.storage.importers.preannotations.raw_elements import RawBox

PIXEL = 72 / 200
"""A pixel at 200 dpi, in points."""

HUNDREDTH = 0.0101


@st.composite
def placed(draw: st.DrawFn) -> tuple[PageImage, Box]:
    """A page, the image that it fills at some dpi, and a box on it as boxes are stored."""
    width = draw(st.floats(20, 3000))
    height = draw(st.floats(20, 3000))
    dpi = draw(st.integers(24, 300))
    x0 = draw(st.integers(0, int(width * 100) - 310))
    y0 = draw(st.integers(0, int(height * 100) - 310))
    x1 = draw(st.integers(x0 + 300, int(width * 100)))
    y1 = draw(st.integers(y0 + 300, int(height * 100)))
    size = PageSize(width=width, height=height)
    picture = PageImage("a.pdf", 1, size, *pixel_size(width, height, dpi), "images/a.jpg")
    return picture, (x0 / 100, y0 / 100, x1 / 100, y1 / 100)


def box_at(rect: Box) -> PageBox:
    """A box with that rectangle."""
    return PageBox(id="b", document="a.pdf", page=1, rect=rect, label="Text", seq=1)


def close(edges: tuple[float, ...], rect: Box, tolerance: float) -> bool:
    """Whether every edge is where it was."""
    return all(abs(a - b) <= tolerance for a, b in zip(edges, rect, strict=True))


@given(placed())
def test_coco(case: tuple[PageImage, Box]) -> None:
    """COCO's pixels give the points back through the importer, at any dpi, and areas agree."""
    picture, rect = case
    shape = coco.shape(picture, box_at(rect))
    raw = RawBox(shape["bbox"], sized=True, unit="image", image=(picture.width, picture.height))
    pixel = max(picture.size.width / picture.width, picture.size.height / picture.height)
    # A hundredth of a pixel at each of two corners.
    assert close(to_points(raw, picture.size)[0], rect, 0.02 * pixel + HUNDREDTH)
    x, y, width, height = shape["bbox"]
    assert abs(shape["area"] - width * height) <= 0.01
    assert x >= 0 and x + width <= picture.width + 0.01
    assert y >= 0 and y + height <= picture.height + 0.01


@given(placed())
def test_label_studio(case: tuple[PageImage, Box]) -> None:
    """Label Studio's percent give the points back to a hundredth, for boxes and for elements."""
    picture, rect = case
    element = Element(id="m", document="a.pdf", page=1, rect=rect, label="Text")
    for box in (box_at(rect), element):
        (result,) = labelstudio.results(picture, box)
        value: dict[str, Any] = result["value"]
        lengths = [value[name] for name in ("x", "y", "width", "height")]
        raw = RawBox(lengths, sized=True, unit="percent")
        assert close(to_points(raw, picture.size)[0], rect, HUNDREDTH)


@given(placed())
def test_parsebench(case: tuple[PageImage, Box]) -> None:
    """ParseBench's fractions give the points back to a hundredth, and stay within the page."""
    picture, rect = case
    bbox = layout_bbox(rect, picture.size)
    assert all(0 <= length <= 1 for length in bbox)
    raw = RawBox(bbox, sized=True, unit="fraction")
    assert close(to_points(raw, picture.size)[0], rect, HUNDREDTH)


@given(placed())
def test_whole_pixels(case: tuple[PageImage, Box]) -> None:
    """Whole pixels are half a pixel off at most, inside the image, and never empty."""
    picture, rect = case
    x0, y0, x1, y1 = picture.whole_pixels(rect)
    assert 0 <= x0 < x1 <= picture.width and 0 <= y0 < y1 <= picture.height
    across = picture.size.width / picture.width
    down = picture.size.height / picture.height
    edges = (x0 * across, y0 * down, x1 * across, y1 * down)
    assert close(edges, rect, max(across, down) * 0.5 + 1e-6)


@given(placed())
def test_a_pixel_at_200_dpi(case: tuple[PageImage, Box]) -> None:
    """At the resolution of exports nothing is further off than a pixel at 200 dpi."""
    picture, rect = case
    width, height = pixel_size(picture.size.width, picture.size.height, 200)
    if abs(width - picture.size.width * 200 / 72) > 0.5:
        return  # too large for 200 dpi
    at_200 = PageImage("a.pdf", 1, picture.size, width, height, "")
    across, down = picture.size.width / width, picture.size.height / height
    x0, y0, x1, y1 = at_200.whole_pixels(rect)
    assert close((x0 * across, y0 * down, x1 * across, y1 * down), rect, PIXEL)
    assert close(tuple(edge * PIXEL for edge in (x0, y0, x1, y1)), rect, PIXEL * 1.001)

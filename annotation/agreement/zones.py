"""Agreement of two zones: the boxes one annotator drew on one page, taken as one region.

Boxes are in PDF points on the page as displayed, see ``annotation.geometry.box``; a zone is the
union of half-open rectangles [x0, x1) × [y0, y1). Areas are exact, so IoU and Dice are correctly
rounded quotients of whole numbers (docs/metrics.md, Boxes).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.agreement.union_area import covered_areas
from pagetrail.annotation.errors import BoxError
from pagetrail.annotation.geometry.box import Box, PageSize
from pagetrail.annotation.geometry.overlap import IntegerBox, as_integers, is_box
from pagetrail.annotation.statistics.set_overlap import Overlap

Boxes = Sequence[Sequence[float]] | NDArray[Any]
"""Any number of (x0, y0, x1, y1) in points; corners may come in any order."""

Size = PageSize | tuple[float, float]
"""Width and height of the page as displayed, in points."""

Kind = Literal["both", "one_empty", "both_empty"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class ZoneAgreement:
    """How two zones of one page cover each other.

    Attributes:
        iou: |A∩B| / |A∪B|; 0 where one zone is empty, None where both are.
        dice: 2|A∩B| / (|A|+|B|), which papers also call F1; likewise.
        area_a, area_b, intersection, union: in square points, or in pixels where ``dpi`` is set.
        reason: ``"both_empty"`` where nothing is defined, otherwise None.
        dpi: of the pixel grid that the edges were rounded to; None for exact areas.
    """

    iou: float | None
    dice: float | None
    area_a: float
    area_b: float
    intersection: float
    union: float
    reason: Literal["both_empty"] | None
    dpi: float | None = None

    @property
    def kind(self) -> Kind:
        """Whether both zones have an area, one, or none."""
        if self.union == 0:
            return "both_empty"
        return "both" if self.area_a and self.area_b else "one_empty"


def zone_agreement(
    boxes_a: Boxes, boxes_b: Boxes, page_size: Size, *, dpi: float | None = None
) -> ZoneAgreement:
    """IoU and Dice of what two annotators drew on one page.

    Corners are put in order and boxes cut to the page first. A box without area, or off the page,
    covers nothing.

    >>> zone_agreement([(0, 0, 10, 10)], [(5, 0, 15, 10)], (612, 792)).iou
    0.3333333333333333

    Args:
        page_size: width and height in points.
        dpi: pixel mode: every edge is rounded half-up onto the grid of that many pixels an inch,
            and areas are counted in its pixels. Without it areas are exact.

    Raises:
        BoxError: a box is not four finite numbers, or the page has no finite size; the message
            names the box.
    """
    width, height = _size(page_size)
    if dpi is not None and not (0 < dpi < math.inf):
        raise BoxError(f"A resolution of {dpi} dpi is none: give a positive number.")
    a, b = _clipped(boxes_a, width, height), _clipped(boxes_b, width, height)
    exact, units = as_integers((*a, *b))
    if dpi is None:
        scale = units**2
    else:
        exact, scale = _on_grid(exact, units, dpi), 1
    area_a, area_b, shared_area = covered_areas(exact[: len(a)], exact[len(a) :])
    either = area_a + area_b - shared_area
    shared = Overlap(shared_area, area_a, area_b)
    return ZoneAgreement(
        iou=shared.jaccard,
        dice=shared.f1,
        area_a=area_a / scale,
        area_b=area_b / scale,
        intersection=shared_area / scale,
        union=either / scale,
        reason=None if either else "both_empty",
        dpi=dpi,
    )


def _size(page_size: Size) -> tuple[float, float]:
    try:
        if isinstance(page_size, PageSize):
            width, height = page_size.width, page_size.height
        else:
            width, height = page_size
        if 0 < width < math.inf and 0 < height < math.inf:
            return float(width), float(height)
    except (TypeError, ValueError):
        pass
    raise BoxError(f"{page_size!r} is no page size: give a positive width and height in points.")


def _clipped(boxes: Boxes, width: float, height: float) -> list[Box]:
    """The parts of the boxes on the page, those without area left out."""
    boxes_inside: list[Box] = []
    rows = boxes.tolist() if isinstance(boxes, np.ndarray) else boxes
    try:
        for x0, y0, x1, y1 in rows:
            if not -math.inf < x0 + y0 + x1 + y1 < math.inf:
                raise _not_a_box(rows)
            if x0 > x1:
                x0, x1 = x1, x0
            if y0 > y1:
                y0, y1 = y1, y0
            x0, y0 = x0 if x0 > 0 else 0.0, y0 if y0 > 0 else 0.0
            x1, y1 = x1 if x1 < width else width, y1 if y1 < height else height
            if x0 < x1 and y0 < y1:
                boxes_inside.append((x0, y0, x1, y1))
    except (TypeError, ValueError):
        raise _not_a_box(rows) from None
    return boxes_inside


def _not_a_box(rows: Any) -> BoxError:
    if not isinstance(rows, Sequence):
        return BoxError(f"{rows!r} is no list of boxes; write [] where nothing was drawn.")
    number, box = next(
        ((number, box) for number, box in enumerate(rows, start=1) if not is_box(box)), (1, rows)
    )
    return BoxError(f"Box {number} is {box!r}: a box is four finite numbers x0, y0, x1, y1.")


def _on_grid(boxes: Sequence[IntegerBox], units: int, dpi: float) -> list[IntegerBox]:
    """The boxes in pixels, every edge rounded half-up; one may be left without width or height.

    A pixel edge is ⌊x dpi / 72 + ½⌋ = ⌊(2 dpi x + 72) / 144⌋ with x in points; both numbers of the
    quotient are multiplied by the units of a point and the denominator of dpi.

    Whole numbers throughout: in binary floating point some edges half-way between two pixels, such
    as 2.28 pt at 300 dpi, come out just below and would be rounded down.
    """
    dpi_numerator, dpi_denominator = dpi.as_integer_ratio()
    half_pixel = 72 * units * dpi_denominator
    factor, pixel = 2 * dpi_numerator, 2 * half_pixel
    return [
        (
            (factor * x0 + half_pixel) // pixel,
            (factor * y0 + half_pixel) // pixel,
            (factor * x1 + half_pixel) // pixel,
            (factor * y1 + half_pixel) // pixel,
        )
        for x0, y0, x1, y1 in boxes
    ]

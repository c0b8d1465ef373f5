"""How rectangles cover each other (docs/metrics.md, Boxes): exact areas, no raster.

Coordinates are stored to a hundredth of a point, so areas are whole numbers of square hundredths
and every ratio here is the quotient of two exact integers. Coordinates of another origin, such as
shares of a page's width, are taken at their exact binary value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pagetrail.annotation.geometry.box import DECIMALS, Box

_HUNDREDTHS: int = 10**DECIMALS

LOCALISED_TRUTH = 0.50
LOCALISED_PREDICTION = 0.20

IntegerBox = tuple[int, int, int, int]
"""A rectangle in whole numbers of some unit."""


def is_box(box: Sequence[float]) -> bool:
    """Whether it is four finite numbers, whatever came from outside."""
    try:
        x0, y0, x1, y1 = box
        return -math.inf < x0 + y0 + x1 + y1 < math.inf
    except (TypeError, ValueError):
        return False


def as_integers(rects: Sequence[Box]) -> tuple[list[IntegerBox], int]:
    """The rectangles in whole numbers, and how many of the unit make a point.

    The unit is a hundredth where every edge is one, as stored ones are; otherwise the largest
    1/2ⁿ of which every edge is a multiple.
    """
    integer_boxes: list[IntegerBox] = []
    for x0, y0, x1, y1 in rects:
        left, top = round(x0 * _HUNDREDTHS), round(y0 * _HUNDREDTHS)
        right, bottom = round(x1 * _HUNDREDTHS), round(y1 * _HUNDREDTHS)
        if (
            left / _HUNDREDTHS != x0
            or top / _HUNDREDTHS != y0
            or right / _HUNDREDTHS != x1
            or bottom / _HUNDREDTHS != y1
        ):
            return _binary(rects)
        integer_boxes.append((left, top, right, bottom))
    return integer_boxes, _HUNDREDTHS


def _binary(rects: Sequence[Box]) -> tuple[list[IntegerBox], int]:
    units = max(edge.as_integer_ratio()[1] for rect in rects for edge in rect)
    rationals: list[IntegerBox] = []
    for rect in rects:
        ratios = (edge.as_integer_ratio() for edge in rect)
        x0, y0, x1, y1 = (numerator * (units // denominator) for numerator, denominator in ratios)
        rationals.append((x0, y0, x1, y1))
    return rationals, units


def area(rect: IntegerBox) -> int:
    """Area in square units; 0 for a rectangle without one."""
    x0, y0, x1, y1 = rect
    return max(0, x1 - x0) * max(0, y1 - y0)


def intersection(a: IntegerBox, b: IntegerBox) -> int:
    """Area that both cover, in square units."""
    ax0, ay0, ax1, ay1 = a
    bx0, by0, bx1, by1 = b
    return max(0, min(ax1, bx1) - max(ax0, bx0)) * max(0, min(ay1, by1) - max(ay0, by0))


def iou(a: Box, b: Box) -> float:
    """|A∩B| / |A∪B|; 0 where both are empty."""
    (box, other), _ = as_integers((a, b))
    shared = intersection(box, other)
    either = area(box) + area(other) - shared
    return shared / either if either else 0.0


def ioa(a: Box, b: Box) -> float:
    """|A∩B| / |A|, the share of ``a`` that ``b`` covers; 0 for an empty ``a``."""
    (box, other), _ = as_integers((a, b))
    size = area(box)
    return intersection(box, other) / size if size else 0.0


def localises(prediction: Box, truth: Box) -> bool:
    """Whether a predicted box finds a true one, by ParseBench's rule.

    At least half of the true box is covered, and at least a fifth of the predicted box is used.
    """
    return (
        ioa(truth, prediction) >= LOCALISED_TRUTH and ioa(prediction, truth) >= LOCALISED_PREDICTION
    )

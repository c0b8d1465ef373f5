"""How rectangles cover each other (METRICS.md §2): exact areas, no raster.

Coordinates are stored to a hundredth of a point, so areas are whole numbers of square hundredths
and every ratio here is the quotient of two exact integers.
"""

from __future__ import annotations

from annotation.geometry import DECIMALS, Box

_UNITS = 10**DECIMALS

LOCALISED_TRUTH = 0.50
LOCALISED_PREDICTION = 0.20


def area(rect: Box) -> int:
    """Area in square hundredths of a point; 0 for a rectangle without one."""
    x0, y0, x1, y1 = _units(rect)
    return max(0, x1 - x0) * max(0, y1 - y0)


def intersection(a: Box, b: Box) -> int:
    """Area that both cover, in square hundredths of a point."""
    ax0, ay0, ax1, ay1 = _units(a)
    bx0, by0, bx1, by1 = _units(b)
    return max(0, min(ax1, bx1) - max(ax0, bx0)) * max(0, min(ay1, by1) - max(ay0, by0))


def iou(a: Box, b: Box) -> float:
    """|A∩B| / |A∪B|; 0 where both are empty."""
    both = intersection(a, b)
    either = area(a) + area(b) - both
    return both / either if either else 0.0


def ioa(a: Box, b: Box) -> float:
    """|A∩B| / |A|, the share of ``a`` that ``b`` covers; 0 for an empty ``a``."""
    size = area(a)
    return intersection(a, b) / size if size else 0.0


def localises(prediction: Box, truth: Box) -> bool:
    """Whether a predicted box finds a true one, by ParseBench's rule.

    At least half of the true box is covered, and at least a fifth of the predicted box is used.
    """
    return (
        ioa(truth, prediction) >= LOCALISED_TRUTH and ioa(prediction, truth) >= LOCALISED_PREDICTION
    )


def _units(rect: Box) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = (round(edge * _UNITS) for edge in rect)
    return x0, y0, x1, y1

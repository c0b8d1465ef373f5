"""Boxes on a displayed page (docs/metrics.md, Boxes).

A rectangle is ``(x0, y0, x1, y1)`` in PDF points (1/72 inch) on the page as displayed: origin at
the top-left of the crop box after the page's /Rotate, x to the right, y down, ``x0 < x1`` and
``y0 < y1``. Stored coordinates are rounded to a hundredth of a point, 1/36 of a pixel at 200 dpi.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


class PageSize(BaseModel):
    """A page as displayed (crop box and /Rotate applied), in PDF points."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: float = Field(gt=0)
    height: float = Field(gt=0)


DECIMALS = 2
EDGE_TOLERANCE = 0.05
"""Points by which a rectangle may extend beyond its page: sizes are rounded on their way."""

MAX_COORDINATE = 1_000_000.0

_Number = Annotated[
    float, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE, allow_inf_nan=False, strict=True)
]
Box = tuple[float, float, float, float]


def _ordered(rect: Box) -> Box:
    x0, y0, x1, y1 = (round(value, DECIMALS) + 0.0 for value in rect)
    if not (x0 < x1 and y0 < y1):
        raise ValueError("a box must have x0 < x1 and y0 < y1")
    return x0, y0, x1, y1


Rect = Annotated[tuple[_Number, _Number, _Number, _Number], AfterValidator(_ordered)]
"""A validated rectangle: finite, ordered, rounded."""


def normalised(rect: Sequence[float]) -> Box:
    """The rectangle with its corners in order."""
    x0, y0, x1, y1 = rect
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def clipped(rect: Sequence[float], size: PageSize) -> Box | None:
    """The part of the rectangle on the page; None where there is none."""
    x0, y0, x1, y1 = normalised(rect)
    x0, y0 = max(0.0, x0), max(0.0, y0)
    x1, y1 = min(size.width, x1), min(size.height, y1)
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def inside(rect: Sequence[float], size: PageSize, tolerance: float = EDGE_TOLERANCE) -> bool:
    """Whether the rectangle is on the page."""
    x0, y0, x1, y1 = rect
    return (
        -tolerance <= x0
        and -tolerance <= y0
        and x1 <= size.width + tolerance
        and y1 <= size.height + tolerance
    )

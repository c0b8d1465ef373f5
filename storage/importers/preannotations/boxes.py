"""Converts the box of a pre-annotation to PDF points on its displayed page, or refuses it."""

from __future__ import annotations

import math
from typing import Any

from pagetrail.annotation.geometry.box import DECIMALS, Box, PageSize, clipped
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.readable_errors import short_value
from pagetrail.storage.importers.preannotations.raw_elements import RawBox

TOLERANCE = 1.0
"""Points by which a box may extend beyond its page before it is refused; models round outwards."""

MAX_DPI = 10_000


class BoxError(ValueError):
    """A box that cannot be used."""


def to_points(box: RawBox, size: PageSize) -> tuple[Box, bool]:
    """Two rounded corners in points, and whether the box was clipped to its page.

    Raises:
        BoxError: not four finite numbers, reversed, without area, or outside the page.
    """
    name = "bbox" if box.sized else "rect"
    values = _four_numbers(box.values, name)
    scale_x, scale_y = _points_per_unit(box, size)
    if box.sized:
        x, y, width, height = values
        if width <= 0 or height <= 0:
            raise BoxError(
                gettext(
                    "{name}: width and height must be above 0, not {width:g} × {height:g}",
                    name=name,
                    width=width,
                    height=height,
                )
            )
        corners = (x, y, x + width, y + height)
    else:
        x0, y0, x1, y1 = corners = values
        if x1 <= x0 or y1 <= y0:
            raise BoxError(
                gettext(
                    "{name}: the second corner ({x1:g}, {y1:g}) must be right of and below "
                    "the first ({x0:g}, {y0:g})",
                    name=name,
                    x1=x1,
                    y1=y1,
                    x0=x0,
                    y0=y0,
                )
            )
    x0, y0, x1, y1 = (
        corners[0] * scale_x,
        corners[1] * scale_y,
        corners[2] * scale_x,
        corners[3] * scale_y,
    )
    overhangs = {
        N_("left of it"): -x0,
        N_("above it"): -y0,
        N_("right of it"): x1 - size.width,
        N_("below it"): y1 - size.height,
    }
    position, overhang = max(overhangs.items(), key=lambda item: item[1])
    if not overhang <= TOLERANCE:
        raise BoxError(
            gettext(
                "{name}: is outside its page, which has {width:g} × {height:g} points: "
                "{overhang:,.4g} points {position}{unit_hint}",
                name=name,
                width=size.width,
                height=size.height,
                overhang=overhang,
                position=gettext(position),
                unit_hint=_unit_hint(box, values),
            )
        )
    clipped_rect = clipped((x0, y0, x1, y1), size)
    rounded = None if clipped_rect is None else _rounded(clipped_rect)
    if rounded is None or not (rounded[0] < rounded[2] and rounded[1] < rounded[3]):
        raise BoxError(
            gettext(
                "{name}: is thinner than {least:g} points on its page",
                name=name,
                least=10**-DECIMALS,
            )
        )
    return rounded, overhang > 0


def finite_number(value: Any) -> float | None:
    """The value as a float if it is a finite number, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        value = float(value)
    except OverflowError:
        return None
    return value if math.isfinite(value) else None


def _four_numbers(values: Any, name: str) -> tuple[float, float, float, float]:
    if values is None:
        raise BoxError(gettext("{name}: is missing", name=name))
    if not isinstance(values, list | tuple) or len(values) != 4:
        raise BoxError(
            gettext(
                "{name}: must be a list of four numbers, not {values}",
                name=name,
                values=short_value(values),
            )
        )
    numbers = []
    for index, value in enumerate(values):
        converted = finite_number(value)
        if converted is None:
            raise BoxError(
                gettext(
                    "{name}[{index}]: must be a finite number, not {value}",
                    name=name,
                    index=index,
                    value=short_value(value),
                )
            )
        numbers.append(converted)
    return numbers[0], numbers[1], numbers[2], numbers[3]


def _points_per_unit(box: RawBox, size: PageSize) -> tuple[float, float]:
    """Points per unit, horizontally and vertically."""
    if box.unit == "fraction":
        return size.width, size.height
    if box.unit == "percent":
        return size.width / 100, size.height / 100
    if box.unit == "pixels":
        dpi = finite_number(box.dpi)
        if dpi is None or not 1 <= dpi <= MAX_DPI:
            raise BoxError(
                gettext(
                    "dpi: must be a number from 1 to {max_dpi:,}, not {dpi}",
                    max_dpi=MAX_DPI,
                    dpi=short_value(box.dpi),
                )
            )
        return 72 / dpi, 72 / dpi
    if box.unit == "image":
        width, height = (finite_number(length) for length in box.image or (None, None))
        if width is None or height is None or width < 1 or height < 1:
            size_shown = " × ".join(short_value(length) for length in box.image or (None, None))
            raise BoxError(
                gettext(
                    "its image has no usable size in pixels: {size_shown}", size_shown=size_shown
                )
            )
        return size.width / width, size.height / height
    return 1.0, 1.0


def _unit_hint(box: RawBox, values: tuple[float, ...]) -> str:
    if box.unit == "fraction" and max(values) > 1.5:
        hint = gettext("Fractions of the page are from 0 to 1; these look like points or pixels")
        return f". {hint}"
    return ""


def _rounded(rect: Box) -> Box:
    x0, y0, x1, y1 = (round(value, DECIMALS) + 0.0 for value in rect)
    return x0, y0, x1, y1

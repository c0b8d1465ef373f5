"""Rectangles on a displayed page: what is accepted, and what is computed from them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from pagetrail.annotation.geometry.box import (
    EDGE_TOLERANCE,
    MAX_COORDINATE,
    PageSize,
    Rect,
    clipped,
    inside,
    normalised,
)

RECT: TypeAdapter[tuple[float, float, float, float]] = TypeAdapter(Rect)
LETTER = PageSize(width=612, height=792)

coordinates = st.floats(-2_000, 2_000, allow_nan=False)
corners = st.tuples(coordinates, coordinates, coordinates, coordinates)


def test_coordinates_are_kept_to_a_hundredth_of_a_point() -> None:
    """Rounded, without a negative zero, whether they came as integers or not."""
    rect = RECT.validate_python([-0.001, 1, 99.999, 2.006])
    assert rect == (0.0, 1.0, 100.0, 2.01)
    assert math.copysign(1, rect[0]) == 1
    assert all(isinstance(value, float) for value in rect)


@given(corners)
def test_what_is_accepted_is_as_close_as_promised(raw: tuple[float, ...]) -> None:
    """An accepted corner is within half a hundredth of a point, and a second reading keeps it."""
    try:
        rect = RECT.validate_python(raw)
    except ValidationError:
        assert raw[2] - raw[0] < 0.011 or raw[3] - raw[1] < 0.011
        return
    assert all(abs(a - b) <= 0.005 + 1e-9 for a, b in zip(rect, raw, strict=True))
    assert rect[0] < rect[2] and rect[1] < rect[3]
    assert RECT.validate_json(RECT.dump_json(rect)) == rect


@pytest.mark.parametrize(
    "raw",
    [
        [10, 10, 10, 20],
        [10, 10, 10.004, 20],
        [30, 10, 20, 20],
        [10, 30, 20, 20],
        [math.nan, 0, 1, 1],
        [0, 0, math.inf, 1],
        [-math.inf, 0, 1, 1],
        [0, 0, 1e308, 1],
        [0, 0, 10**400, 1],
        [0, 0, MAX_COORDINATE + 1, 1],
        ["0", "0", "1", "1"],
        [False, False, True, True],
        [0, 0, None, 1],
        [0, 0, 1],
        [0, 0, 1, 1, 1],
        [[0], 0, 1, 1],
        {"x0": 0, "y0": 0, "x1": 1, "y1": 1},
        "0011",
        None,
    ],
    ids=repr,
)
def test_what_is_no_rectangle(raw: Any) -> None:
    """No area, reversed corners, numbers that are none, texts, truths, other shapes: refused."""
    with pytest.raises(ValidationError):
        RECT.validate_python(raw)


@pytest.mark.parametrize("raw", ["[0,0,NaN,1]", "[0,0,1e999,1]", '["0",0,1,1]', "[0,0,true,1]"])
def test_json_is_read_as_strictly(raw: str) -> None:
    """What is refused as values is refused as text."""
    with pytest.raises(ValidationError):
        RECT.validate_json(raw)


@given(corners)
def test_corners_are_put_in_order(raw: tuple[float, ...]) -> None:
    """The same four numbers, in order, and once is enough."""
    rect = normalised(raw)
    assert rect[0] <= rect[2] and rect[1] <= rect[3]
    assert sorted((raw[0], raw[2])) == [rect[0], rect[2]]
    assert sorted((raw[1], raw[3])) == [rect[1], rect[3]]
    assert normalised(rect) == rect


@given(corners)
def test_a_clipped_rectangle_lies_on_the_page(raw: tuple[float, ...]) -> None:
    """On the page without tolerance and within what was given; nothing where they do not meet."""
    x0, y0, x1, y1 = normalised(raw)
    meets = x1 > 0 and y1 > 0 and x0 < LETTER.width and y0 < LETTER.height and x0 < x1 and y0 < y1
    rect = clipped(raw, LETTER)
    assert (rect is not None) == meets
    if rect is not None:
        assert inside(rect, LETTER, tolerance=0)
        assert x0 <= rect[0] and y0 <= rect[1] and rect[2] <= x1 and rect[3] <= y1
        assert clipped(rect, LETTER) == rect


@pytest.mark.parametrize("edge", range(4))
def test_the_edge_of_a_page_has_a_tolerance(edge: int) -> None:
    """A rectangle may be outside by the rounding of sizes, not by more, in each direction."""
    outwards = -1 if edge < 2 else 1
    for excess, accepted in ((0, True), (EDGE_TOLERANCE, True), (EDGE_TOLERANCE + 0.01, False)):
        rect = [0.0, 0.0, LETTER.width, LETTER.height]
        rect[edge] += outwards * excess
        assert inside(rect, LETTER) is accepted

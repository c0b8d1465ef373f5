"""Areas of rectangles: exact, and equal to counting the cells of a grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.geometry.box import Box
from pagetrail.annotation.geometry.overlap import (
    area,
    as_integers,
    intersection,
    ioa,
    iou,
    localises,
)

_EDGE = st.integers(0, 40)


@st.composite
def _rects(draw: st.DrawFn) -> Box:
    x0, x1 = sorted(draw(st.lists(_EDGE, min_size=2, max_size=2, unique=True)))
    y0, y1 = sorted(draw(st.lists(_EDGE, min_size=2, max_size=2, unique=True)))
    return x0 / 100, y0 / 100, x1 / 100, y1 / 100


def _mask(rect: Box) -> np.ndarray:
    cells = np.zeros((40, 40), dtype=bool)
    x0, y0, x1, y1 = (round(edge * 100) for edge in rect)
    cells[y0:y1, x0:x1] = True
    return cells


@given(_rects(), _rects())
def test_areas_are_counts_of_cells(a: Box, b: Box) -> None:
    """Every measure equals what a boolean mask of hundredths of a point gives, bit for bit."""
    mask_a, mask_b = _mask(a), _mask(b)
    shared_cells, covered_cells = int((mask_a & mask_b).sum()), int((mask_a | mask_b).sum())
    (integer_a, integer_b), units = as_integers((a, b))
    assert units == 100
    assert area(integer_a) == mask_a.sum()
    assert intersection(integer_a, integer_b) == shared_cells
    assert iou(a, b) == iou(b, a) == shared_cells / covered_cells
    assert ioa(a, b) == shared_cells / mask_a.sum()


def test_nothing_covers_nothing() -> None:
    """A rectangle without area is covered by nothing, and covers nothing."""
    empty = (1.0, 1.0, 1.0, 5.0)
    assert area(as_integers((empty,))[0][0]) == 0
    assert ioa(empty, (0.0, 0.0, 9.0, 9.0)) == iou(empty, empty) == 0.0


@pytest.mark.parametrize(
    ("prediction", "localised"),
    [
        ((0, 0, 10, 5), True),  # half of the truth
        ((0, 0, 10, 4.99), False),
        ((0, 0, 50, 10), True),  # a fifth of the prediction is used
        ((0, 0, 50.01, 10), False),
    ],
)
def test_localisation_at_its_thresholds(prediction: Box, localised: bool) -> None:
    """Exactly half of the truth and exactly a fifth of the prediction are enough, not less."""
    assert localises(prediction, (0, 0, 10, 10)) is localised

"""Zones: against results of brute-force masks, against masks drawn here, and at the edges."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pagetrail.annotation.agreement import unit_zones, zone_agreement
from pagetrail.annotation.agreement.union_area import _cut, _swept
from pagetrail.annotation.errors import BoxError
from pagetrail.annotation.geometry.box import PageSize
from pagetrail.annotation.geometry.overlap import IntegerBox
from tests.annotation.agreement import box_cases

ZONES = box_cases.load("zone_agreement")
PAGE = (40.0, 30.0)
Boxes = list[tuple[float, float, float, float]]


@pytest.fixture(autouse=True)
def _nothing_on_stderr() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        yield


def _close(measured: float | None, expected: float | None) -> bool:
    if measured is None or expected is None:
        return measured is expected
    return abs(measured - expected) <= box_cases.TOLERANCE


@pytest.mark.parametrize("case", ZONES, ids=lambda case: case["name"])
@pytest.mark.parametrize("dpi", [None, 72], ids=["exact", "pixels"])
def test_reference_zones(case: dict[str, Any], dpi: float | None) -> None:
    """Areas, IoU, Dice and their means over pairs equal the reference; whole points are pixels."""
    zones = case["annotators_px"] or case["annotators"]
    agreement = unit_zones(zones, (case["page"]["width"], case["page"]["height"]), dpi=dpi)
    expected = case["expected"]
    for pair in expected["pairs"]:
        pair_agreement = agreement.pairs[pair["a"], pair["b"]]
        for part in ("intersection", "union", "area_a", "area_b"):
            assert getattr(pair_agreement, part) == pair[part]
        assert _close(pair_agreement.iou, pair["iou"])
        assert _close(pair_agreement.dice, pair["dice"])
        assert (pair_agreement.reason is None) == (pair["iou"] is not None)
    assert len(agreement.pairs) == expected["n_pairs"]
    assert _close(agreement.iou, expected["mean_iou"])
    assert _close(agreement.dice, expected["mean_dice"])
    assert _close(agreement.iou_both, expected["mean_iou_both_nonempty"])
    assert _close(agreement.dice_both, expected["mean_dice_both_nonempty"])
    kinds = [pair.kind for pair in agreement.pairs.values()]
    assert kinds.count("both") == expected["n_both_nonempty"]
    assert len(kinds) - kinds.count("both_empty") == expected["n_defined"]


@pytest.mark.parametrize(
    "case", box_cases.load("zone_agreement_fractional"), ids=lambda case: case["name"]
)
@pytest.mark.parametrize("dpi", [None, 72, 150, 300])
def test_reference_fractions(case: dict[str, Any], dpi: int | None) -> None:
    """Exact areas of fractional boxes, and the stated pixel grids with edges rounded half-up."""
    page = (case["page"]["width"], case["page"]["height"])
    agreement = zone_agreement(case["annotators"]["A"], case["annotators"]["B"], page, dpi=dpi)
    expected = case["expected"]["exact" if dpi is None else f"round_half_up_{dpi}dpi"]
    for part in ("iou", "dice", "intersection", "union"):
        assert _close(getattr(agreement, part), expected[part])
    assert agreement.dpi == dpi


@pytest.mark.corpus
def test_carried_box_cases_are_the_shared_ones() -> None:
    """The carried file is the shared one."""
    shared = box_cases.shared()
    if shared is None:
        pytest.skip("the shared cases are not beside this repository")
    local_cases = [
        case for kind in sorted({c["kind"] for c in shared}) for case in box_cases.load(kind)
    ]
    assert sorted(local_cases, key=str) == sorted(shared, key=str)


_EDGE = st.integers(-900, 4900)
_BOXES = st.lists(
    st.tuples(_EDGE, _EDGE, _EDGE, _EDGE).map(lambda box: tuple(edge / 100 for edge in box)),
    max_size=6,
)


def _mask(boxes: Boxes, dpi: int) -> np.ndarray:
    """The page's pixels, drawn box by box; edges are hundredths, rounded as decimals."""
    width, height = (_grid(edge, dpi) for edge in PAGE)
    pixels = np.zeros((height, width), dtype=bool)
    for x0, y0, x1, y1 in boxes:
        columns = sorted(min(max(_grid(edge, dpi), 0), width) for edge in (x0, x1))
        rows = sorted(min(max(_grid(edge, dpi), 0), height) for edge in (y0, y1))
        pixels[rows[0] : rows[1], columns[0] : columns[1]] = True
    return pixels


def _grid(edge: float, dpi: int) -> int:
    return math.floor(Fraction(round(edge * 100), 100) * dpi / 72 + Fraction(1, 2))


@given(_BOXES, _BOXES, st.sampled_from([72, 96, 150, 300]))
@example([(2.28, 0.0, 4.0, 9.0)], [(0.0, 0.0, 2.28, 9.0)], 300)
def test_pixels_are_those_of_a_mask(a: Boxes, b: Boxes, dpi: int) -> None:
    """Pixel mode equals a boolean mask bit for bit, half pixels (2.28 pt is 9.5) included."""
    mask_a, mask_b = _mask(a, dpi), _mask(b, dpi)
    intersection, union = int((mask_a & mask_b).sum()), int((mask_a | mask_b).sum())
    agreement = zone_agreement(a, b, PAGE, dpi=dpi)
    assert (agreement.area_a, agreement.area_b) == (mask_a.sum(), mask_b.sum())
    assert (agreement.intersection, agreement.union) == (intersection, union)
    assert agreement.iou == (intersection / union if union else None)
    total = int(mask_a.sum() + mask_b.sum())
    assert agreement.dice == (2 * intersection / total if union else None)


@given(_BOXES, _BOXES)
def test_exact_areas_are_counts_of_hundredths(a: Boxes, b: Boxes) -> None:
    """At 7,200 dpi a pixel is a hundredth of a point: both modes give one and the same quotient."""
    exact, fine = zone_agreement(a, b, PAGE), zone_agreement(a, b, PAGE, dpi=7200)
    assert (exact.iou, exact.dice, exact.reason) == (fine.iou, fine.dice, fine.reason)
    assert exact.union == fine.union / 10_000


_FLOAT = st.floats(-10, 50, allow_nan=False)
_FLOAT_BOXES = st.lists(st.tuples(_FLOAT, _FLOAT, _FLOAT, _FLOAT), max_size=4)


@given(st.one_of(_BOXES, _FLOAT_BOXES), st.one_of(_BOXES, _FLOAT_BOXES))
def test_symmetry_and_bounds(a: Boxes, b: Boxes) -> None:
    """IoU and Dice are in [0, 1], IoU below Dice, and do not depend on who comes first."""
    agreement, swapped = zone_agreement(a, b, PAGE), zone_agreement(b, a, PAGE)
    assert (agreement.iou, agreement.dice) == (swapped.iou, swapped.dice)
    assert (agreement.area_a, agreement.area_b) == (swapped.area_b, swapped.area_a)
    if agreement.iou is None or agreement.dice is None:
        assert agreement.kind == agreement.reason == "both_empty"
        return
    assert 0 <= agreement.iou <= agreement.dice <= 1
    if agreement.kind == "one_empty":
        assert agreement.iou == agreement.dice == 0


@given(st.one_of(_BOXES, _FLOAT_BOXES), st.randoms(use_true_random=False))
def test_identity(boxes: Boxes, random: Any) -> None:
    """A zone is itself, with boxes in any order, repeated, corners turned: exactly 1."""
    shuffled = [(x1, y0, x0, y1) for x0, y0, x1, y1 in random.sample(boxes, len(boxes))] + boxes[:2]
    agreement = zone_agreement(boxes, shuffled, PAGE)
    assert agreement.iou in (1.0, None)
    assert agreement.iou == agreement.dice


@given(_FLOAT_BOXES, _FLOAT_BOXES)
def test_any_float_is_exact(a: Boxes, b: Boxes) -> None:
    """Edges that are no hundredths are not rounded: areas are those of rational arithmetic.

    Where all edges are hundredths, as stored ones are, 0.06 is six of them and not the nearest
    double: those are left to the tests above.
    """
    edges = [edge for boxes in (a, b) for box in _cut_to_page(boxes) for edge in map(float, box)]
    assume(all(edge.is_integer() for edge in edges) or any(not _hundredth(e) for e in edges))
    agreement = zone_agreement(a, b, PAGE)
    area_a, area_b, shared_area = (_rational(part) for part in (_cells(a), _cells(b), _cells(a, b)))
    union_area = area_a + area_b - shared_area
    assert agreement.iou == (float(shared_area / union_area) if union_area else None)
    assert agreement.area_a == float(area_a)


def _hundredth(edge: float) -> bool:
    return round(edge * 100) / 100 == edge


Cells = dict[tuple[Fraction, Fraction], Fraction]


def _cells(a: Boxes, b: Boxes | None = None) -> Cells:
    """Cells of the compressed grid that ``a`` covers, and ``b`` where it is given, with areas."""
    cut = [_cut_to_page(boxes) for boxes in (a, b) if boxes is not None]
    xs = sorted({edge for boxes in cut for box in boxes for edge in box[::2]})
    ys = sorted({edge for boxes in cut for box in boxes for edge in box[1::2]})
    return {
        (x0, y0): (x1 - x0) * (y1 - y0)
        for x0, x1 in pairwise(xs)
        for y0, y1 in pairwise(ys)
        if all(any(u0 <= x0 < u1 and v0 <= y0 < v1 for u0, v0, u1, v1 in boxes) for boxes in cut)
    }


def _cut_to_page(boxes: Boxes) -> list[tuple[Fraction, ...]]:
    cut_boxes = []
    for x0, y0, x1, y1 in boxes:
        left, right = (
            min(max(Fraction(edge), Fraction(0)), Fraction(PAGE[0])) for edge in (x0, x1)
        )
        top, bottom = (
            min(max(Fraction(edge), Fraction(0)), Fraction(PAGE[1])) for edge in (y0, y1)
        )
        cut_boxes.append((min(left, right), min(top, bottom), max(left, right), max(top, bottom)))
    return cut_boxes


def _rational(cells: Cells) -> Fraction:
    return sum(cells.values(), Fraction(0))


_INTEGER_BOXES = st.tuples(*(st.integers(0, 30) for _ in range(4))).map(
    lambda box: (min(box[::2]), min(box[1::2]), max(box[::2]), max(box[1::2]))
)


@given(
    st.lists(_INTEGER_BOXES, max_size=9),
    st.lists(_INTEGER_BOXES, max_size=9),
    st.sampled_from([1, 2**40]),
)
def test_both_ways_to_an_area_agree(a: list[IntegerBox], b: list[IntegerBox], factor: int) -> None:
    """Cutting and sweeping give one number, also where it does not fit into 64 bits."""
    big_a, big_b = ([tuple(edge * factor for edge in box) for box in boxes] for boxes in (a, b))
    assert _cut(big_a, big_b) == _swept(big_a, big_b)  # type: ignore[arg-type]
    mask_a, mask_b = np.zeros((30, 30), dtype=bool), np.zeros((30, 30), dtype=bool)
    for mask, boxes in ((mask_a, a), (mask_b, b)):
        for x0, y0, x1, y1 in boxes:
            mask[y0:y1, x0:x1] = True
    cell_counts = (int(mask_a.sum()), int(mask_b.sum()), int((mask_a & mask_b).sum()))
    assert _cut(a, b) == cell_counts


def test_many_boxes() -> None:
    """Hundreds of boxes on a page, beyond the number that is cut, equal a mask."""
    draw = np.random.default_rng(0)
    page = (612.0, 792.0)
    zones = []
    for _ in range(2):
        corner = draw.integers(0, (560, 760), (300, 2))
        zones.append(np.hstack([corner, corner + draw.integers(1, (52, 32), (300, 2))]))
    masks = [np.zeros((792, 612), dtype=bool) for _ in zones]
    for mask, boxes in zip(masks, zones, strict=True):
        for x0, y0, x1, y1 in boxes:
            mask[y0:y1, x0:x1] = True
    agreement = zone_agreement(zones[0], zones[1], page)
    assert agreement.iou == (masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum()


def test_the_forms_boxes_and_pages_come_in() -> None:
    """Lists, arrays, whole numbers and a PageSize are the same page."""
    expected = zone_agreement([(1.0, 2.0, 3.5, 4.0)], [(2.0, 2.0, 5.0, 4.0)], (9.0, 9.0))
    assert expected.iou == 0.375
    forms: list[Any] = [[[1, 2, 3.5, 4]], np.array([[1, 2, 3.5, 4]]), ((1, 2, 3.5, 4),)]
    for form in forms:
        assert zone_agreement(form, [(2, 2, 5, 4)], PageSize(width=9, height=9)) == expected
    assert zone_agreement(np.empty((0, 4)), [], (9, 9)).reason == "both_empty"


@pytest.mark.parametrize(
    ("box", "message"),
    [
        ((0, 0, math.nan, 1), "Box 2 is (0, 0, nan, 1)"),
        ((0, 0, math.inf, 1), "Box 2 is (0, 0, inf, 1)"),
        ((0, 0, 1), "Box 2 is (0, 0, 1)"),
        ((0, 0, 1, 1, 1), "Box 2 is (0, 0, 1, 1, 1)"),
        ((0, 0, "1", 1), "Box 2 is (0, 0, '1', 1)"),
        ((0, None, 1, 1), "Box 2 is (0, None, 1, 1)"),
        (7, "Box 2 is 7"),
    ],
)
def test_invalid_boxes_are_refused(box: Any, message: str) -> None:
    """Anything but four finite numbers is refused and named, in either zone."""
    for zones in (([(0, 0, 1, 1), box], []), ([], [(0, 0, 1, 1), box])):
        with pytest.raises(BoxError) as raised:
            zone_agreement(*zones, PAGE)
        assert message in raised.value.message


def test_no_zone() -> None:
    """Nothing drawn is an empty list; a zone that is missing is refused."""
    missing: Any = None
    with pytest.raises(BoxError, match="None is no list of boxes"):
        zone_agreement([], missing, PAGE)
    with pytest.raises(BoxError, match="Box 1 is 0"):
        zone_agreement([0, 0, 9, 9], [], PAGE)  # type: ignore[list-item]


@pytest.mark.parametrize("page", [(0, 10), (math.nan, 10), (10, math.inf), (10,), None, "A4"])
def test_pages_without_a_size(page: Any) -> None:
    """A page needs a finite size."""
    with pytest.raises(BoxError, match="is no page size"):
        zone_agreement([], [], page)


@pytest.mark.parametrize("dpi", [0, -72, math.nan, math.inf])
def test_no_resolution(dpi: float) -> None:
    """A pixel grid needs a finite resolution."""
    with pytest.raises(BoxError, match="dpi is none"):
        zone_agreement([], [], PAGE, dpi=dpi)

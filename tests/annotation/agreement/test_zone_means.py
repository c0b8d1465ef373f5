"""Means over annotators, pages and data sets; a model against people."""

from __future__ import annotations

import pytest

from pagetrail.annotation.agreement import unit_zones, zone_breakdown, zone_means

PAGE = (200, 150)
LEFT = [(10, 10, 60, 40)]
SHIFTED = [(20, 10, 70, 40)]  # IoU 2/3, Dice 0.8 with LEFT
HALF = [(35, 10, 85, 40)]  # IoU 1/3, Dice 0.5 with LEFT
NO_BOXES: list[tuple[float, float, float, float]] = []


def test_units_count_once_however_many_annotators() -> None:
    """First over the pairs of a page, then over pages; a page of three does not weigh triple."""
    three = unit_zones({"a": LEFT, "b": LEFT, "c": HALF}, PAGE)
    two = unit_zones({"a": LEFT, "b": SHIFTED}, PAGE)
    means = zone_means([three, two])
    assert three.iou == pytest.approx(5 / 9)
    assert three.dice == pytest.approx(2 / 3)
    assert means.iou == pytest.approx((5 / 9 + 2 / 3) / 2)
    assert means.dice == pytest.approx((2 / 3 + 0.8) / 2)
    assert (means.n_units, means.n_both) == (2, 2)


def test_mean_dice_is_not_converted_from_mean_iou() -> None:
    """2·IoU/(1+IoU) of the mean IoU would be another number."""
    means = zone_means(
        [unit_zones({"a": LEFT, "b": LEFT}, PAGE), unit_zones({"a": LEFT, "b": HALF}, PAGE)]
    )
    assert means.iou is not None
    assert means.dice == pytest.approx(0.75)
    assert means.dice != pytest.approx(2 * means.iou / (1 + means.iou))


def test_pages_are_counted_by_who_drew() -> None:
    """One empty zone is 0, two are left out; the mean over drawn pairs leaves out both kinds.
    Pages are counted, not pairs, and each once.
    """
    means = zone_means(
        [
            unit_zones({"a": LEFT, "b": SHIFTED, "c": NO_BOXES}, PAGE),
            unit_zones({"a": NO_BOXES, "b": NO_BOXES}, PAGE),
            unit_zones({"a": LEFT, "b": NO_BOXES}, PAGE),
            unit_zones({"a": LEFT}, PAGE),
        ]
    )
    assert (means.n_both, means.n_one_empty, means.n_both_empty) == (1, 1, 1)
    assert means.n_units == 3
    assert means.dice == pytest.approx((0.8 / 3 + 0) / 2)
    assert means.dice_both == pytest.approx(0.8)
    assert means.reason is None


def test_no_defined_pair() -> None:
    """Without a page on which two could differ there is no mean, and a reason."""
    for units in ([], [unit_zones({"a": NO_BOXES, "b": NO_BOXES}, PAGE)], [unit_zones({}, PAGE)]):
        means = zone_means(units)
        assert means.iou is means.dice is means.iou_both is means.dice_both is None
        assert means.reason == "no_defined_pair"


def test_data_sets_pooled_and_macro() -> None:
    """Rows by data set; pooled over their pages, macro over the data sets."""
    good = unit_zones({"a": LEFT, "b": LEFT}, PAGE)
    fair = unit_zones({"a": LEFT, "b": HALF}, PAGE)
    by_group = zone_breakdown([("x", good), ("x", good), ("x", good), ("y", fair)])
    assert list(by_group.rows) == ["x", "y"]
    assert by_group.rows["y"].dice == 0.5
    assert by_group.pooled.dice == pytest.approx(3.5 / 4)
    assert by_group.macro == (pytest.approx((1 + 1 / 3) / 2), pytest.approx(0.75))


def test_pixels_reach_every_pair() -> None:
    """The stated resolution is in each pair's result, and changes it."""
    zones = {"a": [(0.4, 0, 10, 10)], "b": [(0, 0, 10, 10)]}
    exact, pixels = unit_zones(zones, PAGE), unit_zones(zones, PAGE, dpi=72)
    assert exact.iou == pytest.approx(0.96)
    assert pixels.iou == 1
    assert pixels.pairs["a", "b"].dpi == 72

"""COCO mAP through pycocotools: its own figures, and what is said without it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from annotation.errors import BoxError, PagetrailError
from exports import coco_map as module
from exports.coco_map import CocoMap, Detection, coco_map
from tests.annotation.agreement import box_cases

installed = pytest.mark.skipif(
    module.COCO is None, reason="pycocotools is not installed; it is in the extra coco"
)


def _detections(boxes: list[dict[str, Any]]) -> list[Detection]:
    return [
        Detection(box["image"], tuple(box["bbox"]), box["category"], box.get("score", 1.0))
        for box in boxes
    ]


@installed
@pytest.mark.parametrize("case", box_cases.load("coco_map"), ids=lambda case: case["name"])
def test_reference_figures(case: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    """The figures pycocotools gave elsewhere, and nothing printed on the way."""
    own = coco_map(_detections(case["gt"]), _detections(case["predictions"]))
    expected = case["expected"]
    for part, name in (("map_50_95", "mAP_50_95"), ("ap50", "AP50"), ("ap75", "AP75"),
                       ("ar_1", "AR_1"), ("ar_10", "AR_10"), ("ar_100", "AR_100")):  # fmt: skip
        assert getattr(own, part) == pytest.approx(expected[name], abs=box_cases.TOLERANCE)
    assert capfd.readouterr() == ("", "")


@installed
def test_pages_and_classes_are_kept_apart() -> None:
    """A box on another page or of another class is no hit."""
    truth = [Detection("p1", (0, 0, 10, 10), "text"), Detection("p2", (0, 0, 10, 10), "figure")]
    assert coco_map(truth, truth).map_50_95 == pytest.approx(1)
    swapped = [Detection("p2", (0, 0, 10, 10), "text"), Detection("p1", (0, 0, 10, 10), "figure")]
    assert coco_map(truth, swapped).map_50_95 == 0


@installed
def test_nothing_predicted_and_nothing_true() -> None:
    """No prediction finds nothing, which is 0; without a true box nothing is defined."""
    truth = [Detection("p1", (0, 0, 10, 10), "text")]
    nothing = coco_map(truth, [])
    assert (nothing.map_50_95, nothing.ar_100, nothing.n_predictions) == (0, 0, 0)
    undefined = coco_map([], truth)
    assert undefined == CocoMap(None, None, None, None, None, None, 0, 1, 1, "no_truth")


@installed
@pytest.mark.parametrize("rect", [(0, 0, math.nan, 1), (5, 0, 5, 1), (9, 0, 5, 1), (0, 0, 1)])
def test_bad_boxes(rect: Any) -> None:
    """A box without area, reversed or not finite is refused with its page."""
    with pytest.raises(BoxError, match="Box 1 on p1 is"):
        coco_map([Detection("p1", rect, "text")], [])


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pycocotools is missing, the error names the extra to install."""
    monkeypatch.setattr(module, "COCO", None)
    with pytest.raises(PagetrailError) as raised:
        coco_map([], [])
    assert raised.value.code == "missing_extra"
    assert "pagetrail[coco]" in raised.value.message

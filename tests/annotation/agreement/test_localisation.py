"""ParseBench's rule of which true element a prediction localises."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation.geometry.overlap import ioa, iou, localises
from tests.annotation.agreement import box_cases


@pytest.mark.parametrize("case", box_cases.load("ioa_localisation"), ids=lambda case: case["name"])
def test_reference_localisation(case: dict[str, Any]) -> None:
    """The benchmark's own verdicts and shares."""
    predictions = case["predictions"]
    for truth, expected in zip(case["gt"], case["expected"]["elements"], strict=True):
        assert (
            any(localises(prediction, truth) for prediction in predictions) is expected["localized"]
        )
        if expected["best_pred"] is None:
            continue
        best = predictions[expected["best_pred"]]
        for overlap, name in (
            (ioa(truth, best), "ioa_gt_pred"),
            (ioa(best, truth), "ioa_pred_gt"),
            (iou(truth, best), "iou"),
        ):
            assert overlap == pytest.approx(expected[name], abs=box_cases.TOLERANCE)


def test_shares_of_a_page_are_not_rounded() -> None:
    """The benchmark's boxes are in [0, 1]: the rule holds at its limit there as in points."""
    assert localises((0.0, 0.0, 0.25, 0.5), (0.0, 0.0, 0.5, 0.5))
    assert not localises((0.0, 0.0, 0.2499999, 0.5), (0.0, 0.0, 0.5, 0.5))

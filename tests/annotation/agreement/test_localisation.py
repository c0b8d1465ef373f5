"""ParseBench's localisation and Element Pass Rate."""

from __future__ import annotations

import math
from typing import Any

import pytest

from annotation.agreement import element_passes, localisations, pass_rate, token_f1
from annotation.elements import Element
from annotation.errors import BoxError
from tests.annotation.agreement import box_cases


@pytest.mark.parametrize("case", box_cases.load("ioa_localisation"), ids=lambda case: case["name"])
def test_reference_localisation(case: dict[str, Any]) -> None:
    """The benchmark's own verdicts, shares and best predictions."""
    found = localisations(case["gt"], case["predictions"])
    for own, expected in zip(found, case["expected"]["elements"], strict=True):
        assert (own.truth, own.best) == (expected["gt_index"], expected["best_pred"])
        assert own.localised is expected["localized"]
        for part, name in (
            ("ioa_truth", "ioa_gt_pred"),
            ("ioa_prediction", "ioa_pred_gt"),
            ("iou", "iou"),
        ):
            assert getattr(own, part) == pytest.approx(expected[name], abs=box_cases.TOLERANCE)
    rate = sum(own.localised for own in found) / len(found)
    assert rate == case["expected"]["pass_rate"]


def test_shares_of_a_page_are_not_rounded() -> None:
    """The benchmark's boxes lie in [0, 1]: the rule holds at its limit there as in points."""
    (found,) = localisations([(0.0, 0.0, 0.5, 0.5)], [(0.0, 0.0, 0.25, 0.5)])
    assert (found.localised, found.ioa_truth, found.ioa_prediction) == (True, 0.5, 1)
    (below,) = localisations([(0.0, 0.0, 0.5, 0.5)], [(0.0, 0.0, 0.2499999, 0.5)])
    assert not below.localised


def test_one_that_localises_is_better_than_a_closer_one_that_does_not() -> None:
    """A tight box around less than half of an element does not hide a loose one around all."""
    truth = (0, 0, 100, 100)
    (found,) = localisations([truth], [(0, 0, 100, 49), (0, 0, 400, 120)])
    assert (found.best, found.localised) == (1, True)
    assert found.iou < 0.49


@pytest.mark.parametrize("bad", [(0, 0, math.nan, 1), (0, 0, 1)])
def test_bad_boxes(bad: Any) -> None:
    """What is not four finite numbers is refused on either side."""
    with pytest.raises(BoxError, match="True box 1"):
        localisations([bad], [])
    with pytest.raises(BoxError, match="Prediction 1"):
        localisations([], [bad])


def _element(id: str, rect: tuple[float, ...], label: str = "text", **more: Any) -> Element:
    return Element.model_validate(
        {"id": id, "document": "d.pdf", "page": 1, "rect": rect, "label": label} | more
    )


def test_a_pass_needs_place_class_and_content_of_one_prediction() -> None:
    """Two predictions that each miss something do not pass together."""
    truth = [_element("t", (0, 0, 100, 20), content="Total revenue 2024")]
    right_class = _element("p1", (0, 0, 100, 20), content="something else")
    right_text = _element("p2", (0, 0, 100, 20), "title", content="total REVENUE 2024")
    (apart,) = element_passes(truth, [right_class, right_text])
    assert (apart.localised, apart.classified, apart.read, apart.passed) == (
        True,
        True,
        True,
        False,
    )
    both = _element("p3", (0, 0, 100, 22), content="total revenue, 2024")
    (passed,) = element_passes(truth, [right_class, right_text, both])
    assert passed.passed


def test_content_counts_where_there_is_some() -> None:
    """An element without content passes on place and class."""
    for content in (None, "", " – "):
        truth = [_element("t", (0, 0, 100, 20), "figure", content=content)]
        (found,) = element_passes(truth, [_element("p", (0, 0, 100, 20), "figure", content="x")])
        assert (found.read, found.passed) == (None, True)


def test_predictions_count_on_their_own_page() -> None:
    """The same place on another page or document finds nothing."""
    truth = [_element("t", (0, 0, 100, 20))]
    for other in ({"page": 2}, {"document": "e.pdf"}):
        (found,) = element_passes(truth, [_element("p", (0, 0, 100, 20), **other)])
        assert not (found.localised or found.passed)


def test_pass_rate_counts() -> None:
    """The rate is the mean over elements, beside the counts of each of its parts."""
    truth = [
        _element("t1", (0, 0, 100, 20), content="one two"),
        _element("t2", (0, 50, 100, 70), "title"),
        _element("t3", (0, 100, 100, 120), content="three"),
        _element("t4", (0, 200, 100, 220)),
    ]
    predictions = [
        _element("p1", (0, 0, 100, 20), content="one two"),
        _element("p2", (0, 50, 100, 70)),
        _element("p3", (0, 100, 100, 120), content="four"),
    ]
    rate = pass_rate(element_passes(truth, predictions))
    assert rate.value == 0.25
    assert (rate.n_elements, rate.n_localised, rate.n_classified) == (4, 3, 2)
    assert (rate.n_with_content, rate.n_read, rate.n_passed, rate.reason) == (2, 1, 1, None)
    assert (pass_rate([]).value, pass_rate([]).reason) == (None, "no_element")


@pytest.mark.parametrize(
    ("truth", "prediction", "f1"),
    [
        ("a b c d", "a b c d", 1),
        ("a b c d", "d c b a e", 8 / 9),
        ("a a b", "a b b", 2 / 3),
        ("Ｅｎｅｒｇｙ ﬁeld", "energy field", 1),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a b", 1),
        ("x <table 5", "x table 5", 1),
        ("p <t 5", "p t 5", 1),
        ("a", "", 0),
        ("", "", 0),
    ],
)
def test_token_f1(truth: str, prediction: str, f1: float) -> None:
    """Words as multisets, without order, case, compatibility forms and table markup."""
    assert token_f1(truth, prediction) == pytest.approx(f1)
    assert token_f1(prediction, truth) == pytest.approx(f1)

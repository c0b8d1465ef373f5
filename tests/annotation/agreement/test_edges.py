"""Tables from which some or all coefficients cannot be computed, and tables that are wrong."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pagetrail.annotation.agreement import COEFFICIENTS, WEIGHTS, coefficients
from pagetrail.annotation.errors import RatingError


@pytest.fixture(autouse=True)
def _nothing_on_stderr() -> Iterator[None]:
    """Whatever is missing in a table, no warning is given."""
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize(
    "ratings",
    [
        [],
        [[]],
        [[], []],
        [[None, None]],
        [[1], [2], [1]],
        [[1, None], [None, 2]],
        np.full((4, 3), math.nan),
        np.empty((0, 3)),
    ],
    ids=["no unit", "no rater", "no raters", "no rating", "one rater", "rated once", "NaN", "0×3"],
)
def test_nothing_rated_twice(ratings: Any) -> None:
    """Without a unit that two rated, every coefficient is undefined and says so."""
    estimates = coefficients(ratings, categories=[1, 2], level="nominal")
    assert tuple(estimates) == tuple(COEFFICIENTS)
    for key, estimate in estimates.items():
        assert (estimate.value, estimate.se, estimate.pa) == (None, None, None)
        two_raters = not COEFFICIENTS[key].needs_two_raters or np.shape(ratings)[1:] == (2,)
        assert estimate.reason == ("no_pairable_unit" if two_raters else "not_two_raters")
        assert estimate.n_pairs == 0


def test_one_unit_has_a_value_but_no_error() -> None:
    """The spread of a single unit is unknown, not zero."""
    estimates = coefficients([[1, 2, 1]], categories=[1, 2, 3], level="nominal")
    gwet = estimates["gwet_ac"]
    assert gwet.value == pytest.approx((1 / 3 - 2 / 9) / (1 - 2 / 9))
    assert (gwet.se, gwet.reason) == (None, "one_unit")
    assert (gwet.n_units, gwet.n_pairs) == (1, 3)


def test_one_unit_rated_twice_among_others() -> None:
    """Units rated once do not give the one pairable unit a spread."""
    estimates = coefficients([[1, 1], [1, None], [None, 2]], categories=[1, 2], level="nominal")
    assert estimates["percent_agreement"].value == 1
    assert estimates["percent_agreement"].reason == "one_unit"
    assert estimates["gwet_ac"].n_units == 3
    assert estimates["percent_agreement"].n_units == 1


def test_all_agree_on_one_of_several_categories() -> None:
    """AC1 is 1, as is agreement above equal chance; kappas and alpha have no variation to judge."""
    estimates = coefficients([[2, 2], [2, 2], [2, 2]], categories=[1, 2, 3], level="ordinal")
    assert estimates["gwet_ac"].value == estimates["percent_agreement"].value == 1
    assert estimates["brennan_prediger"].value == 1
    assert estimates["gwet_ac"].se == 0
    for key in ("fleiss_kappa", "conger_kappa", "cohen_kappa", "krippendorff_alpha"):
        assert (estimates[key].value, estimates[key].reason) == (None, "no_variation")


@pytest.mark.parametrize("weights", WEIGHTS)
def test_one_category_declared(weights: Any) -> None:
    """With nothing to choose, only percent agreement is defined."""
    estimates = coefficients([[1, 1], [1, 1]], categories=[1], weights=weights, level="interval")
    assert estimates["percent_agreement"].value == 1
    assert {estimates[key].reason for key in COEFFICIENTS if key != "percent_agreement"} == {
        "one_category_declared"
    }


def test_declared_categories_move_ac2_but_not_alpha() -> None:
    """AC2 depends on the categories a rater could have used; alpha on those that were."""
    ratings = [[0, 1], [1, 1], [0, 0], [1, 0], [1, 1]]
    two_categories = coefficients(ratings, categories=[0, 1], weights="ordinal", level="ordinal")
    three_categories = coefficients(
        ratings, categories=[0, 1, 2], weights="ordinal", level="ordinal"
    )
    assert two_categories["gwet_ac"].value != three_categories["gwet_ac"].value
    assert two_categories["krippendorff_alpha"].value == pytest.approx(
        three_categories["krippendorff_alpha"].value
    )
    assert three_categories["gwet_ac"].choices.categories == (0, 1, 2)


def test_rater_without_ratings() -> None:
    """A rater who rated nothing has no margin: Conger's and Cohen's kappa need one."""
    three = coefficients([[1, 2, None], [1, 1, None], [2, 2, None]], categories=[1, 2])
    assert three["conger_kappa"].reason == "rater_without_ratings"
    assert three["cohen_kappa"].reason == "not_two_raters"
    assert three["fleiss_kappa"].value is not None


def test_unknown_raters() -> None:
    """Where columns are no persons, the kappas that use each rater's margin are undefined."""
    estimates = coefficients([[1, 2], [2, 2]], categories=[1, 2], raters_known=False)
    assert (
        estimates["conger_kappa"].reason
        == estimates["cohen_kappa"].reason
        == "rater_identity_unknown"
    )


def test_alpha_needs_a_level() -> None:
    """No level of measurement is guessed from the weights."""
    estimates = coefficients([[1, 2], [2, 2]], categories=[1, 2], weights="ordinal")
    assert estimates["krippendorff_alpha"].reason == "no_level"


def test_two_zeros_agree_on_a_ratio_scale() -> None:
    """0 and 0 do not differ: the weight is 1 and the difference 0, not 0/0."""
    estimates = coefficients([[0, 0], [0, 2], [2, 2]], categories=[0, 1, 2], weights="ratio",
                         level="ratio")  # fmt: skip
    assert estimates["percent_agreement"].value == pytest.approx(2 / 3)
    # o_02 = 2·½·2, n_0 = n_2 = 3, n = 6: 1 − 5 · 2 / (2 · 9)
    assert estimates["krippendorff_alpha"].value == pytest.approx(1 - 5 * 2 / 18)


def test_scores_far_apart_keep_alpha_defined() -> None:
    """Two close categories in use beside a distant unused one still vary."""
    estimates = coefficients([[0, 1], [1, 1], [0, 0]], categories=[0, 1, 10**9], level="interval")
    assert estimates["krippendorff_alpha"].value == pytest.approx(1 - 5 * 2 / 18)


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([[1, 2], [2, 3]], "Unit 2, rater 2: 3 is not among the declared categories (1, 2)"),
        (np.array([[1.0, 2.0], [2.5, math.nan]]), "Unit 2, rater 1: 2.5"),
        (np.array([[1, 2], [7, 2]]), "Unit 2, rater 1: 7"),
        ([[1, math.inf]], "Unit 1, rater 2: inf"),
        ([[1, "2"]], "Unit 1, rater 2: '2'"),
        ([[1, [2]]], "Unit 1, rater 2: [2]"),
        ([[1, 2], [1]], "Unit 2 has 1 ratings, unit 1 has 2"),
        ([[1, 2], "12"], "Unit 2 is '12', not a row"),
        ([[1, 2], None], "Unit 2 is None, not a row"),
        ([1, 2], "Unit 1 is 1, not a row"),
        (np.array([1, 2]), "1 dimension"),
    ],
)  # fmt: skip
def test_bad_ratings(ratings: Any, message: str) -> None:
    """A rating outside the categories and a table that is none are named with their place."""
    with pytest.raises(RatingError) as raised:
        coefficients(ratings, categories=[1, 2])
    assert message in raised.value.message


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"categories": []}, "No category"),
        ({"categories": [1, 2, 1]}, "1 is declared twice"),
        ({"categories": ["a", "b", "b"]}, "'b' is declared twice"),
        ({"categories": [1, None]}, "None cannot be a category"),
        ({"categories": [1, math.nan]}, "nan cannot be a category"),
        ({"categories": [1, 2], "weights": "cubic"}, "There are no 'cubic' weights"),
        ({"categories": [1, 2], "level": "metric"}, "There is no level 'metric'"),
        ({"categories": [-1, 1, 2], "weights": "ratio"}, "-1 is among the categories"),
        ({"categories": [-1, 1, 2], "level": "ratio"}, "-1 is among the categories"),
        ({"categories": [1, 2], "confidence": 95}, "95 is no confidence"),
    ],
)
def test_bad_choices(choices: dict[str, Any], message: str) -> None:
    """A declaration that cannot be meant is refused with the value in it."""
    with pytest.raises(RatingError) as raised:
        coefficients([[1, 2], [2, 2]], **choices)
    assert message in raised.value.message


def test_order_of_declaration() -> None:
    """Numbers are ordered by size however declared; other labels are as declared."""
    ratings = [[0, 1], [1, 1], [2, 2], [0, 0], [1, 0]]
    rising = coefficients(ratings, categories=[0, 1, 2], weights="ordinal", level="ordinal")
    mixed = coefficients(ratings, categories=[2, 0, 1], weights="ordinal", level="ordinal")
    assert rising == mixed
    names = {0: "low", 1: "mid", 2: "high"}
    named_ratings = [[names[value] for value in row] for row in ratings]
    words = coefficients(
        named_ratings, categories=["low", "mid", "high"], weights="ordinal", level="ordinal"
    )
    shuffled = coefficients(
        named_ratings, categories=["low", "high", "mid"], weights="ordinal", level="ordinal"
    )
    for key in COEFFICIENTS:
        assert words[key].value == rising[key].value
    assert shuffled["gwet_ac"].value != words["gwet_ac"].value


def test_a_table_in_any_form() -> None:
    """Lists with None, tuples, float arrays with NaN and object arrays are the same table."""
    nested_lists = [[1, None, 2], [2, 2, 2], [1, 2, None], [3, 3, 1]]
    floats = np.array(nested_lists, dtype=np.float64)
    forms: list[Any] = [
        tuple(map(tuple, nested_lists)),
        floats,
        floats.astype(np.float32),
        np.array(nested_lists, dtype=object),
        [[math.nan if value is None else value for value in row] for row in nested_lists],
        [list(row) for row in floats],
    ]
    expected = coefficients(nested_lists, categories=[1, 2, 3], level="nominal")
    for form in forms:
        assert coefficients(form, categories=[1, 2, 3], level="nominal") == expected
    estimates = coefficients(floats[1:2].astype(int), categories=[1, 2, 3])
    assert estimates["percent_agreement"].value == 1

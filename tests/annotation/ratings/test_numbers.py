"""Interval alpha of numbers, against published results and the coefficients of a declared list."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.agreement import BootstrappedCoefficient, bootstrap
from pagetrail.annotation.errors import RatingError
from pagetrail.annotation.ratings.numbers import number_row
from tests.annotation.agreement.cases import load

NAN = math.nan


def array(table: list[list[Any]]) -> np.ndarray:
    """None as NaN."""
    return np.array([[NAN if x is None else x for x in row] for row in table], dtype=float)


def _width(interval: BootstrappedCoefficient) -> float:
    assert interval.ci is not None
    low, high = interval.ci
    return high - low


def exact_alpha(table: list[list[Any]]) -> Fraction | None:
    """Interval alpha from its definition over all pairs, in fractions (Krippendorff 2004)."""
    units = [[Fraction(x) for x in row if x is not None] for row in table]
    units = [unit for unit in units if len(unit) >= 2]
    values = [x for unit in units for x in unit]
    n = len(values)
    if n == 0 or len(set(values)) == 1:
        return None
    observed = sum(
        2 * sum((a - b) ** 2 for a, b in combinations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    expected = 2 * sum((a - b) ** 2 for a, b in combinations(values, 2))
    return 1 - (n - 1) * observed / expected


NUMERIC = [c for c in load() if c.level == "interval" and not isinstance(c.categories[0], str)]


@pytest.mark.parametrize("case", NUMERIC, ids=lambda case: case.name)
def test_interval_alpha_of_the_reference_cases(case: Any) -> None:
    """Alpha equals the reference result of every carried table of numbers."""
    expected = case.expected["krippendorff_alpha"]["value"]
    estimates = number_row(array(case.ratings), list(range(len(case.ratings))))
    alpha = estimates.intervals["krippendorff_alpha"]
    if expected is None:
        assert alpha.value is None and alpha.reason
    else:
        assert alpha.value == pytest.approx(expected, abs=1e-9)


def test_krippendorffs_published_interval_alpha() -> None:
    """.849 for the 12 × 4 table of *Computing Krippendorff's Alpha-Reliability* (2011)."""
    (case,) = [c for c in load() if c.name == "irrcac_cac.raw4raters_12x4__quadratic"]
    estimates = number_row(array(case.ratings), list(range(12)))
    assert round(estimates.intervals["krippendorff_alpha"].value or 0, 3) == 0.849


def test_the_same_as_over_a_declared_list() -> None:
    """Value, standard error and counts are those of the coefficients over the values as a list."""
    draw = np.random.default_rng(1)
    table = draw.integers(0, 6, (60, 3)) + draw.integers(0, 4, (60, 1)).astype(float)
    table[draw.random(table.shape) < 0.3] = NAN
    clusters = [unit // 3 for unit in range(60)]
    row = number_row(table, clusters)
    declared = bootstrap(
        table,
        categories=sorted(set(table[~np.isnan(table)].tolist())),
        level="interval",
        clusters=clusters,
    )
    for key in ("percent_agreement", "krippendorff_alpha"):
        interval, expected = row.intervals[key], declared[key]
        assert interval.value == pytest.approx(expected.value, abs=1e-12)
        assert interval.coefficient.se == pytest.approx(expected.coefficient.se, abs=1e-12)
        assert interval.coefficient.n_pairs == expected.coefficient.n_pairs
        assert interval.n_clusters == expected.n_clusters
        # The draws differ, since clusters are in another order; the spread may not.
        assert _width(interval) == pytest.approx(_width(expected), rel=0.1)


@given(
    st.integers(1, 4).flatmap(
        lambda raters: st.lists(
            st.lists(st.none() | st.integers(-50, 50), min_size=raters, max_size=raters),
            min_size=1,
            max_size=8,
        )
    )
)
def test_alpha_is_its_definition(table: list[list[int | None]]) -> None:
    """For any small table, alpha is that of exact fractions, or undefined where that is."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimates = number_row(array(table), list(range(len(table))), replicates=10)
    alpha, exact = estimates.intervals["krippendorff_alpha"].value, exact_alpha(table)
    if exact is None:
        assert alpha is None
    else:
        assert alpha == pytest.approx(float(exact), abs=1e-9)


def test_undefined_figures_say_why() -> None:
    """Nothing rated twice, no variation, one unit, and coefficients that count categories."""
    rated_once = number_row(array([[1, None], [None, 2]]), ["a", "b"]).intervals
    assert rated_once["percent_agreement"].reason == "no_pairable_unit"
    assert rated_once["krippendorff_alpha"].reason == "no_pairable_unit"
    constant = number_row(array([[3, 3], [3, 3]]), ["a", "b"]).intervals
    assert (constant["percent_agreement"].value, constant["krippendorff_alpha"].value) == (
        1.0,
        None,
    )
    assert constant["krippendorff_alpha"].reason == "no_variation"
    assert constant["gwet_ac"].reason == "no_declared_categories"
    one_unit = number_row(array([[1, 2]]), ["a"]).intervals["krippendorff_alpha"]
    assert one_unit.value == 0
    assert (one_unit.coefficient.reason, one_unit.reason, one_unit.ci) == (
        "one_unit",
        "one_cluster",
        None,
    )
    empty = number_row(np.empty((0, 0)), []).intervals
    assert empty["krippendorff_alpha"].reason == "no_pairable_unit"


def test_large_numbers_close_together_lose_no_digits() -> None:
    """Alpha does not change when a large constant is added to all numbers."""
    table = [[1.0, 2.0], [2.0, 2.0], [3.0, 4.0], [4.0, 4.0]]
    moved = [[x + 1e9 for x in row] for row in table]
    original, shifted = (
        number_row(array(t), list(range(4))).intervals["krippendorff_alpha"].value
        for t in (table, moved)
    )
    assert original == pytest.approx(shifted, abs=1e-9)


def test_every_unit_needs_a_cluster() -> None:
    """Clusters and units of different number are refused."""
    with pytest.raises(RatingError, match="1 clusters were given for 2 units"):
        number_row(array([[1, 2], [1, 2]]), ["a"])

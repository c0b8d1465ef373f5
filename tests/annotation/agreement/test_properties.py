"""What agreement must not depend on, for random tables with gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.agreement import (
    COEFFICIENTS,
    CoefficientEstimate,
    Level,
    Weights,
    coefficients,
)
from pagetrail.annotation.agreement.alpha import alpha_influences, alphas
from pagetrail.annotation.agreement.estimation import prepare_table
from pagetrail.annotation.agreement.sufficient_statistics import unit_agreement, unit_sums
from tests.support.randomness import examples

SCHEMES: list[tuple[Weights, Level]] = [
    ("identity", "nominal"),
    ("linear", "interval"),
    ("quadratic", "interval"),
    ("ordinal", "ordinal"),
    ("radical", "ordinal"),
    ("ratio", "ratio"),
]
Rows = list[list[int | None]]


@st.composite
def _tables(draw: st.DrawFn, raters: int | None = None, gaps: bool = True) -> Rows:
    width = raters or draw(st.integers(2, 5))
    cell = st.integers(0, 3) if not gaps else st.one_of(st.none(), st.integers(0, 3))
    return draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=14))


def _estimates(
    rows: Any, weights: Weights, level: Level, **more: Any
) -> dict[Any, CoefficientEstimate]:
    return coefficients(
        rows, categories=more.pop("categories", [0, 1, 2, 3]), weights=weights, level=level, **more
    )


def _assert_same_estimates(
    left: dict[Any, CoefficientEstimate], right: dict[Any, CoefficientEstimate]
) -> None:
    for key in COEFFICIENTS:
        a, b = left[key], right[key]
        assert (a.reason, a.n_units, a.n_pairs) == (b.reason, b.n_units, b.n_pairs)
        for part in ("value", "se", "pa", "pe"):
            assert getattr(a, part) == pytest.approx(getattr(b, part), abs=1e-9)


@given(_tables(), st.sampled_from(SCHEMES), st.randoms(use_true_random=False))
def test_order_of_units_and_raters(rows: Rows, scheme: tuple[Weights, Level], random: Any) -> None:
    """Units and raters may come in any order."""
    units = random.sample(rows, len(rows))
    columns = random.sample(range(len(rows[0])), len(rows[0]))
    mixed = [[row[column] for column in columns] for row in units]
    _assert_same_estimates(_estimates(rows, *scheme), _estimates(mixed, *scheme))


@given(_tables(), st.permutations(["a", "b", "c", "d"]))
def test_names_of_nominal_categories(rows: Rows, names: list[str]) -> None:
    """Nominal agreement does not know what the categories are called."""
    named_rows = [[None if value is None else names[value] for value in row] for row in rows]
    _assert_same_estimates(
        _estimates(rows, "identity", "nominal"),
        _estimates(named_rows, "identity", "nominal", categories=["d", "b", "a", "c"]),
    )


@given(_tables(), st.sampled_from(SCHEMES[1:5]))
def test_ordered_scales_may_be_shifted_or_turned(rows: Rows, scheme: tuple[Weights, Level]) -> None:
    """Adding to all scores, or turning the scale round, changes nothing below the ratio level."""
    estimates = _estimates(rows, *scheme)
    for change in (lambda value: value + 17, lambda value: -value):
        moved = [[None if value is None else change(value) for value in row] for row in rows]
        _assert_same_estimates(
            estimates, _estimates(moved, *scheme, categories=[change(score) for score in range(4)])
        )


@given(_tables(), st.sampled_from(SCHEMES))
def test_units_without_ratings_do_not_count(rows: Rows, scheme: tuple[Weights, Level]) -> None:
    """A unit nobody rated is as if it were not there."""
    empty: list[int | None] = [None] * len(rows[0])
    _assert_same_estimates(_estimates(rows, *scheme), _estimates([empty, *rows, empty], *scheme))


@given(_tables(raters=2, gaps=False), st.sampled_from(SCHEMES))
def test_conger_of_two_complete_raters_is_cohen(rows: Rows, scheme: tuple[Weights, Level]) -> None:
    """For two raters who rated all units Conger's kappa is Cohen's (docs/metrics.md, Agreement)."""
    estimates = _estimates(rows, *scheme)
    conger, cohen = estimates["conger_kappa"], estimates["cohen_kappa"]
    assert conger.value == pytest.approx(cohen.value, abs=1e-9)
    assert conger.reason == cohen.reason


@given(_tables(), st.sampled_from(SCHEMES))
def test_bounds(rows: Rows, scheme: tuple[Weights, Level]) -> None:
    """Nothing exceeds 1; p_a and p_e are shares; no error is negative."""
    for estimate in _estimates(rows, *scheme).values():
        if estimate.value is None:
            continue
        assert estimate.value <= 1 + 1e-12
        assert estimate.pa is not None and estimate.pe is not None
        assert -1e-12 <= estimate.pa <= 1 + 1e-12
        assert -1e-12 <= estimate.pe < 1
        assert estimate.value == pytest.approx(
            (estimate.pa - estimate.pe) / (1 - estimate.pe), abs=1e-9
        )
        assert (estimate.se is None) == (estimate.reason == "one_unit")
        assert estimate.se is None or estimate.se >= 0


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.integers(2, 5),
       st.sampled_from(SCHEMES))  # fmt: skip
def test_identical_raters_agree(
    truth: list[int], raters: int, scheme: tuple[Weights, Level]
) -> None:
    """Raters who never differ have agreement 1 without error, wherever it is defined."""
    estimates = _estimates([[value] * raters for value in truth], *scheme)
    for estimate in estimates.values():
        if estimate.value is not None:
            assert estimate.value == pytest.approx(1, abs=1e-9)
            assert estimate.se == pytest.approx(0, abs=1e-9)
    assert estimates["percent_agreement"].value is not None


@examples(40)
@given(_tables(), st.sampled_from(SCHEMES))
def test_own_alpha_is_the_package_s(rows: Rows, scheme: tuple[Weights, Level]) -> None:
    """Alpha from coincidences, which the bootstrap resamples, is the package's to 1e-12."""
    estimates = _estimates(rows, *scheme)["krippendorff_alpha"]
    table, matrix, _ = prepare_table(rows, [0, 1, 2, 3], scheme[0], scheme[1], 0.95)
    sums = unit_sums(
        table, unit_agreement(table, matrix), np.zeros(table.n_units, dtype=np.intp), 1
    )
    computed = float(alphas(sums.coincidences, table.scale, scheme[1])[0])
    if estimates.value is None:
        assert np.isnan(computed)
    else:
        assert computed == pytest.approx(estimates.value, abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_s_contributions_are_its_derivative(level: Level) -> None:
    """Each unit's contribution equals the change of alpha when the unit weighs a little more.

    The ordinal level is the one that needs this: its differences move with every rating, and no
    published result for its standard error exists.
    """
    draw = np.random.default_rng(5)
    rows = draw.choice([0.0, 1.0, 2.0, 4.0, np.nan], (60, 4), p=[0.4, 0.2, 0.1, 0.1, 0.2])
    table, matrix, _ = prepare_table(rows, [0, 1, 2, 4], "identity", level, 0.95)
    sums = unit_sums(table, unit_agreement(table, matrix), np.arange(table.n_units), table.n_units)
    total_coincidences = sums.total().coincidences
    contributions = alpha_influences(table, total_coincidences, level)

    def without_correction(coincidences: Any) -> float:
        n = float(coincidences.sum())
        alpha = float(alphas(coincidences, table.scale, level))
        return 1 - (1 - alpha) * n / (n - 1)

    step = 1e-6
    for index, unit in enumerate(np.flatnonzero(table.pairable)):
        more = without_correction(total_coincidences + step * sums.coincidences[unit])
        less = without_correction(total_coincidences - step * sums.coincidences[unit])
        assert contributions[index] == pytest.approx((more - less) / (2 * step), abs=1e-7)
    assert contributions.sum() == pytest.approx(0, abs=1e-12)

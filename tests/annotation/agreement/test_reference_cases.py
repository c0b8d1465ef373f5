"""Coefficients against results of other programs and of papers, carried with their sources."""

from __future__ import annotations

import json
import warnings
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from pagetrail.annotation.agreement import Coefficient, coefficients
from tests.annotation.agreement.cases import Case, decoded, load

CASES = load()
TOLERANCE = 1e-9
SAME_WEIGHTS = ("identity", "quadratic", "ratio")
"""Weights under which irrCAC's alpha is Krippendorff's; its ordinal weights are others."""


def _estimates(case: Case) -> dict[str, Coefficient]:
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        estimates = coefficients(
            case.ratings,
            categories=case.categories,
            weights=case.weights,
            level=case.level,
            raters_known=case.raters_known,
        )
    result: dict[str, Coefficient] = dict(estimates.items())
    if case.weights in SAME_WEIGHTS:
        result["alpha_irrcac_weights"] = result["krippendorff_alpha"]
    return result


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_values_errors_and_intervals(case: Case) -> None:
    """Value, p_a, p_e and standard error equal the reference to 1e-9, without a warning.

    Where units were rated once the reference error is the corrected one.
    """
    estimates = _estimates(case)
    compared = 0
    for name, expected in case.expected.items():
        if name not in estimates or expected["value"] is None:
            continue
        compared += 1
        estimate = estimates[name]
        corrected = case.se_corrected.get(name)
        assert estimate.value == pytest.approx(expected["value"], abs=TOLERANCE)
        assert estimate.reason is None
        for part in ("pa", "pe"):
            if part in expected:
                assert getattr(estimate, part) == pytest.approx(expected[part], abs=TOLERANCE)
        if corrected is not None:
            assert estimate.se == pytest.approx(corrected, abs=TOLERANCE)
        elif expected.get("se") is not None:
            assert estimate.se == pytest.approx(expected["se"], abs=TOLERANCE)
    assert compared or case.undefined


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_undefined_values_have_a_reason(case: Case) -> None:
    """An undefined coefficient has no value or error, but a reason; the rest has none.

    Two reference reasons do not apply: R breaks off on 0/0 in ratio weights, where two zeros simply
    agree here; and "no variation" over a single declared category is a declaration to repair.
    """
    estimates = _estimates(case)
    for estimate in estimates.values():
        assert (estimate.value is None) == (estimate.reason is not None)
        if estimate.value is None:
            assert estimate.se is None
    for name, reason in case.undefined.items():
        if name not in estimates or reason.startswith("R ratio weights"):
            continue
        if len(case.categories) == 1:
            reason = "one_category_declared"
        assert estimates[name].reason == reason


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.published], ids=lambda case: case.name
)
def test_printed_figures(case: Case) -> None:
    """What the papers and manuals print is reproduced in every digit they print.

    ``ci`` of the SAS print-out takes the normal quantile and is compared as such.
    """
    estimates = _estimates(case)
    compared = 0
    for name, printed in case.published.items():
        if name not in estimates:
            continue
        compared += 1
        estimate = estimates[name]
        assert estimate.value is not None
        assert estimate.value == pytest.approx(printed["value"], abs=_half_digit(printed["value"]))
        if "se" in printed and name not in case.se_corrected:
            assert estimate.se == pytest.approx(printed["se"], abs=_half_digit(printed["se"]))
        if "ci" in printed and case.name.startswith("sas"):
            assert estimate.se is not None
            ends = [estimate.value + sign * 1.959963985 * estimate.se for sign in (-1, 1)]
            assert ends == pytest.approx(printed["ci"], abs=1.01e-4)
    assert compared


def _half_digit(printed: float) -> float:
    """Half a unit of the last digit, two digits at least: trailing zeros are lost in JSON."""
    digits = -int(Decimal(repr(printed)).as_tuple().exponent)
    return 0.5000001 * 10.0 ** -max(2, digits)


@pytest.mark.corpus
def test_carried_cases_are_the_shared_ones() -> None:
    """The carried file has every shared case with the same ratings and the same results."""
    shared = Path(__file__).parents[4] / "shared" / "cases" / "agreement_cases.json"
    if not shared.is_file():
        pytest.skip("the shared cases are not beside this repository")
    shared_cases = json.loads(shared.read_text(encoding="utf-8"))["cases"]
    cases_by_name = {case.name: case for case in CASES}
    assert set(cases_by_name) == {case["name"] for case in shared_cases}
    for case in shared_cases:
        assert cases_by_name[case["name"]].ratings == case["ratings"]
        expected = {key: value for key, value in case["expected"].items() if key != "scott_pi"}
        assert cases_by_name[case["name"]].expected == expected


def test_decoding() -> None:
    """The carried notation: places of categories, gaps, repeats."""
    assert decoded("01 .1*2", ["a", "b"]) == [["a", "b"], [None, "b"], [None, "b"]]

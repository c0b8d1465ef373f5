"""Logistic regression against statsmodels."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.tools.sm_exceptions import ConvergenceWarning

from pagetrail.annotation.statistics.logistic_regression import logistic_fits, overlaps


def _one(n: int) -> np.ndarray:
    return np.ones((1, n))


def test_it_equals_unpenalised_logit_of_statsmodels() -> None:
    """Intercept and slope to 1e-6 on 200 generated tables, flat and steep, near 0 and far off."""
    rng = np.random.default_rng(7)
    n_defined = 0
    for _ in range(200):
        n = int(rng.integers(8, 300))
        x = rng.normal(rng.uniform(-6, 6), rng.uniform(0.2, 3), n)
        odds = rng.uniform(-1, 1) - rng.uniform(-1, 4) * (x - x.mean())
        y = (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(float)
        fits = logistic_fits(x, y, _one(n))
        if not overlaps(x, y, _one(n))[0]:
            assert np.isnan(fits.slopes[0])
            continue
        n_defined += 1
        with warnings.catch_warnings():
            # Its criterion of convergence is stricter than rounding allows.
            warnings.simplefilter("ignore", ConvergenceWarning)
            logit = sm.Logit(y, sm.add_constant(x)).fit(
                method="newton", maxiter=200, tol=1e-13, disp=0
            )
        assert [fits.intercepts[0], fits.slopes[0]] == pytest.approx(
            logit.params, rel=1e-6, abs=1e-6
        )
    assert n_defined > 150


def test_shares_and_weights_equal_a_binomial_model_of_statsmodels() -> None:
    """Observations that count several times, and shares of successes."""
    rng = np.random.default_rng(8)
    x = rng.normal(1, 2, 60)
    shares = rng.integers(0, 4, 60) / 3
    weights = rng.integers(0, 4, (5, 60)).astype(float)
    fits = logistic_fits(x, shares, weights, start=(0.5, -0.5))
    for row, intercept, slope in zip(weights, *fits, strict=True):
        model = sm.GLM(
            shares, sm.add_constant(x), family=sm.families.Binomial(), freq_weights=row
        ).fit(tol=1e-14, maxiter=200)
        assert [intercept, slope] == pytest.approx(model.params, rel=1e-6, abs=1e-6)


def test_x_may_differ_between_fits() -> None:
    rng = np.random.default_rng(9)
    x = rng.normal(0, 1, (3, 40))
    y = (rng.random(40) < 0.5).astype(float)
    together = logistic_fits(x, y, np.ones((3, 40)))
    for row, intercept, slope in zip(x, *together, strict=True):
        alone = logistic_fits(row, y, _one(40))
        assert [intercept, slope] == pytest.approx([alone.intercepts[0], alone.slopes[0]], abs=1e-9)


@pytest.mark.parametrize(
    ("successes", "overlap"),
    [
        ([1, 1, 0, 0], False),
        ([0, 0, 1, 1], False),
        ([1, 1, 1, 1], False),
        ([0, 0, 0, 0], False),
        ([1, 0, 1, 0], True),
        ([1, 0.5, 0, 0], False),
        ([1, 0.5, 0.5, 0], True),
    ],
)
def test_separated_data_have_no_maximum(successes: list[float], overlap: bool) -> None:
    """A share between 0 and 1 is success and failure at the same x."""
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array(successes)
    assert overlaps(x, y, _one(4)).tolist() == [overlap]
    assert np.isnan(logistic_fits(x, y, _one(4)).slopes[0]) == (not overlap)


def test_equal_x_separate() -> None:
    """Without any spread there is no slope."""
    assert not overlaps(np.ones(4), np.array([1.0, 0.0, 1.0, 0.0]), _one(4))[0]


def test_nearly_separated_data_converge() -> None:
    """One exception far inside the other group makes a steep but finite slope."""
    x = np.concatenate([np.linspace(0, 1, 500), np.linspace(1.01, 2, 500)])
    y = (x < 1).astype(float)
    y[499], y[500] = 0, 1
    fits = logistic_fits(x, y, _one(1000))
    p = 1 / (1 + np.exp(-(fits.intercepts[0] + fits.slopes[0] * x)))
    assert (p - y).sum() == pytest.approx(0, abs=1e-6)
    assert ((p - y) * x).sum() == pytest.approx(0, abs=1e-6)

"""The censored normal distribution against a general optimiser."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from pagetrail.annotation.statistics.censored_normal import (
    NormalFits,
    censored_normal_fits,
    mean_above,
)


def test_it_maximises_the_likelihood() -> None:
    """Mean and deviation equal those that Nelder–Mead finds, on 40 generated samples."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        n = int(rng.integers(8, 80))
        true = rng.normal(2, rng.uniform(0.1, 2), n)
        bounds = rng.normal(2.5, 1, n)
        is_censored = bounds < true
        values = np.where(is_censored, bounds, true)
        weights = rng.integers(0, 3, n).astype(float)
        if len(set(values[~is_censored & (weights > 0)])) < 3:
            continue

        def loss(point: np.ndarray) -> float:
            mean, deviation = point[0], np.exp(point[1])
            density = norm.logpdf(values, mean, deviation)  # noqa: B023
            survival = norm.logsf(values, mean, deviation)  # noqa: B023
            return -float((weights * np.where(is_censored, survival, density)).sum())  # noqa: B023

        found = minimize(
            loss,
            [values.mean(), 0.0],
            method="Nelder-Mead",
            options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 10_000, "maxfev": 10_000},
        )
        fits = censored_normal_fits(values, is_censored, weights[None, :])
        assert fits.means[0] == pytest.approx(found.x[0], abs=1e-5)
        assert fits.deviations[0] == pytest.approx(np.exp(found.x[1]), abs=1e-5)


def test_without_censored_values_it_is_mean_and_deviation() -> None:
    values = np.array([1.0, 2.0, 4.0])
    fits = censored_normal_fits(values, np.zeros(3, dtype=bool), np.ones((1, 3)))
    assert fits.means[0] == pytest.approx(values.mean())
    assert fits.deviations[0] == pytest.approx(values.std())


def test_fewer_than_two_observed_values_give_nothing() -> None:
    fits = censored_normal_fits(
        np.array([1.0, 2.0, 3.0]), np.array([False, True, False]), np.array([[1.0, 1.0, 0.0]])
    )
    assert np.isnan(fits.means[0]) and np.isnan(fits.deviations[0])


def test_the_mean_above_a_bound() -> None:
    """By numerical integration; far above the mean it is just above the bound."""
    fits = NormalFits(np.array([0.0]), np.array([1.0]))
    expected = [norm.expect(lb=bound, conditional=True) for bound in (-1.0, 0.0, 2.0)]
    bounds = np.array([-1.0, 0.0, 2.0, 30.0])
    assert mean_above(bounds, fits)[0, :3] == pytest.approx(expected, abs=1e-8)
    assert 30 < mean_above(bounds, fits)[0, 3] < 30.1

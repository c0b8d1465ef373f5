"""The normal distribution from values of which some are only known to be larger than a bound.

Maximum likelihood in ``1/σ`` and ``μ/σ``, in which the log-likelihood is concave (Olsen 1978,
*Econometrica* 46(5)), for many weightings of the same values at once, as a bootstrap needs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

_ITERATIONS = 200
"""Newton steps and halvings of steps. A fit takes about ten; one that needs more keeps its last
estimate."""

_TOLERANCE = 1e-11
"""A fit ends when its next step is shorter than this, relative to the estimate."""

_ROUNDING = 1e-12
"""Relative rounding error of a log-likelihood, which must not reject a step near the maximum."""


class NormalFits(NamedTuple):
    """Mean and standard deviation of each weighting; NaN with fewer than two distinct values."""

    means: Numbers
    deviations: Numbers


def censored_normal_fits(values: Numbers, is_censored: Flags, weights: Numbers) -> NormalFits:
    """Fit each weighting.

    Args:
        values: observed values, and lower bounds of censored ones, shape (n,).
        weights: of each value in each fit, shape (fits, n); 0 leaves it out.
    """
    observed = ~is_censored
    means = np.full(len(weights), np.nan)
    deviations = np.full(len(weights), np.nan)
    is_present = (weights > 0) & observed
    lowest = np.where(is_present, values, np.inf).min(axis=1, initial=np.inf)
    highest = np.where(is_present, values, -np.inf).max(axis=1, initial=-np.inf)
    defined = np.flatnonzero(highest > lowest)
    if len(defined):
        # Standardised, so that tolerances mean the same for seconds and for minutes.
        centre = float(values[observed].mean())
        scale = float(values[observed].std())
        z = (values - centre) / scale
        delta, gamma = _maximise(
            z[observed],
            weights[defined][:, observed],
            z[is_censored],
            weights[defined][:, ~observed],
        ).T
        # μ = δ/γ and σ = 1/γ of z, back on the scale of the values.
        means[defined] = centre + scale * delta / gamma
        deviations[defined] = scale / gamma
    return NormalFits(means, deviations)


def mean_above(bounds: Numbers, fits: NormalFits) -> Numbers:
    """The expected value of each fit's distribution above each bound, shape (fits, bounds).

    E[x | x > b] = μ + σ λ((μ − b) / σ), with λ = φ / Φ.
    """
    means, deviations = fits.means[:, None], fits.deviations[:, None]
    return means + deviations * _inverse_mills((means - bounds) / deviations)


def _inverse_mills(u: Numbers) -> Numbers:
    """λ(u) = φ(u) / Φ(u), through logarithms: for u below −38 both are 0 in floating point."""
    ratio: Numbers = np.exp(-(u**2) / 2 - np.log(2 * np.pi) / 2 - log_ndtr(u))
    return ratio


def _maximise(z: Numbers, w: Numbers, bounds: Numbers, bound_w: Numbers) -> Numbers:
    """``δ = μ/σ`` and ``γ = 1/σ`` of each fit, by Newton's method with halved steps.

    With the observed values z and the bounds b, each with its weight w:

        l(δ, γ) = Σ w ln γ − ½ Σ w (γ z − δ)² + Σ w ln Φ(u),   u = δ − γ b
        ∂l/∂δ   = γ Σ w z − δ Σ w + Σ w λ(u),                  λ = φ / Φ
        ∂l/∂γ   = Σ w / γ − γ Σ w z² + δ Σ w z − Σ w λ(u) b

    The second derivatives follow from λ' = −λ (u + λ), which is negative. So l is concave, and
    every step that is short enough goes up.

    Args:
        z: observed values, shape (observed,).
        w: their weights, (fits, observed).
        bounds: of the censored values, (censored,).
        bound_w: their weights, (fits, censored).

    Returns:
        Shape (fits, 2).
    """
    sums = np.stack([w.sum(axis=1), w @ z, w @ z**2])  # Σ w, Σ w z and Σ w z², (3, fits)
    n, sum_z, sum_z2 = sums
    mean = sum_z / n
    gamma = 1 / np.sqrt(sum_z2 / n - mean**2)
    # The fit without the censored values.
    estimates = np.stack([mean * gamma, gamma], axis=1)
    likelihoods = np.full(len(w), -np.inf)
    steps = np.zeros_like(estimates)
    active = np.arange(len(w))  # fits that have not converged
    for _ in range(_ITERATIONS):
        trial = estimates[active] + steps[active]
        delta, gamma = trial.T
        n, sum_z, sum_z2 = sums[:, active]
        active_bound_w = bound_w[active]
        u = delta[:, None] - gamma[:, None] * bounds
        with np.errstate(divide="ignore", invalid="ignore"):
            residual_squares = gamma**2 * sum_z2 - 2 * gamma * delta * sum_z + n * delta**2
            likelihood = (
                n * np.log(gamma)
                - residual_squares / 2
                + (active_bound_w * log_ndtr(u)).sum(axis=1)
            )
            # NaN, and so not higher, outside the domain γ > 0.
            is_higher = (gamma > 0) & (
                likelihood >= likelihoods[active] - _ROUNDING * (1 + np.abs(likelihood))
            )
            mills = _inverse_mills(u)
            weighted_mills = active_bound_w * mills
            curvature = weighted_mills * (u + mills)  # −w λ'(u)
            gradient_delta = gamma * sum_z - n * delta + weighted_mills.sum(axis=1)
            gradient_gamma = n / gamma - gamma * sum_z2 + delta * sum_z - weighted_mills @ bounds
            # The negative Hessian, which is positive definite.
            h_dd = n + curvature.sum(axis=1)
            h_dg = -sum_z - curvature @ bounds
            h_gg = n / gamma**2 + sum_z2 + curvature @ bounds**2
            # Newton's step is its inverse times the gradient; of a 2 × 2 matrix the inverse is
            # [[h_gg, −h_dg], [−h_dg, h_dd]] / determinant.
            newton = np.stack(
                [
                    h_gg * gradient_delta - h_dg * gradient_gamma,
                    h_dd * gradient_gamma - h_dg * gradient_delta,
                ]
            )
            newton = np.nan_to_num((newton / (h_dd * h_gg - h_dg**2)).T)
        estimates[active] = np.where(is_higher[:, None], trial, estimates[active])
        likelihoods[active] = np.where(is_higher, likelihood, likelihoods[active])
        steps[active] = np.where(is_higher[:, None], newton, steps[active] / 2)
        size = np.abs(steps[active]).max(axis=1)
        active = active[size > _TOLERANCE * (1 + np.abs(estimates[active]).max(axis=1))]
        if not len(active):
            break
    return estimates

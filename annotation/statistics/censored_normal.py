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
_TOLERANCE = 1e-11


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
        centre = float(values[observed].mean())
        scale = float(values[observed].std())
        z = (values - centre) / scale
        delta, gamma = _maximise(
            z[observed],
            weights[defined][:, observed],
            z[is_censored],
            weights[defined][:, ~observed],
        ).T
        means[defined] = centre + scale * delta / gamma
        deviations[defined] = scale / gamma
    return NormalFits(means, deviations)


def mean_above(bounds: Numbers, fits: NormalFits) -> Numbers:
    """The expected value of each fit's distribution above each bound, shape (fits, bounds)."""
    means, deviations = fits.means[:, None], fits.deviations[:, None]
    return means + deviations * _inverse_mills((means - bounds) / deviations)


def _inverse_mills(u: Numbers) -> Numbers:
    """φ(u) / Φ(u)."""
    ratio: Numbers = np.exp(-(u**2) / 2 - np.log(2 * np.pi) / 2 - log_ndtr(u))
    return ratio


def _maximise(z: Numbers, w: Numbers, bounds: Numbers, bound_w: Numbers) -> Numbers:
    """``μ/σ`` and ``1/σ`` of each fit, shape (fits, 2)."""
    n, total, squares = w.sum(axis=1), w @ z, w @ z**2
    mean = total / n
    gamma = 1 / np.sqrt(squares / n - mean**2)
    # The fit without the censored values.
    estimates = np.stack([mean * gamma, gamma], axis=1)
    likelihoods = np.full(len(w), -np.inf)
    steps = np.zeros_like(estimates)
    active = np.arange(len(w))
    for _ in range(_ITERATIONS):
        trial = estimates[active] + steps[active]
        delta, gamma = trial.T
        n_, total_, squares_, bound_w_ = n[active], total[active], squares[active], bound_w[active]
        u = delta[:, None] - gamma[:, None] * bounds
        with np.errstate(divide="ignore", invalid="ignore"):
            residual_squares = gamma**2 * squares_ - 2 * gamma * delta * total_ + n_ * delta**2
            likelihood = (
                n_ * np.log(gamma) - residual_squares / 2 + (bound_w_ * log_ndtr(u)).sum(axis=1)
            )
            # Rounding alone must not reject a step near the maximum; NaN is outside the domain.
            is_higher = (gamma > 0) & (
                likelihood >= likelihoods[active] - 1e-12 * (1 + np.abs(likelihood))
            )
            mills = _inverse_mills(u)
            curvature = bound_w_ * mills * (u + mills)
            g_delta = gamma * total_ - n_ * delta + (bound_w_ * mills).sum(axis=1)
            g_gamma = n_ / gamma - gamma * squares_ + delta * total_ - (bound_w_ * mills) @ bounds
            h_dd = n_ + curvature.sum(axis=1)
            h_dg = -total_ - curvature @ bounds
            h_gg = n_ / gamma**2 + squares_ + curvature @ bounds**2
            newton = np.stack([h_gg * g_delta - h_dg * g_gamma, h_dd * g_gamma - h_dg * g_delta])
            newton = np.nan_to_num((newton / (h_dd * h_gg - h_dg**2)).T)
        estimates[active] = np.where(is_higher[:, None], trial, estimates[active])
        likelihoods[active] = np.where(is_higher, likelihood, likelihoods[active])
        steps[active] = np.where(is_higher[:, None], newton, steps[active] / 2)
        size = np.abs(steps[active]).max(axis=1)
        active = active[size > _TOLERANCE * (1 + np.abs(estimates[active]).max(axis=1))]
        if not len(active):
            break
    return estimates

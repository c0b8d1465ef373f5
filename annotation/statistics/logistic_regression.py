"""Logistic regression on one variable by maximum likelihood, without a penalty.

``P(success) = 1 / (1 + exp(−(a + b x)))``. Newton's method on the concave log-likelihood
(McCullagh & Nelder 1989, *Generalized Linear Models*, §4.4), for many weightings of the same
observations at once, as a bootstrap needs. Where success and failure do not overlap on x, the
likelihood has no maximum (Albert & Anderson 1984, *Biometrika* 71(1)).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

_PLAIN_ITERATIONS = 12
"""Plain Newton steps, after which the remaining fits are made again by ``_climb``."""

_LAST_STEP = 1e-7
"""A fit ends after a plain step shorter than this, relative to the estimate."""

_ITERATIONS = 200
"""Steps and halvings of steps of ``_climb``; a fit that needs more keeps its last estimate."""

_TOLERANCE = 1e-11
"""A fit of ``_climb`` ends when its next step is shorter than this, relative to the estimate."""

_CELLS_AT_ONCE = 200_000
"""Fits × observations of a block, which bounds the memory."""

_LONGEST_STEP = 10.0
"""In standard deviations of x."""


class LogisticFits(NamedTuple):
    """Intercept and slope of each weighting; NaN where the likelihood has no maximum."""

    intercepts: Numbers
    slopes: Numbers


def logistic_fits(
    x: Numbers, successes: Numbers, weights: Numbers, start: tuple[float, float] | None = None
) -> LogisticFits:
    """Fit each weighting.

    Args:
        x: shape (n,), or (fits, n) where it differs between fits.
        successes: share of successes of each observation, shape (n,); 0 or 1 for a single trial.
        weights: of each observation in each fit, shape (fits, n); 0 leaves it out.
        start: intercept and slope near those looked for; changes nothing but the time it takes.
    """
    centre = float(x.mean())
    scale = float(x.std()) or 1.0
    z = (x - centre) / scale
    # a + b x = (a + b · centre) + (b · scale) z
    intercept, slope = start or (0.0, 0.0)
    first = np.array([intercept + slope * centre, slope * scale])
    fits = np.full((len(weights), 2), np.nan)
    defined = np.flatnonzero(overlaps(z, successes, weights))
    rows = max(1, _CELLS_AT_ONCE // max(1, weights.shape[1]))
    for begin in range(0, len(defined), rows):
        block = defined[begin : begin + rows]
        fits[block] = _maximise(z if z.ndim == 1 else z[block], successes, weights[block], first)
    slopes = fits[:, 1] / scale
    return LogisticFits(fits[:, 0] - slopes * centre, slopes)


def overlaps(x: Numbers, successes: Numbers, weights: Numbers) -> Flags:
    """Whether success and failure overlap on x, for each weighting. Arguments as above.

    They do unless all successes are at or above all failures, or all at or below them. A share
    between 0 and 1 is both.
    """
    low, high = _range(x, weights, successes > 0)
    low_failure, high_failure = _range(x, weights, successes < 1)
    overlap: Flags = (high > low_failure) & (low < high_failure)
    return overlap


def _range(x: Numbers, weights: Numbers, chosen: Flags) -> tuple[Numbers, Numbers]:
    """The lowest and highest x of the chosen observations with a weight, in each weighting."""
    no_numbers = np.full(len(weights), np.inf)
    if not chosen.any():
        return no_numbers, -no_numbers
    if x.ndim == 1:
        columns = np.flatnonzero(chosen)
        columns = columns[np.argsort(x[columns], kind="stable")]
        has_weight = weights[:, columns] > 0
        ordered = x[columns]
        first = ordered[has_weight.argmax(axis=1)]
        last = ordered[::-1][has_weight[:, ::-1].argmax(axis=1)]
        any_weight = has_weight.any(axis=1)
        return np.where(any_weight, first, no_numbers), np.where(any_weight, last, -no_numbers)
    has_weight, values = weights[:, chosen] > 0, x[:, chosen]
    return (
        np.asarray(np.where(has_weight, values, np.inf).min(axis=1)),
        np.asarray(np.where(has_weight, values, -np.inf).max(axis=1)),
    )


def _maximise(z: Numbers, y: Numbers, weights: Numbers, start: Numbers) -> Numbers:
    """Intercept and slope of each fit, shape (fits, 2); every fit has a maximum.

    Plain Newton steps are right where they converge, since the likelihood is concave. The few fits
    in which they do not are made again with steps that raise the likelihood.
    """
    estimates = np.tile(start, (len(weights), 1))
    active = np.arange(len(weights))
    for _ in range(_PLAIN_ITERATIONS):
        z_active, w = z if z.ndim == 1 else z[active], weights[active]
        intercepts, slopes = estimates[active].T
        p = expit(intercepts[:, None] + slopes[:, None] * z_active)
        steps = _newton_steps(w, y, p, z_active)
        estimates[active] += steps
        # The error after a step is about its square.
        size = np.abs(steps).max(axis=1)
        active = active[size > _LAST_STEP * (1 + np.abs(estimates[active]).max(axis=1))]
        if not len(active):
            return estimates
    estimates[active] = _climb(z if z.ndim == 1 else z[active], y, weights[active])
    return estimates


def _climb(z: Numbers, y: Numbers, weights: Numbers) -> Numbers:
    """The same by Newton steps that are halved until the likelihood rises."""
    estimates = np.zeros((len(weights), 2))
    likelihoods = np.full(len(weights), -np.inf)
    steps = np.zeros_like(estimates)
    active = np.arange(len(weights))
    for _ in range(_ITERATIONS):
        z_active, w = z if z.ndim == 1 else z[active], weights[active]
        trial = estimates[active] + steps[active]
        intercepts, slopes = trial.T
        eta = intercepts[:, None] + slopes[:, None] * z_active
        likelihood = (w * (y * log_expit(eta) + (1 - y) * log_expit(-eta))).sum(axis=1)
        # Rounding alone must not reject a step near the maximum.
        is_higher = likelihood >= likelihoods[active] - 1e-12 * (1 + np.abs(likelihood))
        estimates[active] = np.where(is_higher[:, None], trial, estimates[active])
        likelihoods[active] = np.where(is_higher, likelihood, likelihoods[active])
        newton = _newton_steps(w, y, expit(eta), z_active)
        steps[active] = np.where(is_higher[:, None], newton, steps[active] / 2)
        size = np.abs(steps[active]).max(axis=1)
        active = active[size > _TOLERANCE * (1 + np.abs(estimates[active]).max(axis=1))]
        if not len(active):
            break
    return estimates


def _newton_steps(w: Numbers, y: Numbers, p: Numbers, z: Numbers) -> Numbers:
    """H⁻¹ g of each fit, shape (fits, 2), no longer than ``_LONGEST_STEP`` in either direction.

    g = Σ w (y − p) (1, z) is the gradient, H = Σ w p (1 − p) (1, z)ᵀ(1, z) the negative Hessian.
    """
    residuals = w * (y - p)
    variances = w * (p * (1 - p))
    g0, g1 = residuals.sum(axis=1), _row_sums(residuals, z)
    h00, h01, h11 = variances.sum(axis=1), _row_sums(variances, z), _row_sums(variances, z**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.stack([h11 * g0 - h01 * g1, h00 * g1 - h01 * g0], axis=1)
        steps /= (h00 * h11 - h01**2)[:, None]
    # 0 / 0 where every p is 0 or 1 in floating point.
    steps = np.nan_to_num(steps, nan=_LONGEST_STEP)
    return np.asarray(np.clip(steps, -_LONGEST_STEP, _LONGEST_STEP))


def _row_sums(weights: Numbers, z: Numbers) -> Numbers:
    sums: Numbers = weights @ z if z.ndim == 1 else np.einsum("fn,fn->f", weights, z)
    return sums

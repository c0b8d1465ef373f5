"""Observed and chance agreement of each coefficient, from sums over units.

Every function takes sums of leading shape ``(...)`` and the agreement weights, shape (q, q), and
gives (p_a, p_e), each of shape (...). The coefficient is (p_a − p_e) / (1 − p_e). Dividing by a sum
that is 0 gives NaN; who calls decides what is undefined, and why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from pagetrail.annotation.agreement.sufficient_statistics import Moments
from pagetrail.annotation.agreement.weights import Matrix

Key = Literal[
    "percent_agreement",
    "gwet_ac",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "cohen_kappa",
    "krippendorff_alpha",
]
KEYS: tuple[Key, ...] = get_args(Key)

NO_VARIATION = 1e-12
"""Where 1 − p_e is not above this, a chance-corrected coefficient is undefined."""

Pair = tuple[Matrix, Matrix]


def ratio(above: Matrix, below: Matrix) -> Matrix:
    """above / below; NaN, without a warning, where ``below`` is 0."""
    shape = np.broadcast_shapes(np.shape(above), np.shape(below))
    undefined = np.full(shape, np.nan)
    there = np.broadcast_to(np.not_equal(below, 0), shape)
    found: Matrix = np.divide(above, below, out=undefined, where=there)
    return found


def percent(sums: Moments, weights: Matrix) -> Pair:
    """Weighted percent agreement: nothing is put down to chance (Gwet 2014)."""
    observed = ratio(sums.agreement, sums.pairable)
    return observed, np.zeros_like(observed)


def gwet(sums: Moments, weights: Matrix) -> Pair:
    """AC1 and AC2: p_e = T_w / (q (q − 1)) · Σ_k π_k (1 − π_k) (Gwet 2008, 2014)."""
    observed, _ = percent(sums, weights)
    used = category_shares(sums)
    q = len(weights)
    spread: Matrix = (used * (1 - used)).sum(axis=-1)
    return observed, weights.sum() / max(q * (q - 1), 1) * spread


def fleiss(sums: Moments, weights: Matrix) -> Pair:
    """Fleiss' kappa: p_e = Σ_kl w_kl π_k π_l (Fleiss 1971; Gwet 2014)."""
    observed, _ = percent(sums, weights)
    used = category_shares(sums)
    return observed, ((used @ weights) * used).sum(axis=-1)


def conger(sums: Moments, weights: Matrix) -> Pair:
    """Conger's kappa: mean over pairs of raters g ≠ h of Σ_kl w_kl p_gk p_hl (Conger 1980)."""
    observed, _ = percent(sums, weights)
    own = rater_shares(sums)
    raters = own.shape[-2]
    total = own.sum(axis=-2)
    all_pairs = ((total @ weights) * total).sum(axis=-1)
    with_self = ((own @ weights) * own).sum(axis=(-2, -1))
    return observed, (all_pairs - with_self) / max(raters * (raters - 1), 1)


def brennan_prediger(sums: Moments, weights: Matrix) -> Pair:
    """Brennan–Prediger: p_e = T_w / q² (1981)."""
    observed, _ = percent(sums, weights)
    return observed, np.full_like(observed, weights.sum() / len(weights) ** 2)


def cohen(sums: Moments, weights: Matrix) -> Pair:
    """Cohen's kappa over the units both raters rated (Cohen 1960, weighted 1968)."""
    joint = ratio(sums.crossed, sums.crossed.sum(axis=(-2, -1))[..., None, None])
    first, second = joint.sum(axis=-1), joint.sum(axis=-2)
    return (joint * weights).sum(axis=(-2, -1)), ((first @ weights) * second).sum(axis=-1)


def category_shares(sums: Moments) -> Matrix:
    """π_k: mean over rated units of the share of its ratings in category k, shape (..., q)."""
    return ratio(sums.shares, sums.rated[..., None])


def rater_shares(sums: Moments) -> Matrix:
    """p_gk: share of rater g's ratings in category k, shape (..., raters, q)."""
    return ratio(sums.by_rater, sums.by_rater.sum(axis=-1, keepdims=True))


CHANCE: dict[Key, Callable[[Moments, Matrix], Pair]] = {
    "percent_agreement": percent,
    "gwet_ac": gwet,
    "fleiss_kappa": fleiss,
    "conger_kappa": conger,
    "brennan_prediger": brennan_prediger,
    "cohen_kappa": cohen,
}

"""Analytic standard errors: the spread of what each unit contributes at first order.

A coefficient (p_a − p_e) / (1 − p_e) is linearised in the weights of the units; with contributions
u_i of mean 0 over n units, se² = Σ u_i² / (n (n − 1)) (Gwet 2008, 2014). For units that were rated
once this differs from the R package irrCAC, which leaves a term behind that inflates the error; it
equals irrCAC where every unit was rated twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from pagetrail.annotation.agreement import chance
from pagetrail.annotation.agreement.alpha import influences
from pagetrail.annotation.agreement.chance import Key
from pagetrail.annotation.agreement.rating_matrix import Coded
from pagetrail.annotation.agreement.sufficient_statistics import Moments, times
from pagetrail.annotation.agreement.weights import Level, Matrix


def linearised(
    key: Key,
    coded: Coded,
    weights: Matrix,
    sums: Moments,
    agreement: Matrix,
    observed: float,
    expected: float,
) -> float:
    """Standard error of a coefficient that rests on the agreement of all raters.

    Args:
        sums: of the whole table, without leading dimensions.
        agreement: a_i of each unit, see ``unit_agreement``.
        observed: p_a.
        expected: p_e, with 1 − p_e above 0.
    """
    kept = coded.pairable
    n = coded.n_units
    apart = np.where(kept, agreement - observed, 0.0)
    value = (observed - expected) / (1 - expected)
    part = n / kept.sum() * apart - (1 - value) * _CHANCE[key](coded, weights, sums)
    return math.sqrt(float(np.square(part).sum()) / (n * (n - 1))) / (1 - expected)


def of_alpha(coded: Coded, coincidences: Matrix, level: Level) -> float:
    """Standard error of Krippendorff's alpha over N pairable units."""
    part = influences(coded, coincidences, level)
    n = len(part)
    return math.sqrt(float(np.square(part).sum()) * n / (n - 1))


def of_cohen(crossed: Matrix, weights: Matrix, observed: float, expected: float) -> float:
    """Large-sample standard error of Cohen's kappa (Fleiss, Cohen & Everitt 1969).

    Args:
        crossed: units by the two raters' categories, shape (q, q).
    """
    n = crossed.sum()
    joint = crossed / n
    value = (observed - expected) / (1 - expected)
    margins = (weights @ joint.sum(axis=0))[:, None] + (joint.sum(axis=1) @ weights)[None, :]
    part = weights - (1 - value) * margins
    # Their mean is p_a − 2 (1 − κ) p_e; taking it off first loses no digits where raters agree.
    variance = (joint * (part - (joint * part).sum()) ** 2).sum()
    return math.sqrt(float(variance) / n) / (1 - expected)


def _none(coded: Coded, weights: Matrix, sums: Moments) -> Matrix:
    return np.zeros(coded.n_units)


def _of_gwet(coded: Coded, weights: Matrix, sums: Moments) -> Matrix:
    used = chance.category_shares(sums)
    q = len(weights)
    slope = weights.sum() / (q * (q - 1)) * (1 - 2 * used)
    return times(coded.shares - used, slope)


def _of_fleiss(coded: Coded, weights: Matrix, sums: Moments) -> Matrix:
    used = chance.category_shares(sums)
    return times(coded.shares - used, 2 * (weights @ used))


def _of_conger(coded: Coded, weights: Matrix, sums: Moments) -> Matrix:
    """What a rating (i, g, k) changes: the other raters' p_h meet one more rating of rater g.

    One pass over the ratings there are, so that many raters with few ratings each cost little.
    """
    own = chance.rater_shares(sums)
    raters = len(own)
    slope = (own.sum(axis=0) - own) @ weights * 2 / (raters * (raters - 1))
    slope *= (coded.n_units / coded.per_rater)[:, None]
    slope -= (own * slope).sum(axis=1, keepdims=True)
    found: Matrix = np.zeros(coded.n_units)
    found += np.bincount(coded.unit, slope[coded.rater, coded.category], coded.n_units)
    return found


_CHANCE: dict[Key, Callable[[Coded, Matrix, Moments], Matrix]] = {
    "percent_agreement": _none,
    "brennan_prediger": _none,
    "gwet_ac": _of_gwet,
    "fleiss_kappa": _of_fleiss,
    "conger_kappa": _of_conger,
}
"""Contribution of each unit to p_e, shape (n_units,), with mean 0."""

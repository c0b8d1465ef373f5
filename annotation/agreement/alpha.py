"""Krippendorff's alpha from the coincidence matrix.

Krippendorff 2004, *Content Analysis*, ch. 11; 2011, *Computing Krippendorff's Alpha-Reliability*:
alpha = 1 − D_o / D_e = 1 − (n − 1) Σ o_kl δ²_kl / Σ n_k n_l δ²_kl, with n_k = Σ_l o_kl and
n = Σ_k n_k. Units with a single rating are ignored.
"""

from __future__ import annotations

import krippendorff
import numpy as np

from pagetrail.annotation.agreement.rating_matrix import CodedRatings
from pagetrail.annotation.agreement.sufficient_statistics import ratio, times
from pagetrail.annotation.agreement.weights import Level, Matrix, Scale, differences


def packaged_alpha(coded: CodedRatings, level: Level) -> float:
    """Alpha as the ``krippendorff`` package computes it.

    The table must have a unit with two ratings, and two categories used in such units.
    """
    return float(
        krippendorff.alpha(
            value_counts=coded.counts,
            value_domain=coded.scale.scores,
            level_of_measurement=level,
        )
    )


def alphas(coincidences: Matrix, scale: Scale, level: Level) -> Matrix:
    """Alpha of each coincidence matrix of shape (..., q, q); NaN where it is undefined."""
    observed, expected, total = _disagreement(coincidences, scale, level)
    values: Matrix = 1 - ratio((total - 1) * observed, expected)
    return values


def observed_and_expected(
    coincidences: Matrix, scale: Scale, level: Level
) -> tuple[Matrix, Matrix]:
    """(p_a, p_e) with alpha = (p_a − p_e) / (1 − p_e), each of shape (...).

    Differences are divided by the largest one between declared categories, so that both are in
    [0, 1], and p_a carries the correction for few ratings (Gwet 2014, ch. 5):

        p_a = 1 − (n−1) Σ o_kl δ²_kl / (δ²_max n²),  p_e = 1 − Σ n_k n_l δ²_kl / (δ²_max n²)
    """
    observed, expected, total = _disagreement(coincidences, scale, level)
    largest = differences(scale, level, coincidences.sum(axis=-1)).max(axis=(-2, -1))
    chance = 1 - ratio(expected, largest * total**2)
    return 1 - ratio((total - 1) * observed, largest * total**2), chance


def alpha_influences(coded: CodedRatings, coincidences: Matrix, level: Level) -> Matrix:
    """dα/dw_i, the derivative of alpha in the weight of each pairable unit; their sum is 0.

    Alpha is taken as 1 − n O/E with O = Σ o_kl δ²_kl and E = Σ n_k n_l δ²_kl; the factor
    (n − 1) / n, which tends to 1, is left out as in Gwet 2014. A unit with the ratings r_ik adds
    r_i to n, d_i = Σ_kl r_ik r_il δ²_kl / (r_i − 1) to O, and r_ik to n_k:

        dα/dw_i = −[n d_i + r_i O − (n O/E) · 2 Σ_kl r_ik δ²_kl n_l] / E

    The 2 is there since n_k occurs twice in E.

    Ordinal differences δ²_kl = (m_k − m_l)², with m_k = Σ_{j<k} n_j + n_k/2, depend on the n_k, and
    so on every unit. This adds −n Σ_k (∂O/∂m_k − O/E ∂E/∂m_k) ∂m_k/∂w_i / E, with
    ∂O/∂m_k = 4 Σ_l o_kl (m_k − m_l) and ∂E/∂m_k = 4 Σ_l n_k n_l (m_k − m_l): a 2 from the square,
    and a 2 since the pairs (k, l) and (l, k) both contain m_k.

    Args:
        coincidences: o_kl of the whole table, shape (q, q).

    Returns:
        Shape (pairable units,), in the order of the table.
    """
    pairable = coded.pairable
    counts, total = coded.counts[pairable], coded.per_unit[pairable]
    used = coincidences.sum(axis=-1)
    delta = differences(coded.scale, level, used)
    n = used.sum()
    observed = float((coincidences * delta).sum())
    expected = float(used @ delta @ used)
    disagreement = (times(counts, delta) * counts).sum(axis=1) / (total - 1)
    change = (
        n * disagreement
        + total * observed
        - n * observed / expected * times(counts, 2 * (delta @ used))
    )
    if level == "ordinal":
        middle = np.cumsum(used) - used / 2
        slopes = 4 * (middle[:, None] - middle[None, :])
        by_middle = n * (
            (coincidences * slopes).sum(axis=1)
            - observed / expected * (np.outer(used, used) * slopes).sum(axis=1)
        )
        # ∂m_k/∂w_i = Σ_{j<k} r_ij + r_ik/2
        change = change + times(np.cumsum(counts, axis=1) - counts / 2, by_middle)
    contributions: Matrix = -change / expected
    return contributions


def _disagreement(
    coincidences: Matrix, scale: Scale, level: Level
) -> tuple[Matrix, Matrix, Matrix]:
    """(Σ o_kl δ²_kl, Σ n_k n_l δ²_kl, n), each of shape (...)."""
    used = coincidences.sum(axis=-1)
    delta = differences(scale, level, used)
    observed = (coincidences * delta).sum(axis=(-2, -1))
    expected = (used[..., :, None] * used[..., None, :] * delta).sum(axis=(-2, -1))
    return observed, expected, used.sum(axis=-1)

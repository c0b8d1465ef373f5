"""The interval of a share or a mean over attempts, without resampling.

Attempts at one task are not independent. The mean is a ratio of two sums over tasks, and its
standard error is the linearised one of such a ratio (Cochran 1977, *Sampling Techniques*, 3rd ed.,
§6.4, without the finite-population factor), with Student's t and one degree of freedom less than
there are tasks. With the weight x_i and the weighted sum y_i of task i of k:

    R = Σ y_i / Σ x_i,  se² = k / (k − 1) · Σ (y_i − R x_i)² / (Σ x_i)²

Where nothing varies from task to task, that says nothing: a share then has Wilson's interval over
the tasks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.statistics.student_t import two_sided_t
from pagetrail.annotation.statistics.wilson import wilson

_CONFIDENCE = 0.95
_NO_WIDTH = 1e-12


@dataclass(frozen=True)
class Mean:
    """A mean of values in [0, 1].

    Attributes:
        value: None where there are no values.
        low, high: its 95 % interval within [0, 1]; None where ``reason`` says why not.
        reason: ``no_rows``, ``one_cluster`` or ``no_variation``.
        n: values. clusters: tasks.
    """

    value: float | None
    low: float | None
    high: float | None
    reason: str | None
    n: int
    clusters: int


def clustered_mean(
    values: NDArray[np.float64],
    clusters: NDArray[np.intp],
    weights: NDArray[np.float64] | None = None,
    *,
    share: bool = False,
) -> Mean:
    """The weighted mean of values in [0, 1].

    Args:
        values: shape (n,).
        clusters: number of each value's task, shape (n,).
        weights: above 0, shape (n,); unless given, every value weighs the same.
        share: whether the values are 0 and 1.
    """
    n = len(values)
    if n == 0:
        return Mean(None, None, None, "no_rows", 0, 0)
    _, member = np.unique(clusters, return_inverse=True)
    weighted = np.ones(n) if weights is None else weights
    sizes = np.bincount(member, weights=weighted)
    sums = np.bincount(member, weights=values * weighted)
    k = len(sizes)
    total_weight = math.fsum(weighted.tolist())
    mean = min(1.0, max(0.0, math.fsum((values * weighted).tolist()) / total_weight))
    if k < 2:
        return Mean(mean, None, None, "one_cluster", n, k)
    residuals = sums - mean * sizes
    se = math.sqrt(k / (k - 1) * float((residuals**2).sum())) / total_weight
    if se < _NO_WIDTH:
        # All tasks count as one trial each: their attempts are not independent.
        if share and mean in (0.0, 1.0):
            ends = wilson(round(mean * k), k, _CONFIDENCE)
            assert ends is not None
            return Mean(mean, *ends, None, n, k)
        return Mean(mean, None, None, "no_variation", n, k)
    reach = two_sided_t(_CONFIDENCE, k - 1) * se
    return Mean(mean, max(0.0, mean - reach), min(1.0, mean + reach), None, n, k)

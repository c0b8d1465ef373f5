"""Limits of a proportion by Kerman's neutral prior (*Electronic Journal of Statistics* 5, 2011)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import betaincinv

_PRIOR = 1 / 3
"""The prior adds a third of a success and of a failure."""

LARGEST_EFFECTIVE_N = 1e12
"""Stands for infinitely many observations, where the beta quantiles need a finite number."""


def beta_limits(rate: Any, n: Any, level: float) -> tuple[Any, Any]:
    """Limits of a proportion; 0 and 1 where nothing, or all, was observed.

    Args:
        rate, n: arrays of one shape, or numbers.
    """
    tail = (1 - level) / 2
    successes = rate * n
    a, b = successes + _PRIOR, n - successes + _PRIOR
    low = np.where(rate <= 0, 0.0, betaincinv(a, b, tail))
    high = np.where(rate >= 1, 1.0, betaincinv(a, b, 1 - tail))
    return np.minimum(low, rate), np.maximum(high, rate)

"""Quantiles of Student's t, without a statistics library.

Abramowitz & Stegun 1964, *Handbook of Mathematical Functions*: the finite series 26.7.3 and 26.7.4
for few degrees of freedom, the expansion 26.7.5 for many.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

_SERIES_UP_TO = 400
_MAX_STEPS = 200


@lru_cache(maxsize=1024)
def two_sided_t(confidence: float, df: int) -> float:
    """The t for which P(|T| ≤ t) is ``confidence`` with ``df`` ≥ 1 degrees of freedom.

    Right to about 1e-12 of its value.
    """
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    if df > _SERIES_UP_TO:
        return _expanded(normal, df)
    if df == 1:
        return math.tan(math.pi * confidence / 2)
    # The probability is concave for t > 0 and t exceeds the normal quantile: Newton's steps climb
    # to the root from below and cannot pass it.
    t = normal
    for _ in range(_MAX_STEPS):
        step = (confidence - _inside(t, df)) / (2 * _density(t, df))
        t += step
        if abs(step) <= 1e-15 * t:
            break
    return t


def _inside(t: float, df: int) -> float:
    """P(|T| ≤ t)."""
    angle = math.atan2(t, math.sqrt(df))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = df % 2
    term = cosine if odd else 1.0
    total = term if df > 1 else 0.0
    for power in range(2 + odd, df - 1, 2):
        term *= (power - 1) / power * cosine**2
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def _density(t: float, df: int) -> float:
    log_scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2)
    return math.exp(log_scale - (df + 1) / 2 * math.log1p(t * t / df)) / math.sqrt(df * math.pi)


def _expanded(x: float, df: int) -> float:
    terms: tuple[float, ...] = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return x + math.fsum(term / df**power for power, term in enumerate(terms, start=1))

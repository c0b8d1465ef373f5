"""Quantiles of Student's t."""

from __future__ import annotations

from scipy.special import stdtrit


def two_sided_t(confidence: float, df: float) -> float:
    """The t for which P(|T| ≤ t) is ``confidence`` with ``df`` ≥ 1 degrees of freedom."""
    return float(stdtrit(df, (1 + confidence) / 2))

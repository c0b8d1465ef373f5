"""Correlations: Spearman's of ranks, and the product-moment one of values.

Sources: Spearman 1904, *The American Journal of Psychology* 15; tied values share their mean rank
(Kendall & Gibbons 1990, *Rank Correlation Methods*, 5th ed.).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_NO_SPREAD = 1e-12


def pearson(
    xs: Sequence[float], ys: Sequence[float], weights: Sequence[float] | None = None
) -> float | None:
    """The product-moment correlation; None with fewer than 3 pairs, or where one never varies.

    Of a 0/1 variable it is the point-biserial correlation.

    Args:
        weights: of the pairs; unless given, all weigh the same.
    """
    x, y, w = _arrays(xs, ys, weights)
    if len(x) < 3:
        return None
    w = w / w.sum()
    x, y = x - (w * x).sum(), y - (w * y).sum()
    spread = float(np.sqrt((w * x**2).sum() * (w * y**2).sum()))
    return None if spread < _NO_SPREAD else max(-1.0, min(1.0, float((w * x * y).sum()) / spread))


def spearman(
    xs: Sequence[float], ys: Sequence[float], weights: Sequence[float] | None = None
) -> float | None:
    """The correlation of ranks; None and arguments as of ``pearson``.

    The rank of a value is the weight of those below it and half of that of those equal to it.
    """
    x, y, w = _arrays(xs, ys, weights)
    return pearson(_mean_ranks(x, w), _mean_ranks(y, w), w.tolist())


def _arrays(
    xs: Sequence[float], ys: Sequence[float], weights: Sequence[float] | None
) -> tuple[Numbers, Numbers, Numbers]:
    x, y = np.asarray(xs, dtype=np.float64), np.asarray(ys, dtype=np.float64)
    return x, y, np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)


def _mean_ranks(values: Numbers, weights: Numbers) -> list[float]:
    """Ranks less a half, which is the same to a correlation."""
    _, places = np.unique(values, return_inverse=True)
    ties = np.bincount(places, weights=weights)
    ranks: list[float] = (np.cumsum(ties) - ties / 2)[places].tolist()
    return ranks

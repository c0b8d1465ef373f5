"""The interval of a share of independent successes, and the same of arrays of shares.

Source: Wilson 1927, *Journal of the American Statistical Association* 22, the score interval. It
stays within [0, 1] and says something also where all or none succeeded, which the usual interval
around the share does not (Agresti & Coull 1998, *The American Statistician* 52).
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from pagetrail.annotation.errors import MeasureError


def wilson(successes: float, n: float, confidence: float = 0.95) -> tuple[float, float] | None:
    """Both ends of the interval; None where nothing was tried. Numbers may be weights.

    With the share p of n and the standard normal quantile z:

        (p + z²/2n ± √(z² p (1−p)/n + z⁴/4n²)) / (1 + z²/n)

    >>> low, high = wilson(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)

    Raises:
        MeasureError: more successes than tries, a negative number, or a confidence outside (0, 1).
    """
    if not 0 <= successes <= n:
        raise MeasureError(f"{successes} of {n} is no share: count from 0 to {max(n, 0)}.")
    if not 0 < confidence < 1:
        raise MeasureError(f"The confidence is {confidence!r}: it must be between 0 and 1.")
    if n == 0:
        return None
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    share = successes / n
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    reach = math.sqrt(z2 * share * (1 - share) / n + z2**2 / (4 * n**2)) / (1 + z2 / n)
    # Exactly, where rounding would leave a hair's breadth.
    return middle - reach if successes else 0.0, middle + reach if successes < n else 1.0


def wilson_limits(shares: Any, n: Any, confidence: float = 0.95) -> tuple[Any, Any]:
    """Both ends of the interval of each share of ``n`` tries, as arrays; n is positive."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (shares + z * z / (2 * n)) / (1 + z * z / n)
    reach = np.sqrt(z * z * shares * (1 - shares) / n + z**4 / (4 * n**2)) / (1 + z * z / n)
    return np.clip(middle - reach, 0, shares), np.clip(middle + reach, shares, 1)

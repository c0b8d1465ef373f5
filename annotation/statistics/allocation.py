"""How many units of a sample to take from each stratum."""

from __future__ import annotations

from collections.abc import Sequence


def allocate(
    weights: Sequence[float], sizes: Sequence[float], taken: Sequence[float], more: int
) -> list[int]:
    """Divide ``more`` further units among strata, by the method of equal proportions.

    Each goes to the stratum with the largest ``weight² / (m (m + 1))``, with m units taken so far.
    This is Neyman's allocation (1934) in whole numbers if weights are sizes times standard
    deviations (Wright 2012, *The American Statistician* 66), and proportional allocation if they
    are sizes. A stratum without a unit comes first, the one with the largest weight before others.

    >>> allocate([3, 1], [10, 10], [0, 0], 4)
    [3, 1]

    Args:
        sizes: units that each stratum has; no more are taken from it.
        taken: units that were taken before.

    Returns:
        The units added to each stratum; fewer than ``more`` if no more are left.
    """
    counts = list(taken)
    added = [0] * len(counts)
    for _ in range(more):
        unfinished = [
            index for index, count in enumerate(counts) if count + 1 <= sizes[index] + 1e-9
        ]
        if not unfinished:
            break
        index = max(
            unfinished,
            key=lambda index: (
                counts[index] == 0,
                weights[index] ** 2 / ((counts[index] or 1) * (counts[index] + 1)),
                sizes[index],
            ),
        )
        counts[index] += 1
        added[index] += 1
    return added

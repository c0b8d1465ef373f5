"""Units of a sample divided among strata."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from pagetrail.annotation.statistics.allocation import allocate


@pytest.mark.parametrize("seed", range(20))
def test_the_allocation_has_the_smallest_variance(seed: int) -> None:
    """Among all ways to divide eight more answers among three strata."""
    source = random.Random(seed)
    sizes = [source.randrange(20, 200) for _ in range(3)]
    spreads = [source.uniform(0.05, 0.5) for _ in range(3)]
    weights = [size * spread for size, spread in zip(sizes, spreads, strict=True)]
    judged = [source.randrange(1, 9) for _ in range(3)]

    def variance(added: Sequence[int]) -> float:
        return sum(
            size**2 * spread**2 / (count + more)
            for size, spread, count, more in zip(sizes, spreads, judged, added, strict=True)
        )

    added = allocate(weights, sizes, judged, 8)
    ways = [way for way in itertools.product(range(9), repeat=3) if sum(way) == 8]
    assert sum(added) == 8
    assert variance(added) == pytest.approx(min(map(variance, ways)), rel=1e-12)


def test_the_allocation_stops_where_everything_is_judged() -> None:
    """Three of five and two of two: two are left."""
    assert allocate([0.5, 1.8], [5, 2], [3, 2], 10) == [2, 0]


def test_proportional_allocation_leaves_no_stratum_out() -> None:
    """Nine of 100: one of the smallest stratum, the rest by size."""
    assert allocate([70, 28, 2], [70, 28, 2], [0, 0, 0], 9) == [6, 2, 1]


def test_a_second_allocation_continues_the_first() -> None:
    """Six at once, or three and three."""
    sizes = [50, 30, 20]
    first = allocate(sizes, sizes, [0, 0, 0], 3)
    second = allocate(sizes, sizes, first, 3)
    assert [a + b for a, b in zip(first, second, strict=True)] == allocate(
        sizes, sizes, [0, 0, 0], 6
    )

"""Wilson's interval against its definition and values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.statistics.wilson import wilson


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_ends_are_just_not_rejected(counts: tuple[int, int]) -> None:
    """Each end is a share from which the observed one is z standard errors away, by definition."""
    right, n = counts
    for confidence, z in ((0.95, 1.959963984540054), (0.99, 2.5758293035489004)):
        low, high = wilson(right, n, confidence) or (0.0, 0.0)
        assert 0 <= low <= right / n <= high <= 1
        for end in (low, high):
            squared_distance = (right / n - end) ** 2
            assert squared_distance == pytest.approx(z**2 * end * (1 - end) / n, abs=1e-12)


def test_all_and_none_are_not_certain() -> None:
    """3 of 3 leaves 44 % possible, and 0 of 3 leaves 56 %; nothing tried says nothing."""
    assert wilson(3, 3) == pytest.approx((0.4385, 1.0), abs=1e-4)
    assert wilson(0, 3) == pytest.approx((0.0, 0.5615), abs=1e-4)
    assert wilson(0, 0) is None


@pytest.mark.parametrize("bad", [(4, 3, 0.95), (-1, 3, 0.95), (0, -1, 0.95), (1, 2, 1.0)])
def test_what_is_no_share_is_refused(bad: tuple[int, int, float]) -> None:
    """More right than asked, negative counts, and a confidence of one."""
    with pytest.raises(MeasureError):
        wilson(*bad)

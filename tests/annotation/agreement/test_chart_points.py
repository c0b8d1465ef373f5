"""Points of charts that two people read alike."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.agreement.chart_points import ChartPoint, point_overlap

POINTS = st.lists(
    st.builds(
        ChartPoint.parse,
        st.sampled_from(["a", "b", "a; b", "b;a"]),
        st.sampled_from(["1", "1.5", "2", "n/a"]),
        st.sampled_from(["", "0.5", "1"]),
    ),
    max_size=4,
)


@given(POINTS, POINTS)
def test_pairs_equal_the_best_of_all_orders(
    left: list[ChartPoint], right: list[ChartPoint]
) -> None:
    overlap, reverse = point_overlap(left, right), point_overlap(right, left)
    short, long = sorted((left, right), key=len)
    orders = list(permutations(long, len(short)))
    for name, matches in (
        ("labels", ChartPoint.has_labels_of),
        ("values", ChartPoint.agrees_with),
    ):
        common = max(sum(map(matches, short, order)) for order in orders)
        assert getattr(overlap, name) == (common, len(left), len(right))
        assert getattr(reverse, name) == (common, len(right), len(left))


@pytest.mark.parametrize(
    ("left", "right", "agrees"),
    [
        (("Sweden; Adjusted", "10", "1"), ("Adjusted ;Sweden", "9", ""), True),
        (("Sweden; Adjusted", "10", "0.9"), ("Sweden; Adjusted", "9", ""), False),
        (("Sweden", "10", "1"), ("Spain", "10", "1"), False),
        (("Sweden", "$1,050", ""), ("Sweden", "1050", ""), True),
        (("Sweden", "0.3", ""), ("Sweden", "0.30", ""), True),
        (("Sweden", "10", "0.1"), ("Sweden", "10.1", ""), True),
        (("Sweden", "n/a", "1"), ("Sweden", "n/a", ""), True),
        (("Sweden", "n/a", "1"), ("Sweden", "1", "1"), False),
    ],
)
def test_values_within_the_larger_tolerance_agree(
    left: tuple[str, str, str], right: tuple[str, str, str], agrees: bool
) -> None:
    point, other = ChartPoint.parse(*left), ChartPoint.parse(*right)
    assert point.agrees_with(other) is other.agrees_with(point) is agrees


@pytest.mark.parametrize(
    ("value", "tolerance", "expected"),
    [
        ("200", "", 2.0),
        ("-200", " ", 2.0),
        ("200", "5", 5.0),
        ("200", "0", 0.0),
        ("0", "", 0.0),
        ("n/a", "", 0.0),
    ],
)
def test_a_row_without_a_tolerance_has_the_campaigns(
    value: str, tolerance: str, expected: float
) -> None:
    """A share of the value; a row's own tolerance counts instead, also 0."""
    assert ChartPoint.parse("a", value, tolerance, 0.01).tolerance == pytest.approx(expected)

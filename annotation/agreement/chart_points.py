"""Which points of a chart two people read alike: the same labels, and values within tolerance.

A point has one value, one label or more in any order, and the tolerance with which the value could
be read. Two values agree if they differ by no more than the larger of their tolerances, so that the
order of the two people makes no difference. Values that are not numbers agree if their texts do.

Source: Zhang et al. 2026, section 3.2, where a system's value is compared with a reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from pagetrail.annotation.agreement.table_similarity import comparable_cell
from pagetrail.annotation.normalised_text import leading_number
from pagetrail.annotation.statistics.set_overlap import Overlap

_ROUNDING = 1e-9


class ChartPoint(NamedTuple):
    """A point as somebody read it.

    Attributes:
        labels: comparable texts, sorted.
        tolerance: in the value's unit; 0 for an exact value.
    """

    labels: tuple[str, ...]
    value: str
    tolerance: float = 0.0

    @classmethod
    def parse(
        cls, labels: str, value: str, tolerance: str = "", relative_tolerance: float = 0.0
    ) -> ChartPoint:
        """A point from the cells of its row; labels are separated by semicolons.

        Args:
            relative_tolerance: the campaign's, for a row without a tolerance.
        """
        names = (comparable_cell(label) for label in labels.split(";"))
        margin = leading_number(tolerance)
        if margin is None:
            margin = relative_tolerance * (leading_number(value) or 0.0)
        return cls(
            labels=tuple(sorted(name for name in names if name)),
            value=comparable_cell(value),
            tolerance=abs(margin),
        )

    def has_labels_of(self, other: ChartPoint) -> bool:
        """Whether both have the same labels."""
        return self.labels == other.labels

    def agrees_with(self, other: ChartPoint) -> bool:
        """Whether both have the same labels, and values within the larger tolerance."""
        if self.labels != other.labels:
            return False
        value, other_value = leading_number(self.value), leading_number(other.value)
        if value is None or other_value is None:
            return self.value == other.value
        tolerance = max(self.tolerance, other.tolerance)
        scale = max(abs(value), abs(other_value))
        return abs(value - other_value) <= tolerance + _ROUNDING * scale


class PointOverlap(NamedTuple):
    """How many points two people have in common.

    Attributes:
        labels: points with the same labels.
        values: points with the same labels and values within tolerance.
    """

    labels: Overlap
    values: Overlap


def point_overlap(left: Sequence[ChartPoint], right: Sequence[ChartPoint]) -> PointOverlap:
    """The largest number of pairs, each point in one pair at most."""
    return PointOverlap(
        labels=_overlap(left, right, ChartPoint.has_labels_of),
        values=_overlap(left, right, ChartPoint.agrees_with),
    )


def _overlap(
    left: Sequence[ChartPoint],
    right: Sequence[ChartPoint],
    matches: Callable[[ChartPoint, ChartPoint], bool],
) -> Overlap:
    pairs = [
        (i, j)
        for i, point in enumerate(left)
        for j, other in enumerate(right)
        if matches(point, other)
    ]
    if not pairs:
        return Overlap(0, len(left), len(right))
    rows, columns = zip(*pairs, strict=True)
    graph = csr_array(([True] * len(pairs), (rows, columns)), shape=(len(left), len(right)))
    matching = maximum_bipartite_matching(graph, perm_type="column")
    return Overlap(int((matching >= 0).sum()), len(left), len(right))

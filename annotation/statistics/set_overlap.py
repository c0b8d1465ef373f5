"""How much two collections have in common: F1 (Dice), Jaccard, precision and recall.

Sources: Jaccard 1912 (New Phytologist 11); Dice 1945 (Ecology 26), which information retrieval
calls F1 after van Rijsbergen 1979.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Set
from typing import NamedTuple

_SETS = (set, frozenset, Set)  # the first two need no look through the abstract class


class Overlap(NamedTuple):
    """Sizes of two collections and of what they have in common.

    Whole numbers in any unit, such as members, matched boxes or area.
    """

    common: int
    left: int
    right: int

    @property
    def f1(self) -> float | None:
        """2 |A∩B| / (|A| + |B|); None where both are empty."""
        total = self.left + self.right
        return 2 * self.common / total if total else None

    @property
    def jaccard(self) -> float | None:
        """|A∩B| / |A∪B|; None where both are empty."""
        either = self.left + self.right - self.common
        return self.common / either if either else None


def overlap(left: Iterable[Hashable], right: Iterable[Hashable]) -> Overlap:
    """The overlap of two sets, or of two multisets given as anything else than a set."""
    if isinstance(left, _SETS) and isinstance(right, _SETS):
        return Overlap(len(left & right), len(left), len(right))
    a, b = Counter(left), Counter(right)
    return Overlap((a & b).total(), a.total(), b.total())

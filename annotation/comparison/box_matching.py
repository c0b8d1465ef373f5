"""Two sets of boxes compared one to one."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.geometry.box import Box
from pagetrail.annotation.geometry.overlap import iou
from pagetrail.annotation.statistics.set_overlap import Overlap

Placed = tuple[str, int, str | None, Box]
"""A box: document, 1-based page, label, rectangle in points."""


def matched(drawn: Sequence[Placed], gold: Sequence[Placed], least: float) -> Overlap:
    """Pairs of boxes of the same page and label with an IoU of ``least`` or more.

    Greedy: the pair that overlaps most is taken first, and each box is in one pair at most. Among
    equal overlaps the order of the boxes decides.
    """
    pairs = sorted(
        (-overlap, i, j)
        for i, mine in enumerate(drawn)
        for j, theirs in enumerate(gold)
        if mine[:3] == theirs[:3] and (overlap := iou(mine[3], theirs[3])) >= least
    )
    used_drawn: set[int] = set()
    used_gold: set[int] = set()
    for _, i, j in pairs:
        if i not in used_drawn and j not in used_gold:
            used_drawn.add(i)
            used_gold.add(j)
    return Overlap(len(used_drawn), len(drawn), len(gold))

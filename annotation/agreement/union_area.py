"""The area that two sets of rectangles cover, each and together, in exact whole numbers.

A set's area is that of its union: where its rectangles overlap they count once. Two ways to the
same number: few rectangles are cut into disjoint pieces, which is quickest for the handful a page
has; many are swept column by column over the compressed edges, which stays quadratic whatever they
look like.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.geometry.overlap import IntegerBox

_MAX_DIRECT = 24
"""Rectangles in both sets together up to which cutting is quicker."""


def covered_areas(a: Sequence[IntegerBox], b: Sequence[IntegerBox]) -> tuple[int, int, int]:
    """(|A|, |B|, |A∩B|) in square units.

    Args:
        a, b: half-open rectangles x0 ≤ x1, y0 ≤ y1 in whole units.
    """
    return _cut(a, b) if len(a) + len(b) <= _MAX_DIRECT else _swept(a, b)


def _cut(a: Sequence[IntegerBox], b: Sequence[IntegerBox]) -> tuple[int, int, int]:
    pieces_a, pieces_b = _disjoint(a), _disjoint(b)
    shared = 0
    for x0, y0, x1, y1 in pieces_a:
        for u0, v0, u1, v1 in pieces_b:
            if u0 < x1 and x0 < u1 and v0 < y1 and y0 < v1:
                width = (x1 if x1 < u1 else u1) - (x0 if x0 > u0 else u0)
                height = (y1 if y1 < v1 else v1) - (y0 if y0 > v0 else v0)
                shared += width * height
    return _total(pieces_a), _total(pieces_b), shared


def _total(pieces: Sequence[IntegerBox]) -> int:
    total = 0
    for x0, y0, x1, y1 in pieces:
        total += (x1 - x0) * (y1 - y0)
    return total


def _disjoint(boxes: Sequence[IntegerBox]) -> list[IntegerBox]:
    """Rectangles that cover what the boxes cover, none of them overlapping another."""
    pieces: list[IntegerBox] = []
    for box in boxes:
        new = [box]
        left, top, right, bottom = box
        for piece in pieces:
            u0, v0, u1, v1 = piece
            if u0 < right and left < u1 and v0 < bottom and top < v1:
                new = [rest for part in new for rest in _minus(part, piece)]
        pieces += new
    return pieces


def _minus(part: IntegerBox, hole: IntegerBox) -> list[IntegerBox]:
    """Up to four rectangles: the part less the hole.

    Strips left and right of the hole take the whole height; those above and below it are between.
    """
    x0, y0, x1, y1 = part
    u0, v0, u1, v1 = hole
    if u0 >= x1 or x0 >= u1 or v0 >= y1 or y0 >= v1:
        return [part]
    rest: list[IntegerBox] = []
    if x0 < u0:
        rest.append((x0, y0, u0, y1))
        x0 = u0
    if u1 < x1:
        rest.append((u1, y0, x1, y1))
        x1 = u1
    if y0 < v0:
        rest.append((x0, y0, x1, v0))
    if v1 < y1:
        rest.append((x0, v1, x1, y1))
    return rest


def _swept(a: Sequence[IntegerBox], b: Sequence[IntegerBox]) -> tuple[int, int, int]:
    """Column by column between neighbouring x edges, the covered rows between the y edges."""
    rows = sorted({edge for _, y0, _, y1 in (*a, *b) for edge in (y0, y1)})
    rank = {edge: row for row, edge in enumerate(rows)}
    heights = _heights(rows)
    changes: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
    for index, boxes in enumerate((a, b)):
        for x0, y0, x1, y1 in boxes:
            changes[x0].append((index, rank[y0], rank[y1], 1))
            changes[x1].append((index, rank[y0], rank[y1], -1))
    # By set: how many more rectangles cover a row than the one before it, in this column. Their
    # running sums are the numbers of rectangles.
    steps = np.zeros((2, len(rows)), dtype=np.int64)
    areas = [0, 0, 0]
    for x0, x1 in pairwise(sorted(changes)):
        for index, start, end, sign in changes[x0]:
            steps[index, start] += sign
            steps[index, end] -= sign
        covered = steps.cumsum(axis=1)[:, :-1] > 0
        for index, mask in enumerate((covered[0], covered[1], covered[0] & covered[1])):
            areas[index] += (x1 - x0) * int(heights[mask].sum())
    return areas[0], areas[1], areas[2]


def _heights(rows: list[int]) -> NDArray[np.int64] | NDArray[np.object_]:
    gaps = [lower - upper for upper, lower in pairwise(rows)]
    # Edges that are no hundredths are whole numbers of a unit that may be too small for 64 bits.
    return np.array(gaps, dtype=np.int64 if sum(gaps) < 2**62 else object)

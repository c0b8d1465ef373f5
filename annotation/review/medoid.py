"""The side that agrees most with the others, and what most of them say."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

from pagetrail.annotation.agreement.zones import zone_agreement
from pagetrail.annotation.comparison.answer_pairs import answer_pair
from pagetrail.annotation.comparison.differences import PageSizeOf, Side, drawn_boxes, handed

T = TypeVar("T", bound=Hashable | None)


def majority(values: Sequence[T]) -> T | None:
    """The value given most often; among equals the one given first; None where there is none."""
    counts = Counter(values)
    return max(counts, key=lambda value: counts[value], default=None)


def medoid(sides: Sequence[Side]) -> Side:
    """The side whose answer is nearest to all the others'; among equals the first.

    Someone without an answer is as far from an answer as can be, and as near to another without.
    """
    given = [handed(side) for side in sides]

    def nearness(place: int) -> float:
        found = [
            answer_pair(given[place], other).anls
            for number, other in enumerate(given)
            if number != place
        ]
        return math.fsum(1.0 if value is None else value for value in found)

    return sides[max(range(len(sides)), key=lambda place: (nearness(place), -place))]


def zone_medoid(sides: Sequence[Side], page: tuple[str, int], size_of: PageSizeOf) -> Side:
    """The side whose boxes on a page overlap most with the others' (Dice); the first of equals."""
    zones = [
        [box.rect for box in drawn_boxes(side) if (box.document, box.page) == page]
        for side in sides
    ]

    def nearness(place: int) -> float:
        found = [
            zone_agreement(zones[place], other, size_of(*page)).dice
            for number, other in enumerate(zones)
            if number != place
        ]
        return math.fsum(1.0 if value is None else value for value in found)

    return sides[max(range(len(sides)), key=lambda place: (nearness(place), -place))]

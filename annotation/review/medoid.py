"""The submission that agrees most with the others, and what most of them say."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

from pagetrail.annotation.agreement.zones import zone_agreement
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.measures import PageSizeOf, answer_anls

T = TypeVar("T", bound=Hashable | None)


def majority(values: Sequence[T]) -> T | None:
    """The value given most often; among equals the one given first; None where there is none."""
    counts = Counter(values)
    return max(counts, key=lambda value: counts[value], default=None)


def medoid(submissions: Sequence[Submission]) -> Submission:
    """The submission whose answer is nearest to all the others'; among equals the first.

    Someone without an answer is as far from an answer as can be, and as near to another without.
    """

    def nearness(place: int) -> float:
        found = [
            answer_anls(submissions[place], other)
            for number, other in enumerate(submissions)
            if number != place
        ]
        return math.fsum(1.0 if value is None else value for value in found)

    return submissions[max(range(len(submissions)), key=lambda place: (nearness(place), -place))]


def zone_medoid(
    submissions: Sequence[Submission], page: tuple[str, int], size_of: PageSizeOf
) -> Submission:
    """The submission whose boxes on a page overlap most with the others' (Dice); the first of
    equals."""
    zones = [[box.rect for box in submission.boxes_on(page)] for submission in submissions]

    def nearness(place: int) -> float:
        found = [
            zone_agreement(zones[place], other, size_of(*page)).dice
            for number, other in enumerate(zones)
            if number != place
        ]
        return math.fsum(1.0 if value is None else value for value in found)

    return submissions[max(range(len(submissions)), key=lambda place: (nearness(place), -place))]

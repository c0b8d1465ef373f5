"""What most people submitted, and whose work is nearest to the others'; in a tie, nothing.

Nothing here depends on the order of people. Where several lead and differ by no more than the
campaign's rule allows, one of them is taken by its content; where they differ by more, it is a tie:
the part stays open until a reviewer decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeVar

from pagetrail.annotation.comparison.measures import value_distance
from pagetrail.annotation.protocols.fields import FieldSpec, Value, steps_between
from pagetrail.annotation.protocols.sections import ReviewPart

T = TypeVar("T")

_ROUNDING = 1e-9


def most_given(values: Sequence[T], is_equal: Callable[[T, T], bool]) -> list[T]:
    """The values that are the same as most others; several where they lead together."""
    return _leading(values, [sum(is_equal(a, b) for b in values) for a in values])


def nearest(values: Sequence[T], likeness: Callable[[T, T], float]) -> list[T]:
    """The values that are nearest to all the others; several where they lead together."""
    sums = [
        math.fsum(
            likeness(value, other)
            for other_index, other in enumerate(values)
            if other_index != index
        )
        for index, value in enumerate(values)
    ]
    return _leading(values, sums)


def _leading(values: Sequence[T], scores: Sequence[float]) -> list[T]:
    highest = max(scores, default=0.0)
    return [
        value for value, score in zip(values, scores, strict=True) if score >= highest - _ROUNDING
    ]


def break_tie(
    leading: Sequence[T], agree: Callable[[T, T], bool], content: Callable[[T], object]
) -> T | None:
    """The one that is taken of several that lead; None where two of them differ too much: a tie.

    Args:
        agree: whether two of them differ by no more than the campaign's rule allows.
        content: what each says, to choose by; people whose parts are the same are interchangeable.
    """
    if not all(agree(a, b) for a, b in combinations(leading, 2)):
        return None
    return min(leading, key=lambda value: repr(content(value)), default=None)


def values_agree(spec: FieldSpec, rule: ReviewPart, a: Value, b: Value) -> bool:
    """Whether two values of a field differ by no more than the campaign's rule allows."""
    difference = value_distance(spec, a, b)
    if spec.name in rule.parts:
        return difference <= rule.parts[spec.name] + _ROUNDING
    return difference == 0 or (spec.kind == "ordinal" and steps_between(spec, a, b) <= rule.steps)

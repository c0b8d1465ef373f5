"""How far two values of a field are apart."""

from __future__ import annotations

import math

from pagetrail.annotation.metrics.answer_matching import same
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.statistics.set_overlap import overlap


def difference(spec: FieldSpec, mine: Value, theirs: Value) -> float:
    """In [0, 1]; 0 for the same value, 1 for a value beside none.

    On a scale, steps apart by the steps there are; of several options, 1 − Jaccard.
    """
    if mine is None or theirs is None:
        return 0.0 if mine is theirs else 1.0
    if spec.kind == "ordinal":
        steps = len(spec.options) - 1
        return steps_apart(spec, mine, theirs) / steps if steps else float(mine != theirs)
    if isinstance(mine, tuple) and isinstance(theirs, tuple):
        shared = overlap(set(mine), set(theirs)).jaccard
        return 0.0 if shared is None else 1 - shared
    if spec.kind == "text" and isinstance(mine, str) and isinstance(theirs, str):
        return float(mine != theirs and not same(mine, theirs))
    if spec.kind == "number" and isinstance(mine, int | float) and isinstance(theirs, int | float):
        return float(not math.isclose(mine, theirs, rel_tol=1e-9))
    return float(mine != theirs)


def steps_apart(spec: FieldSpec, mine: Value, theirs: Value) -> int:
    """Steps of the scale between two of its values; as many as there are where one is none."""
    ranked = sorted(spec.options, key=lambda option: option.code or 0.0)
    places = {option.value: place for place, option in enumerate(ranked)}
    if not (isinstance(mine, str) and isinstance(theirs, str)):
        return max(1, len(ranked) - 1)
    if mine not in places or theirs not in places:
        return 0 if mine == theirs else max(1, len(ranked) - 1)
    return abs(places[mine] - places[theirs])

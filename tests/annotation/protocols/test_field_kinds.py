"""The kinds of fields: each has its class, and the reference and schema have each."""

from __future__ import annotations

from typing import get_args

import pytest

from pagetrail.annotation.protocols.fields import FIELD_KINDS, FieldSpec, Kind, Value
from pagetrail.annotation.ratings.schemes import RatedKind

OPTIONS = [
    {"value": "low", "label": "Low", "code": 0},
    {"value": "mid", "label": "Mid", "code": 1},
    {"value": "high", "label": "High", "code": 2},
]


def field(kind: str, **settings: object) -> FieldSpec:
    """A field of that kind."""
    return FieldSpec.model_validate({"name": "grade", "label": "Grade", "kind": kind, **settings})


def test_every_kind_has_a_class() -> None:
    """What a protocol may declare is what has rules, and agreement knows each."""
    assert set(FIELD_KINDS) == set(get_args(Kind))
    assert set(FIELD_KINDS) <= set(get_args(get_args(RatedKind)[0]))


@pytest.mark.parametrize(
    ("spec", "value", "other", "distance"),
    [
        (field("choice", options=OPTIONS), "low", "low", 0),
        (field("choice", options=OPTIONS), "low", "high", 1),
        (field("ordinal", options=OPTIONS), "low", "mid", 0.5),
        (field("ordinal", options=OPTIONS), "low", "high", 1),
        (field("ordinal", options=OPTIONS[:1]), "low", "low", 0),
        (field("multi", options=OPTIONS), ("low", "mid"), ("mid", "high"), 2 / 3),
        (field("multi", options=OPTIONS), (), (), 0),
        (field("boolean"), True, False, 1),
        (field("text"), "Net  income", "net income.", 0),
        (field("text"), "net income", "net loss", 1),
        (field("number"), 0.1 + 0.2, 0.3, 0),
        (field("number"), 3, 4, 1),
    ],
)
def test_distances(spec: FieldSpec, value: Value, other: Value, distance: float) -> None:
    """Distances are symmetric, 0 for values that count as the same, and at most 1."""
    assert spec.rules.distance(spec, value, other) == pytest.approx(distance)
    assert spec.rules.distance(spec, other, value) == pytest.approx(distance)


def test_options_of_the_same_code_are_one_category() -> None:
    """They are rated together, under both labels, in the order of the codes."""
    options = [*OPTIONS[::-1], {"value": "poor", "label": "Poor", "code": 0}]
    spec = field("ordinal", options=options)
    scale = spec.rules.rating_scale(spec)
    assert scale is not None
    assert scale.categories == {0: "Low / Poor", 1: "Mid", 2: "High"}
    assert (scale.level, scale.weights) == ("ordinal", "ordinal")
    assert spec.rules.category(spec, "poor") == 0

"""Fields as they are declared, and the values that each kind takes."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.fields import (
    FIELD_KINDS,
    Condition,
    FieldSpec,
    Kind,
    Option,
    Value,
    check_value,
    token,
)
from tests.support.random_work import ALL_KINDS

VALUE: TypeAdapter[Value] = TypeAdapter(Value)
OPTION_ONE, OPTION_TWO = (
    Option(value="one", label="One", code=1),
    Option(value="two", label="Two", code=2),
)
EXCLUSIVE = Option(value="na", label="N/A", exclusive=True)


def spec(kind: Kind, **changes: Any) -> FieldSpec:
    """A field of that kind, called f."""
    rules = FIELD_KINDS[kind]
    options = {"options": (OPTION_ONE, OPTION_TWO)} if rules.takes_options else {}
    columns = {"columns": ({"name": "x", "label": "X"},)} if rules.takes_columns else {}
    values = {"name": "f", "label": "The field", "kind": kind, **options, **columns, **changes}
    return FieldSpec.model_validate(values)


MULTI = spec("multi", options=(OPTION_ONE, OPTION_TWO, EXCLUSIVE))
NUMBER = spec("number", min=0, max=10)
INTEGER = spec("number", integer=True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (spec("choice"), "one"),
        (spec("ordinal"), "two"),
        (MULTI, ()),
        (MULTI, ("one",)),
        (MULTI, ("two", "one")),
        (MULTI, ("na",)),
        (spec("boolean"), True),
        (spec("boolean"), False),
        (spec("text"), ""),
        (spec("text", max_length=5), "12345"),
        (NUMBER, 0),
        (NUMBER, 10.0),
        (NUMBER, 3.25),
        (INTEGER, -7),
        (INTEGER, 7.0),
        (spec("number"), -1e15),
        *[(spec(kind), None) for kind in ("choice", "multi", "boolean", "text", "number")],
        (spec("records"), None),
    ],
)
def test_values_that_a_kind_takes(field: FieldSpec, value: Value) -> None:
    """Each value is of its kind; None clears any."""
    check_value(field, value)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (spec("choice"), "three", "'three' is not one of one, two."),
        (spec("choice"), "One", "'One' is not one of"),
        (spec("choice"), ("one",), "('one',) is not one of"),
        (spec("ordinal"), 2, "2 is not one of"),
        (spec("ordinal"), True, "True is not one of"),
        (MULTI, "one", "'one' is not a list of options."),
        (MULTI, ("one", "one"), "an option is chosen twice."),
        (MULTI, ("one", "three"), "'three' is not one of one, two, na."),
        (MULTI, ("one", "na"), "na cannot be combined with another option."),
        (spec("boolean"), "true", "'true' is neither yes nor no."),
        (spec("boolean"), 1, "1 is neither"),
        (spec("text"), 5, "5 is not a text."),
        (spec("text", max_length=5), "123456", "6 characters; 5 are allowed."),
        (NUMBER, -0.5, "-0.5 is below 0."),
        (NUMBER, 10.5, "10.5 is above 10."),
        (NUMBER, True, "True is not a number."),
        (NUMBER, "5", "'5' is not a number."),
        (NUMBER, float("nan"), "nan is not a number."),
        (NUMBER, float("inf"), "inf is not a number."),
        (NUMBER, 10**400, "is not a number."),
        (INTEGER, 7.5, "7.5 is not a whole number."),
        (spec("records"), "x", "the rows of a table are set one by one."),
    ],
)
def test_values_that_it_does_not_take(field: FieldSpec, value: Value, message: str) -> None:
    """The sentence begins with the field's label and names the value and what is allowed."""
    with pytest.raises(Refusal) as caught:
        check_value(field, value)
    assert (caught.value.code, caught.value.field) == ("bad_value", "f")
    assert caught.value.message.startswith("The field: ")
    assert message in caught.value.message
    assert len(caught.value.message) < 120


@pytest.mark.parametrize(
    ("json", "value"),
    [
        ("null", None),
        ("true", True),
        ("1", 1),
        ("1.0", 1.0),
        ('"1"', "1"),
        ('["a","b"]', ("a", "b")),
        ("[]", ()),
    ],
)
def test_values_keep_their_kind_in_storage(json: str, value: Value) -> None:
    """A truth is no number and a number no text, on the way in, out, and in again."""
    read = VALUE.validate_json(json)
    assert read == value and type(read) is type(value)
    reread = VALUE.validate_json(VALUE.dump_json(read))
    assert reread == value and type(reread) is type(value)


@pytest.mark.parametrize("json", ["NaN", "Infinity", "{}", '[["a"]]', "[1]", f'"{"x" * 20_001}"'])
def test_what_is_no_value(json: str) -> None:
    """Numbers that are none, objects, lists of anything but texts, and novels."""
    with pytest.raises(ValidationError):
        VALUE.validate_json(json)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (True, "true"),
        (False, "false"),
        (2, "2"),
        (2.5, "2.5"),
        ("a", "a"),
        (None, None),
        (("a",), None),
    ],
)
def test_values_as_conditions_name_them(value: Value, name: str | None) -> None:
    """Single values have a name; lists and nothing have none."""
    assert token(value) == name


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("choice", {"options": ()}, "needs options"),
        ("text", {"options": (OPTION_ONE,)}, "takes no options"),
        ("records", {"columns": ()}, "needs columns"),
        ("text", {"columns": ({"name": "x", "label": "X"},)}, "takes no columns"),
        ("choice", {"options": (OPTION_ONE, OPTION_ONE)}, "the option 'one' twice"),
        ("ordinal", {"options": (OPTION_ONE, EXCLUSIVE)}, "needs a code"),
        ("number", {"min": 2, "max": 1}, "min above its max"),
        ("text", {"name": "Not a name"}, "pattern"),
        ("text", {"colour": "red"}, "Extra inputs"),
        (
            "choice",
            {"options": [{"value": v, "label": v, "key": "k"} for v in "ab"]},
            "the key 'k' twice",
        ),
        (
            "records",
            {"columns": [{"name": "x", "label": "X", "kind": "choice"}]},
            "a choice has options",
        ),
        (
            "records",
            {"columns": [{"name": "x", "label": "X", "options": ["a"]}]},
            "other kinds have none",
        ),
        (
            "records",
            {"columns": [{"name": "x", "label": "X"}, {"name": "x", "label": "Y"}]},
            "the column 'x' twice",
        ),
    ],
)
def test_fields_that_contradict_themselves(
    kind: str, changes: dict[str, Any], message: str
) -> None:
    """A declaration that cannot be asked is refused, with the field's name or key."""
    with pytest.raises(ValidationError, match=message):
        spec(kind, **changes)


def test_a_condition_needs_a_value() -> None:
    """A condition that nothing satisfies would hide its field for ever."""
    with pytest.raises(ValidationError):
        Condition(field="f", values=())


def test_options_are_found_by_value() -> None:
    """By the value that is stored, not by what is shown."""
    assert spec("choice").option("two") == OPTION_TWO
    assert spec("choice").option("Two") is None
    assert spec("choice").option(None) is None


@pytest.mark.parametrize("kind", FIELD_KINDS)
def test_examples_of_each_kind_are_taken(kind: Kind) -> None:
    """Kinds without options and columns give examples, of which random work in tests is made."""
    rules = FIELD_KINDS[kind]
    assert rules.examples or rules.takes_options or rules.takes_columns, (
        f"give the class {type(rules).__name__} values as `examples`"
    )
    for example in rules.examples:
        check_value(spec(kind), example)


def test_the_browser_is_compared_on_every_kind() -> None:
    """The protocol of random work, on which server and browser must agree, has fields of all."""
    assert {spec.kind for spec in ALL_KINDS.fields} == set(get_args(Kind))

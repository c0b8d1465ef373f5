"""Lenient field types: values of the wrong type are ignored instead of refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from pagetrail.annotation.readable_errors import short_value


def _none_if_invalid(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    try:
        return validate(value)
    except ValidationError:
        return None


def without_fraction(value: Any) -> Any:
    """The value, with whole numbers as int: Excel, like JSON's writers, may only have floats."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def answer_text(value: Any) -> str:
    """Text of an answer given as text, number or boolean ("yes", "no").

    Raises:
        ValueError: any other type.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str | int | float):
        raise ValueError(
            f"must be text or a list of texts, not {short_value(value)}. "
            'Write it as ["first", "second"]'
        )
    return str(value)


def null_to_empty_list(value: Any) -> Any:
    """An empty list for null; other values unchanged."""
    return [] if value is None else value


EMPTY_UNLESS_OBJECT = BeforeValidator(lambda value: object_or_empty(value))
MaybeText = Annotated[str | None, WrapValidator(_none_if_invalid)]
MaybeObject = Annotated[dict[str, Any], EMPTY_UNLESS_OBJECT]
Objects = Annotated[list[dict[str, Any]], BeforeValidator(null_to_empty_list)]
"""List of objects or null; anything else is refused."""


class LenientModel(BaseModel):
    """Treats null fields as missing and ignores unknown fields."""

    @model_validator(mode="before")
    @classmethod
    def _drop_nulls(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return {name: value for name, value in data.items() if value is not None}


def first_alias(*names: str) -> Any:
    """A field with several accepted names; the first one present is used, default None."""
    return Field(default=None, validation_alias=AliasChoices(*names))


def object_or_empty(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_or_empty(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def objects_of(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; other items, and values that are not lists, are ignored."""
    return [item for item in list_or_empty(value) if isinstance(item, dict)]


def first_value(fields: Mapping[str, Any], names: Iterable[str]) -> Any:
    """The value of the first of these fields that is present and not null, else None."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)

"""Types of fields that count where they have the right type and are passed over where not."""

from __future__ import annotations

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

from pagetrail.annotation.readable_errors import shown


def _or_none(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(value)
    except ValidationError:
        return None


def answer_text(value: Any) -> str:
    """One answer: text, a number, or yes and no.

    Raises:
        ValueError: it is something else.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str | int | float):
        raise ValueError(
            f'must be text or a list of texts, not {shown(value)}. Write it as ["first", "second"]'
        )
    return str(value)


def none_is_empty(value: Any) -> Any:
    """For lists that may be null."""
    return [] if value is None else value


EMPTY_UNLESS_OBJECT = BeforeValidator(lambda value: value if isinstance(value, dict) else {})
MaybeText = Annotated[str | None, WrapValidator(_or_none)]
MaybeObject = Annotated[dict[str, Any], EMPTY_UNLESS_OBJECT]
Objects = Annotated[list[dict[str, Any]], BeforeValidator(none_is_empty)]
"""A list of objects; null is an empty one, and anything else is refused."""


class WithoutNulls(BaseModel):
    """An object in which null is as good as missing; unknown fields are passed over."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return {name: value for name, value in data.items() if value is not None}


def first_of(*names: str) -> Any:
    """A field that has several names: the first that is there counts, else it is None."""
    return Field(default=None, validation_alias=AliasChoices(*names))

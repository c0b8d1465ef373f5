"""Typed fields of a protocol: what may be asked of a task, a page or a box."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.sentences import sentence

Scope = Literal["task", "page", "box"]
Kind = Literal["choice", "multi", "ordinal", "boolean", "text", "number", "records"]
FieldName = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[a-z][a-z0-9_]*$")]
HotKey = Annotated[str, Field(min_length=1, max_length=1, pattern=r"^[0-9A-Za-z]$")]
Value = (
    StrictBool
    | StrictInt
    | Annotated[StrictFloat, Field(allow_inf_nan=False)]
    | Annotated[StrictStr, Field(max_length=20_000)]
    | Annotated[tuple[Annotated[StrictStr, Field(max_length=200)], ...], Field(max_length=200)]
    | None
)
"""What a field holds: an option (choice, ordinal), several of them (multi), …; None is unset."""

CLOSED = ("choice", "multi", "ordinal")
MAX_NUMBER = 1e15


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Condition(_Part):
    """Holds where a field has one of these values; ``true`` and ``false`` for a boolean.

    A condition on a box may look at fields of the box, its page or the task; one on a page at
    fields of the page or the task.
    """

    field: str = Field(description="name of the field that is looked at")
    values: tuple[str, ...] = Field(min_length=1, description="values of it that satisfy")


class Option(_Part):
    """One value of a closed list."""

    value: str = Field(min_length=1, max_length=60, description="as stored and exported")
    label: str = Field(min_length=1, max_length=120, description="as shown")
    code: float | None = Field(default=None, description="number of an ordinal option, its rank")
    key: HotKey | None = Field(default=None, description="key that chooses it")
    help: str = Field(default="", max_length=1_000, description="what it means")
    when: Condition | None = Field(default=None, description="offered only where this holds")
    exclusive: bool = Field(default=False, description="multi: cannot be combined with another")


class Column(_Part):
    """One column of a table of records."""

    name: FieldName = Field(description="as stored and exported, and in the rows of a seed")
    label: str = Field(min_length=1, max_length=120, description="as shown")
    kind: Literal["text", "number", "choice"] = Field(
        default="text", description="what its cells hold"
    )
    options: tuple[str, ...] = Field(default=(), description="allowed cells of a choice")
    editable: bool = Field(default=True, description="may the annotator change the cells")
    required: bool = Field(default=False, description="each row needs a cell here")
    wide: bool = Field(default=False, description="shown as a text of several lines")
    when_changed: str | None = Field(
        default=None,
        description="choice: what a model's row is once another of its cells differs from the "
        "model's; it is set by itself, and nothing else is accepted",
    )


class FieldSpec(_Part):
    """One thing that is asked."""

    name: FieldName = Field(description="as stored and exported, and in conditions")
    label: str = Field(min_length=1, max_length=200, description="as shown")
    scope: Scope = Field(default="task", description="asked of the task, each page, or each box")
    kind: Kind = Field(
        description="one option, several, one of a scale (each with a code), yes or no, text, a "
        "number, or an editable table"
    )
    help: str = Field(default="", max_length=2_000, description="shown beside the label")
    required: bool = Field(default=False, description="must be set before submitting")
    when: Condition | None = Field(default=None, description="asked only where this holds")
    options: tuple[Option, ...] = Field(default=(), description="choice, multi, ordinal")
    columns: tuple[Column, ...] = Field(default=(), description="records")
    seed: str | None = Field(
        default=None, description="records: key of the task record that holds the model's rows"
    )
    add_rows: bool = Field(default=True, description="records: may rows be added and deleted")
    min: float | None = Field(default=None, description="number: smallest value")
    max: float | None = Field(default=None, description="number: largest value")
    integer: bool = Field(default=False, description="number: whole numbers only")
    max_length: int = Field(default=2_000, ge=1, le=20_000, description="text: characters")
    advance: bool = Field(
        default=False,
        description="page: a key that leaves nothing missing on the page goes to the next one",
    )
    matches_boxes: bool = Field(
        default=False,
        description="page, several options: they are named like the labels of boxes; a page on "
        "which the two differ must be changed, or confirmed as it is",
    )

    @model_validator(mode="after")
    def _consistent(self) -> FieldSpec:
        found = list(self._problems())
        if found:
            raise ValueError("; ".join(found))
        return self

    def _problems(self) -> Iterator[str]:
        if self.kind in CLOSED and not self.options:
            yield f"the {self.kind} field {self.name!r} needs options"
        if self.kind not in CLOSED and self.options:
            yield f"the {self.kind} field {self.name!r} takes no options"
        if (self.kind == "records") != bool(self.columns):
            yield (
                f"the records field {self.name!r} needs columns"
                if self.kind == "records"
                else f"the {self.kind} field {self.name!r} takes no columns"
            )
        for what, names in (
            ("option", [option.value for option in self.options]),
            ("column", [column.name for column in self.columns]),
            ("key", [option.key for option in self.options if option.key]),
        ):
            twice = {name for name in names if names.count(name) > 1}
            if twice:
                yield f"field {self.name!r} has the {what} {min(twice)!r} twice"
        if self.kind == "ordinal" and any(option.code is None for option in self.options):
            yield f"each option of the ordinal field {self.name!r} needs a code"
        for column in self.columns:
            if (column.kind == "choice") != bool(column.options):
                yield (
                    f"column {column.name!r} of field {self.name!r}: a choice has options, "
                    "other kinds have none"
                )
            if column.when_changed is not None and column.when_changed not in column.options:
                yield (
                    f"column {column.name!r} of field {self.name!r}: when_changed is none of its "
                    "options"
                )
        if self.matches_boxes and (self.kind, self.scope) != ("multi", "page"):
            yield f"field {self.name!r}: matches_boxes is for several options of a page"
        if self.min is not None and self.max is not None and self.min > self.max:
            yield f"field {self.name!r} has a min above its max"

    def option(self, value: object) -> Option | None:
        """The option of that value."""
        return next((option for option in self.options if option.value == value), None)


def check_value(field: FieldSpec, value: Value) -> None:
    """Refuse a value that the field does not take; whether options are offered is not looked at.

    Raises:
        Refusal: on the field; names the offending value and what is allowed.
    """
    if value is None:
        return
    wrong = _wrong(field, value)
    if wrong is not None:
        raise Refusal(f"{field.label}: {wrong}", code="bad_value", field=field.name)


def _wrong(field: FieldSpec, value: Value) -> str | None:
    allowed = ", ".join(option.value for option in field.options)
    match field.kind:
        case "records":
            return "the rows of a table are set one by one."
        case "boolean":
            return None if isinstance(value, bool) else f"{_shown(value)} is neither yes nor no."
        case "choice" | "ordinal":
            known = isinstance(value, str) and field.option(value) is not None
            return None if known else f"{_shown(value)} is not one of {allowed}."
        case "multi":
            return _wrong_multi(field, value, allowed)
        case "text":
            if not isinstance(value, str):
                return f"{_shown(value)} is not a text."
            if len(value) > field.max_length:
                return f"{len(value):,} characters; {field.max_length:,} are allowed."
            return None
        case "number":
            return _wrong_number(field, value)


def _wrong_multi(field: FieldSpec, value: Value, allowed: str) -> str | None:
    if not isinstance(value, tuple):
        return f"{_shown(value)} is not a list of options."
    for item in value:
        if field.option(item) is None:
            return f"{_shown(item)} is not one of {allowed}."
    if len(set(value)) < len(value):
        return "an option is chosen twice."
    alone = [item for item in value if (option := field.option(item)) and option.exclusive]
    if alone and len(value) > 1:
        return f"{alone[0]} cannot be combined with another option."
    return None


def _wrong_number(field: FieldSpec, value: Value) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > MAX_NUMBER:
        return sentence("not_a_number", value=_shown(value))
    if not math.isfinite(value):
        return sentence("not_a_number", value=_shown(value))
    if field.integer and value != int(value):
        return sentence("not_whole", value=f"{value:g}")
    if field.min is not None and value < field.min:
        return sentence("below", value=f"{value:g}", limit=f"{field.min:g}")
    if field.max is not None and value > field.max:
        return sentence("above", value=f"{value:g}", limit=f"{field.max:g}")
    return None


def check_cells(field: FieldSpec, values: dict[str, str], *, new: bool) -> None:
    """Refuse cells that a table of records does not take.

    Args:
        new: whether the row is the annotator's own; the cells of a model's row may be locked.

    Raises:
        Refusal: on the field.
    """
    columns = {column.name: column for column in field.columns}
    for name, cell in values.items():
        column = columns.get(name)
        if column is None:
            known = ", ".join(columns)
            wrong = f"there is no column {_shown(name)}; columns: {known}."
        elif not column.editable and not new:
            wrong = f"{column.label} cannot be changed."
        elif column.kind == "choice" and cell and cell not in column.options:
            wrong = f"{_shown(cell)} is not one of {', '.join(column.options)}."
        elif column.kind == "number" and cell.strip() and not _is_number(cell):
            wrong = f"{column.label}: {sentence('not_a_number', value=_shown(cell))}"
        else:
            continue
        raise Refusal(f"{field.label}: {wrong}", code="bad_value", field=field.name)


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell.strip().replace(",", "")))
    except ValueError:
        return False


def token(value: Value) -> str | None:
    """A single value as conditions name it."""
    if value is None or isinstance(value, tuple):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else f"{value:g}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"

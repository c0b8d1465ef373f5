"""Typed fields of a protocol: what may be asked of a task, a page or a box."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal, NamedTuple

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
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.normalised_text import is_same_text, parse_number
from pagetrail.annotation.sentences import sentence, shortened

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

MAX_NUMBER = 1e15

CHART_COLUMNS = frozenset({"labels", "value"})
"""Columns of a table of records whose rows are points of a chart."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Condition(_Part):
    """Holds where a field has one of these values; ``true`` and ``false`` for a boolean.

    A condition on a box may look at fields of the box, its page or the task; one on a page at
    fields of the page or the task.
    """

    field: str = Field(description=N_("name of the field that is looked at"))
    values: tuple[str, ...] = Field(min_length=1, description=N_("values of it that satisfy"))


class Option(_Part):
    """One value of a closed list."""

    value: str = Field(min_length=1, max_length=60, description=N_("as stored and exported"))
    label: str = Field(min_length=1, max_length=120, description=N_("as shown"))
    code: float | None = Field(
        default=None, description=N_("number of an ordinal option, its rank")
    )
    key: HotKey | None = Field(default=None, description=N_("key that chooses it"))
    help: str = Field(default="", max_length=1_000, description=N_("what it means"))
    when: Condition | None = Field(default=None, description=N_("offered only where this holds"))
    exclusive: bool = Field(default=False, description=N_("multi: cannot be combined with another"))


class Column(_Part):
    """One column of a table of records."""

    name: FieldName = Field(description=N_("as stored and exported, and in the rows of a seed"))
    label: str = Field(min_length=1, max_length=120, description=N_("as shown"))
    kind: Literal["text", "number", "choice"] = Field(
        default="text", description=N_("what its cells hold")
    )
    options: tuple[str, ...] = Field(default=(), description=N_("allowed cells of a choice"))
    editable: bool = Field(default=True, description=N_("may the annotator change the cells"))
    required: bool = Field(default=False, description=N_("each row needs a cell here"))
    wide: bool = Field(default=False, description=N_("shown as a text of several lines"))
    when_changed: str | None = Field(
        default=None,
        description=N_(
            "choice: what a model's row is once another of its cells differs from the "
            "model's; it is set by itself, and nothing else is accepted"
        ),
    )


class FieldSpec(_Part):
    """One thing that is asked."""

    name: FieldName = Field(description=N_("as stored and exported, and in conditions"))
    label: str = Field(min_length=1, max_length=200, description=N_("as shown"))
    scope: Scope = Field(
        default="task", description=N_("asked of the task, each page, or each box")
    )
    kind: Kind = Field(
        description=N_(
            "one option, several, one of a scale (each with a code), yes or no, text, a "
            "number, or an editable table"
        )
    )
    help: str = Field(default="", max_length=2_000, description=N_("shown beside the label"))
    required: bool = Field(default=False, description=N_("must be set before submitting"))
    when: Condition | None = Field(default=None, description=N_("asked only where this holds"))
    options: tuple[Option, ...] = Field(default=(), description=N_("choice, multi, ordinal"))
    columns: tuple[Column, ...] = Field(default=(), description=N_("records"))
    seed: str | None = Field(
        default=None, description=N_("records: key of the task record that holds the model's rows")
    )
    add_rows: bool = Field(default=True, description=N_("records: may rows be added and deleted"))
    relative_tolerance: float = Field(
        default=0,
        ge=0,
        le=1,
        description=N_(
            "points of a chart (records with labels and value): how far off a value may be where "
            "its row has no tolerance, as a share of the value"
        ),
    )
    min: float | None = Field(default=None, description=N_("number: smallest value"))
    max: float | None = Field(default=None, description=N_("number: largest value"))
    integer: bool = Field(default=False, description=N_("number: whole numbers only"))
    max_length: int = Field(default=2_000, ge=1, le=20_000, description=N_("text: characters"))
    advance: bool = Field(
        default=False,
        description=N_("page: a key that leaves nothing missing on the page goes to the next one"),
    )
    matches_boxes: bool = Field(
        default=False,
        description=N_(
            "page, several options: they are named like the labels of boxes; a page on "
            "which the two differ must be changed, or confirmed as it is"
        ),
    )

    @property
    def rules(self) -> FieldKind:
        """What the field's kind says of its declaration and its values."""
        return FIELD_KINDS[self.kind]

    @property
    def is_chart(self) -> bool:
        """Whether its rows are points of a chart: they have labels and a value."""
        return self.kind == "records" and {column.name for column in self.columns} >= CHART_COLUMNS

    @model_validator(mode="after")
    def _consistent(self) -> FieldSpec:
        problems = list(self._problems())
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _problems(self) -> Iterator[str]:
        for part, entries, is_taken in (
            ("options", self.options, self.rules.takes_options),
            ("columns", self.columns, self.rules.takes_columns),
        ):
            if is_taken and not entries:
                yield f"the {self.kind} field {self.name!r} needs {part}"
            if entries and not is_taken:
                yield f"the {self.kind} field {self.name!r} takes no {part}"
        for part, names in (
            ("option", [option.value for option in self.options]),
            ("column", [column.name for column in self.columns]),
            ("key", [option.key for option in self.options if option.key]),
        ):
            repeated = {name for name in names if names.count(name) > 1}
            if repeated:
                yield f"field {self.name!r} has the {part} {min(repeated)!r} twice"
        yield from self.rules.declaration_problems(self)
        if self.matches_boxes and (self.kind, self.scope) != ("multi", "page"):
            yield f"field {self.name!r}: matches_boxes is for several options of a page"
        if self.relative_tolerance and not self.is_chart:
            yield f"field {self.name!r}: relative_tolerance is for records with labels and value"
        if self.min is not None and self.max is not None and self.min > self.max:
            yield f"field {self.name!r} has a min above its max"

    def option(self, value: object) -> Option | None:
        """The option of that value."""
        return next((option for option in self.options if option.value == value), None)


class RatingScale(NamedTuple):
    """How agreement rates the values of a field.

    Attributes:
        categories: label of each; empty for numbers.
        level: of Krippendorff's alpha.
        weights: of the other coefficients.
    """

    categories: Mapping[str, str] | Mapping[float, str]
    level: Literal["nominal", "ordinal", "interval"] = "nominal"
    weights: Literal["identity", "ordinal"] = "identity"


class FieldKind(ABC):
    """One kind of field: what its declaration needs, which values it takes, how they compare.

    Attributes:
        takes_options, takes_columns: what its declaration lists.
        examples: values for tests, if it takes neither options nor columns.
    """

    takes_options: ClassVar[bool] = False
    takes_columns: ClassVar[bool] = False
    examples: ClassVar[tuple[Value, ...]] = ()

    def declaration_problems(self, spec: FieldSpec) -> Iterator[str]:
        """What is wrong with a declaration, besides what all kinds share."""
        yield from ()

    @abstractmethod
    def value_problem(self, spec: FieldSpec, value: Value) -> str | None:
        """Why the field does not take a value that is not None; None where it does."""

    def rating_scale(self, spec: FieldSpec) -> RatingScale | None:
        """How a value is rated as a whole; None where it is not."""
        return None

    def category(self, spec: FieldSpec, value: Value) -> str | float | None:
        """The category of a value on that scale."""
        return value if isinstance(value, str) else None

    def distance(self, spec: FieldSpec, value: Value, other: Value) -> float:
        """How far two values are apart, in [0, 1]; neither is None."""
        return float(value != other)


class Choice(FieldKind):
    """One of the options."""

    takes_options = True

    def value_problem(self, spec: FieldSpec, value: Value) -> str | None:
        if isinstance(value, str) and spec.option(value) is not None:
            return None
        return _not_an_option(spec, value)

    def rating_scale(self, spec: FieldSpec) -> RatingScale | None:
        return RatingScale({option.value: option.label for option in spec.options})


class Ordinal(Choice):
    """One option of a scale, each with a code."""

    def declaration_problems(self, spec: FieldSpec) -> Iterator[str]:
        if any(option.code is None for option in spec.options):
            yield f"each option of the ordinal field {spec.name!r} needs a code"

    def rating_scale(self, spec: FieldSpec) -> RatingScale | None:
        """Codes in ascending order; options of the same code are one category."""
        labels: dict[float, str] = {}
        for option in _ranked(spec):
            code = option.code or 0.0
            labels[code] = f"{labels[code]} / {option.label}" if code in labels else option.label
        return RatingScale(labels, "ordinal", "ordinal")

    def category(self, spec: FieldSpec, value: Value) -> str | float | None:
        option = spec.option(value)
        code = None if option is None else option.code
        return super().category(spec, value) if code is None else code

    def distance(self, spec: FieldSpec, value: Value, other: Value) -> float:
        steps = len(spec.options) - 1
        return steps_between(spec, value, other) / steps if steps else float(value != other)


class Multiple(FieldKind):
    """Several of the options; each is rated by itself."""

    takes_options = True

    def value_problem(self, spec: FieldSpec, value: Value) -> str | None:
        if not isinstance(value, tuple):
            return gettext("{value} is not a list of options.", value=_short_repr(value))
        for choice in value:
            if spec.option(choice) is None:
                return _not_an_option(spec, choice)
        if len(set(value)) < len(value):
            return gettext("an option is chosen twice.")
        exclusive = [name for name in value if (option := spec.option(name)) and option.exclusive]
        if exclusive and len(value) > 1:
            return gettext("{option} cannot be combined with another option.", option=exclusive[0])
        return None

    def distance(self, spec: FieldSpec, value: Value, other: Value) -> float:
        """1 − Jaccard."""
        if not isinstance(value, tuple) or not isinstance(other, tuple):
            return float(value != other)
        union = {*value, *other}
        return 1 - len({*value} & {*other}) / len(union) if union else 0.0


class Boolean(FieldKind):
    """Yes or no."""

    examples = (True, False)

    def value_problem(self, spec: FieldSpec, value: Value) -> str | None:
        return (
            None
            if isinstance(value, bool)
            else gettext("{value} is neither yes nor no.", value=_short_repr(value))
        )

    def rating_scale(self, spec: FieldSpec) -> RatingScale | None:
        return RatingScale({"yes": "Yes", "no": "No"})

    def category(self, spec: FieldSpec, value: Value) -> str | float | None:
        return "yes" if value else "no"


class Text(FieldKind):
    """A text, which is not rated."""

    examples = ("", "Appendix B")

    def value_problem(self, spec: FieldSpec, value: Value) -> str | None:
        if not isinstance(value, str):
            return gettext("{value} is not a text.", value=_short_repr(value))
        if len(value) > spec.max_length:
            return gettext(
                "{number:,} characters; {most:,} are allowed.",
                number=len(value),
                most=spec.max_length,
            )
        return None

    def distance(self, spec: FieldSpec, value: Value, other: Value) -> float:
        """0 for texts that are equal once normalised."""
        if isinstance(value, str) and isinstance(other, str):
            return float(value != other and not is_same_text(value, other))
        return float(value != other)


class Number(FieldKind):
    """A number."""

    examples = (0, 1.5, -3)

    def value_problem(self, spec: FieldSpec, value: Value) -> str | None:
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or abs(value) > MAX_NUMBER
            or math.isnan(value)
        ):
            return sentence("not_a_number", value=_short_repr(value))
        if spec.integer and value != int(value):
            return sentence("not_whole", value=f"{value:g}")
        if spec.min is not None and value < spec.min:
            return sentence("below", value=f"{value:g}", limit=f"{spec.min:g}")
        if spec.max is not None and value > spec.max:
            return sentence("above", value=f"{value:g}", limit=f"{spec.max:g}")
        return None

    def rating_scale(self, spec: FieldSpec) -> RatingScale | None:
        return RatingScale({}, "interval")

    def category(self, spec: FieldSpec, value: Value) -> str | float | None:
        return float(value) if isinstance(value, int | float) else None

    def distance(self, spec: FieldSpec, value: Value, other: Value) -> float:
        if isinstance(value, int | float) and isinstance(other, int | float):
            return float(not math.isclose(value, other, rel_tol=1e-9))
        return float(value != other)


class Records(FieldKind):
    """A table of records; its columns with a closed list are rated one by one."""

    takes_columns = True

    def declaration_problems(self, spec: FieldSpec) -> Iterator[str]:
        for column in spec.columns:
            if (column.kind == "choice") != bool(column.options):
                yield (
                    f"column {column.name!r} of field {spec.name!r}: a choice has options, "
                    "other kinds have none"
                )
            if column.when_changed is not None and column.when_changed not in column.options:
                yield (
                    f"column {column.name!r} of field {spec.name!r}: when_changed is none of its "
                    "options"
                )

    def value_problem(self, spec: FieldSpec, value: Value) -> str | None:
        return gettext("the rows of a table are set one by one.")


FIELD_KINDS: dict[Kind, FieldKind] = {
    "choice": Choice(),
    "multi": Multiple(),
    "ordinal": Ordinal(),
    "boolean": Boolean(),
    "text": Text(),
    "number": Number(),
    "records": Records(),
}


def steps_between(spec: FieldSpec, value: Value, other: Value) -> int:
    """Steps of the scale between two of its values; all steps where one is not on the scale."""
    ranked = _ranked(spec)
    ranks = {option.value: rank for rank, option in enumerate(ranked)}
    if value not in ranks or other not in ranks:
        return 0 if value == other else max(1, len(ranked) - 1)
    return abs(ranks[value] - ranks[other])


def _ranked(spec: FieldSpec) -> list[Option]:
    return sorted(spec.options, key=lambda option: option.code or 0.0)


def _not_an_option(spec: FieldSpec, value: object) -> str:
    return gettext(
        "{value} is not one of {options}.",
        value=_short_repr(value),
        options=", ".join(option.value for option in spec.options),
    )


def check_value(field: FieldSpec, value: Value) -> None:
    """Refuse a value that the field does not take; whether options are offered is not looked at.

    Raises:
        Refusal: on the field; names the offending value and what is allowed.
    """
    problem = value_problem(field, value)
    if problem is not None:
        raise Refusal(f"{field.label}: {problem}", code="bad_value", field=field.name)


def value_problem(field: FieldSpec, value: Value) -> str | None:
    """Why the field does not take a value, or None; it takes None, the empty field."""
    return None if value is None else field.rules.value_problem(field, value)


def check_cells(field: FieldSpec, values: dict[str, str], *, new: bool) -> None:
    """Refuse cells that a table of records does not take; arguments as of ``cells_problem``.

    Raises:
        Refusal: on the field.
    """
    problem = cells_problem(field, values, new=new)
    if problem is not None:
        raise Refusal(f"{field.label}: {problem}", code="bad_value", field=field.name)


def cells_problem(field: FieldSpec, values: dict[str, str], *, new: bool) -> str | None:
    """Why a table of records does not take these cells, or None.

    Args:
        new: whether the row is the annotator's own; the cells of a model's row may be locked.
    """
    columns = {column.name: column for column in field.columns}
    for name, cell in values.items():
        column = columns.get(name)
        if column is None:
            column_names = ", ".join(columns)
            return gettext(
                "there is no column {name}; columns: {columns}.",
                name=_short_repr(name),
                columns=column_names,
            )
        if not column.editable and not new:
            return gettext("{column} cannot be changed.", column=column.label)
        if column.kind == "choice" and cell and cell not in column.options:
            return gettext(
                "{value} is not one of {options}.",
                value=_short_repr(cell),
                options=", ".join(column.options),
            )
        if column.kind == "number" and cell.strip() and parse_number(cell) is None:
            return f"{column.label}: {sentence('not_a_number', value=_short_repr(cell))}"
    return None


def token(value: Value) -> str | None:
    """A single value as text, as conditions and options name it; "true" or "false" for a boolean.

    As a rated category (``Boolean.category``) a boolean is "yes" or "no", as exports have it.
    """
    if value is None or isinstance(value, tuple):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else f"{value:g}"


def _short_repr(value: object) -> str:
    return shortened(repr(value), 60)

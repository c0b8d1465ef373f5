"""A model's element on a page: the pre-annotation that a person verifies.

Boxes are in PDF points on the page as displayed, see ``annotation.geometry.box``.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pagetrail.annotation.geometry.box import Rect

MAX_CONTENT = 20_000
MAX_ATTRIBUTES = 50

ElementId = Annotated[str, Field(min_length=1, max_length=100)]
Content = Annotated[str, Field(max_length=MAX_CONTENT)]
Order = Annotated[int, Field(ge=0, le=1_000_000)]


def _plain_number(number: int | float) -> int | float:
    return int(number) if number == int(number) else number


OrderNumber = Annotated[
    int | float,
    Field(ge=-2_000_000, le=2_000_000, allow_inf_nan=False),
    AfterValidator(_plain_number),
]
"""A number between those of two others puts a box between them, without changing theirs."""

Attributes = Annotated[
    dict[
        Annotated[str, Field(min_length=1, max_length=100)],
        Annotated[str, Field(max_length=1_000)],
    ],
    Field(max_length=MAX_ATTRIBUTES),
]


class Element(BaseModel):
    """One element as a model gave it.

    Attributes:
        id: unique in its task.
        document: the document's name.
        page: 1-based page number.
        rect: where it is, points.
        label: its class, one of the protocol's box labels.
        content: the text, or HTML source of a table, as plain text.
        order: place in the reading order.
        attributes: further properties by name.
        score: the model's own confidence, as it gave it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: ElementId
    document: str = Field(min_length=1, max_length=1_000)
    page: int = Field(ge=1, le=10_000_000)
    rect: Rect
    label: str | None = Field(default=None, max_length=100)
    content: Content | None = None
    order: Order | None = None
    attributes: Attributes = Field(default_factory=dict)
    score: Annotated[float, Field(allow_inf_nan=False)] | None = None


class Row(BaseModel):
    """One row of an editable table as a model gave it.

    Attributes:
        id: unique in its field and target.
        values: cell by column name; a cell is text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: ElementId
    values: dict[
        Annotated[str, Field(min_length=1, max_length=100)],
        Annotated[str, Field(max_length=MAX_CONTENT)],
    ]


def elements_of(record: dict[str, Any]) -> tuple[Element, ...]:
    """The elements of a task record, as the importer stored them."""
    return tuple(Element.model_validate(element) for element in record.get("elements") or ())

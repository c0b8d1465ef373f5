"""What the readers of pre-annotations have in common: elements as files give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import model_validator

from pagetrail.annotation.readable_errors import reason_of, shown
from pagetrail.storage.importers.files.field_types import WithoutNulls, first_of
from pagetrail.storage.importers.files.kept_fields import FieldCounts, Kept

_ROTATION = ("rotation", "angle", "theta")


@dataclass(frozen=True)
class RawBox:
    """A box as a file gives it; nothing in it is checked.

    Attributes:
        values: four numbers: two corners, or a corner with width and height.
        sized: whether the last two are width and height.
        unit: ``points``; ``fraction`` or ``percent`` of the page; ``pixels`` at ``dpi``; ``image``:
            pixels of an image of the page.
        dpi: resolution, for ``pixels``.
        image: width and height of the page's image, for ``image``.
    """

    values: Any
    sized: bool
    unit: Any = "points"
    dpi: Any = None
    image: tuple[Any, Any] | None = None


def require_upright(fields: Mapping[str, Any]) -> None:
    """Refuse a rotated box: read as upright, it would be somewhere else on its page.

    Raises:
        ValueError: a field that says by how much a box is rotated is not a multiple of 360°.
    """
    for name in _ROTATION:
        degrees = fields.get(name)
        if degrees in (None, "", False):
            continue
        if isinstance(degrees, bool) or not isinstance(degrees, int | float) or degrees % 360:
            raise ValueError(
                f"{name}: is {shown(degrees)}, and rotated boxes are not read; give the upright "
                "box around it"
            )


class GivenFields(WithoutNulls):
    """The fields that several formats have; nothing in them is checked, except that it is upright.

    Raises:
        ValueError: it is a rotated box.
    """

    id: Any = None
    content: Any = first_of("content", "text")
    order: Any = first_of("order", "ro_index")
    attributes: Any = None
    score: Any = None

    @model_validator(mode="before")
    @classmethod
    def _upright(cls, data: Any) -> Any:
        if isinstance(data, dict):
            require_upright(data)
        return data


GIVEN: Kept = dict.fromkeys(("id", "content", "text", "order", "ro_index", "attributes", "score"))
"""The names that ``GivenFields`` reads."""


@dataclass(frozen=True)
class RawElement:
    """An element as a file gives it, in the names of ``annotation.geometry.element.Element``.

    Attributes:
        line: 1-based line on which it starts.
        place: where in the file, e.g. ``test_rules[12]``; empty where the line says it all.
        document, page: as the file states them; None where it does not.
        image: name from which document and page are derived where they are not stated: of the
            page's image, or of the file of pre-annotations itself.
        otherwise: document and page to take where ``image`` leads to no document.
        rect: two corners.
        bbox: a corner with width and height; counts before ``rect``.
        dpi: resolution, for ``pixels``.
        image_size: width and height of the page's image, for ``image``.
        problem: why it cannot be read; nothing else of it is looked at then.
    """

    line: int
    place: str = ""
    id: Any = None
    document: Any = None
    page: Any = None
    image: str | None = None
    otherwise: tuple[Any, Any] | None = None
    rect: Any = None
    bbox: Any = None
    unit: Any = "points"
    dpi: Any = None
    image_size: tuple[Any, Any] | None = None
    label: Any = None
    content: Any = None
    order: Any = None
    attributes: Any = None
    score: Any = None
    problem: str | None = None

    @property
    def box(self) -> RawBox | None:
        """Its box."""
        values, sized = (self.rect, False) if self.bbox is None else (self.bbox, True)
        if values is None:
            return None
        return RawBox(values, sized, self.unit, self.dpi, self.image_size)


@dataclass(frozen=True)
class RawTableRow:
    """A row of a table that people verify, as a file gives it.

    Attributes:
        columns: those that a campaign's table must have for it.
        at: where it is from, its id and its page; its box and class are not looked at.
        cells: by column.
        counted: what it is among the things left out where the campaign has no such table.
    """

    columns: frozenset[str]
    at: RawElement
    cells: Mapping[str, Any] = field(default_factory=dict)
    counted: str | None = None


@dataclass(frozen=True)
class BadElement:
    """An element, or a whole file, that is not imported.

    Attributes:
        file: path as given.
        line: 1-based; None for a whole file.
        place: see ``RawElement``.
        id: the element's id, where it could be read.
    """

    file: str
    line: int | None
    place: str
    id: str | None
    reason: str


@dataclass
class PreannotationFile:
    """What one file holds.

    Attributes:
        path: as given.
        format: which of the formats it is, as a person calls it.
        elements: in the order of the file.
        rows: rows of tables, in the order of the file.
        left_out: what else the file holds, by kind, counted; no errors.
        notes: sentences about how the file was read.
        not_kept: fields that no element keeps, by name and count.
    """

    path: str
    format: str
    elements: list[RawElement] = field(default_factory=list)
    rows: list[RawTableRow] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    not_kept: FieldCounts = field(default_factory=FieldCounts)

    def add(
        self, read: Callable[[dict[str, Any]], Mapping[str, Any]], item: Any, line: int, place: str
    ) -> None:
        """Add the element in an object, or why it cannot be read.

        Args:
            read: the fields of ``RawElement``; raises ValueError.
        """
        self.elements.append(read_element(read, item, line, place))


def read_element(
    read: Callable[[dict[str, Any]], Mapping[str, Any]], item: Any, line: int, place: str
) -> RawElement:
    """The element in an object, or why it cannot be read."""
    if not isinstance(item, dict):
        return RawElement(line, place, problem="is not a JSON object")
    try:
        return RawElement(line, place, **read(item))
    except ValueError as error:
        return RawElement(line, place, item.get("id"), problem=reason_of(error))

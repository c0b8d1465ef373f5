"""Pre-annotations as files give them, unchecked, and what a format of such files declares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import model_validator

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.readable_errors import reason_of, short_value
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.field_types import LenientModel, first_alias
from pagetrail.storage.importers.files.kept_fields import FieldCounts, KeptFields
from pagetrail.storage.importers.files.rows import RawRow

_MAX_NAMES = 20
_ROTATION_FIELDS = ("rotation", "angle", "theta")


@dataclass(frozen=True)
class RawBox:
    """An unchecked box.

    Attributes:
        values: four numbers: two corners, or a corner with width and height.
        sized: whether the last two values are width and height.
        unit: ``points``, ``fraction`` or ``percent`` of the page, ``pixels`` at ``dpi``, or
            ``image`` for pixels of an image of the page.
        dpi: resolution for ``pixels``.
        image: width and height of the page's image for ``image``.
    """

    values: Any
    sized: bool
    unit: Any = "points"
    dpi: Any = None
    image: tuple[Any, Any] | None = None


def is_full_turn(degrees: Any) -> bool:
    """Whether a rotation changes nothing: there is none, or a multiple of 360°."""
    if degrees in (None, "", False):
        return True
    is_number = isinstance(degrees, int | float) and not isinstance(degrees, bool)
    return is_number and not degrees % 360


def require_upright(fields: Mapping[str, Any]) -> None:
    """Refuse a rotated box: read as upright, it would cover another part of the page.

    Raises:
        ValueError: a rotation field is not a multiple of 360°.
    """
    for name in _ROTATION_FIELDS:
        degrees = fields.get(name)
        if not is_full_turn(degrees):
            raise ValueError(
                f"{name}: is {short_value(degrees)}, but rotated boxes are not supported; give the "
                "upright box around it"
            )


class CommonFields(LenientModel):
    """Fields that several formats share, unchecked; rotated boxes are refused."""

    id: Any = None
    content: Any = first_alias("content", "text")
    order: Any = first_alias("order", "ro_index")
    attributes: Any = None
    score: Any = None

    @model_validator(mode="before")
    @classmethod
    def _refuse_rotation(cls, data: Any) -> Any:
        if isinstance(data, dict):
            require_upright(data)
        return data


COMMON_FIELDS: KeptFields = dict.fromkeys(
    ("id", "content", "text", "order", "ro_index", "attributes", "score")
)
"""The names that ``CommonFields`` reads."""


@dataclass(frozen=True)
class RawElement:
    """An unchecked element; field names are those of ``annotation.geometry.element.Element``.

    Attributes:
        line: 1-based line on which it starts.
        location: path in the file, e.g. ``test_rules[12]``; empty if the line is enough.
        document, page: None if the file does not state them.
        image: name of the page's image, or of the file itself, from which a missing document and
            page are derived.
        fallback: document and page to use if ``image`` matches no document.
        rect: two corners.
        bbox: a corner with width and height; takes precedence over ``rect``.
        dpi: resolution for ``pixels``.
        task: the task for which a system drew it; read by ``import-boxes`` only.
        image_size: width and height of the page's image for ``image``.
        problem: why it cannot be read; all other fields are ignored then.
    """

    line: int
    location: str = ""
    id: Any = None
    document: Any = None
    page: Any = None
    image: str | None = None
    fallback: tuple[Any, Any] | None = None
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
    task: Any = None
    problem: str | None = None

    @property
    def box(self) -> RawBox | None:
        """The box, in either form; None if missing."""
        values, sized = (self.rect, False) if self.bbox is None else (self.bbox, True)
        if values is None:
            return None
        return RawBox(values, sized, self.unit, self.dpi, self.image_size)


@dataclass(frozen=True)
class RawTableRow:
    """An unchecked row of a table that people verify.

    Attributes:
        columns: columns that the campaign's table must have.
        origin: position in the file, id and page; box and label are ignored.
        cells: by column.
        left_out_as: kind under which it is counted if the campaign has no such table.
    """

    columns: frozenset[str]
    origin: RawElement
    cells: Mapping[str, Any] = field(default_factory=dict)
    left_out_as: str | None = None


@dataclass(frozen=True)
class BadElement:
    """An element, or a whole file, that is not imported.

    Attributes:
        file: path as given.
        line: 1-based; None for a whole file.
        place: ``RawElement.location``, under its name in JSON reports.
        id: the element's id if it could be read.
    """

    file: str
    line: int | None
    place: str
    id: str | None
    reason: str


@dataclass
class PreannotationFile:
    """The content of one file.

    Attributes:
        path: as given.
        format: name of its format, as shown to people.
        elements: in file order.
        empty_images: images of pages that the file lists without any element.
        rows: table rows, in file order.
        left_out: counts of content that is not read, by kind; not errors.
        notes: sentences about how the file was read.
        not_kept: counts of fields that no element keeps.
    """

    path: str
    format: str
    elements: list[RawElement] = field(default_factory=list)
    empty_images: list[RawElement] = field(default_factory=list)
    rows: list[RawTableRow] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    not_kept: FieldCounts = field(default_factory=FieldCounts)

    def add(self, read_fields: ReadFields, item: Any, line: int, location: str = "") -> None:
        """Add the element in an object, or the reason why it cannot be read."""
        self.elements.append(read_element(read_fields, item, line, location))

    def add_problem(self, problem: str, line: int, location: str = "") -> None:
        """Add an element that cannot be read."""
        self.elements.append(RawElement(line, location, problem=problem))

    def select_annotator(self, annotators: Iterable[str], requested: str | None) -> str | None:
        """The annotator whose boxes are read; None if the file names nobody.

        Args:
            annotators: named in the file.
            requested: None selects the only annotator.

        Raises:
            InputFileError: the requested annotator has no boxes in the file, or nobody is requested
                and there are several.
        """
        available = sorted(set(annotators))
        if not available and requested is None:
            return None
        names = ", ".join(printable(name) for name in available[:_MAX_NAMES])
        if requested is not None and requested not in available:
            annotator = printable(requested)
            raise InputFileError(
                gettext(
                    "{path} has nothing of {annotator}; it has boxes of {names}.",
                    path=self.path,
                    annotator=annotator,
                    names=names,
                )
                if available
                else gettext(
                    "{path} has nothing of {annotator}; it does not distinguish annotators.",
                    path=self.path,
                    annotator=annotator,
                )
            )
        if requested is None and len(available) > 1:
            raise InputFileError(
                gettext(
                    "{path} has the boxes of several people: {names}. Choose the annotator "
                    "to read, or export the boxes decided in review instead.",
                    path=self.path,
                    names=names,
                )
            )
        selected = requested or available[0]
        self.notes.append(
            gettext(
                "Of {path} the boxes of {annotator} were read.",
                path=self.path,
                annotator=printable(selected),
            )
        )
        return selected


ReadFields = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Reads the fields of ``RawElement`` from an object; raises ValueError."""


def read_element(read_fields: ReadFields, item: Any, line: int, location: str = "") -> RawElement:
    """The element in an object, or the reason why it cannot be read."""
    if not isinstance(item, dict):
        return RawElement(line, location, problem="is not a JSON object")
    try:
        return RawElement(line, location, **read_fields(item))
    except ValueError as error:
        return RawElement(line, location, item.get("id"), problem=reason_of(error))


class PreannotationFormat(NamedTuple):
    """A format of pre-annotation files.

    Attributes:
        name: as shown to people.
        matches: whether a JSON value has this format.
        read: adds the content of the value to a file. Args: file, the JSON text, the value, and the
            annotator to read. Raises InputFileError or ValueError if it cannot be used as a whole.
        rows_name: name of the JSON Lines form, if different.
        matches_row: whether an object is a row of the JSON Lines form; None without such a form.
        read_row: adds a row to a file.
    """

    name: str
    matches: Callable[[Any], bool]
    read: Callable[[PreannotationFile, str, Any, str | None], None]
    rows_name: str | None = None
    matches_row: Callable[[Any], bool] | None = None
    read_row: Callable[[PreannotationFile, RawRow], None] = lambda file, row: None

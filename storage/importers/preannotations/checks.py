"""Checks pre-annotated elements against the documents and labels of a workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, ValidationInfo

from pagetrail.annotation.geometry.element import Attributes, Content, Element, ElementId, Order
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.annotation.readable_errors import reason_of, short_value, storable
from pagetrail.annotation.sentences import join_first
from pagetrail.annotation.tasks.task import clean_control
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.field_types import without_fraction
from pagetrail.storage.importers.preannotations.boxes import finite_number, to_points
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.raw_elements import (
    BadElement,
    CommonFields,
    PreannotationFile,
    RawElement,
)

_MAX_STRETCH = 1.02
"""Ratio of two shapes that are the same but for rounding to whole pixels."""
_MAX_NAMED = 5

Grouping = Literal["page", "document", "import"]


def _element_id(value: Any) -> Any:
    """The id as text; an empty one is replaced by a generated id later."""
    if value in (None, ""):
        return "e"
    value = without_fraction(value)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= 300:
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"must be text or a whole number, not {short_value(value)}")
    if not value.strip():
        raise ValueError("is blank")
    return _one_line(value)


def _one_line(text: str) -> str:
    if clean_control(storable(text))[1] or len(text.splitlines()) > 1:
        raise ValueError("holds a control character or a line break")
    return text


def _cleaned(value: Any) -> Any:
    return clean_control(storable(value))[0] if isinstance(value, str) else value


def _attributes(attributes: Any, info: ValidationInfo) -> Any:
    """Attributes as text: booleans as ``true`` and ``false``, numbers as written.

    Missing attributes are added from the validation context.
    """
    if attributes is None:
        attributes = {}
    if not isinstance(attributes, dict):
        return attributes
    texts = {
        _cleaned(name): _attribute_text(value)
        for name, value in attributes.items()
        if value is not None
    }
    for name, value in (info.context or {}).items():
        texts.setdefault(name, value)
    return texts


def _attribute_text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _cleaned(value) if finite_number(value) is None else str(value)


class _ImportedElement(Element):
    """An element with conversions for the values that tools write."""

    id: Annotated[ElementId, BeforeValidator(_element_id)]
    content: Annotated[Content, BeforeValidator(_cleaned)] | None
    order: Annotated[Order, Field(strict=True), BeforeValidator(without_fraction)] | None
    attributes: Annotated[Attributes, BeforeValidator(_attributes)]
    score: Annotated[float, Field(strict=True, allow_inf_nan=False)] | None


class ElementSource(NamedTuple):
    """Position of an element in its file; ``location`` as in ``RawElement``."""

    file: str
    line: int
    location: str


class ElementChecker:
    """Checks elements one at a time.

    Args:
        finder: finds documents and page sizes.
        labels: the allowed labels.
        grouping: whether ids are unique per page, per document, or per import.

    Attributes:
        remarks: counts of changes to accepted elements, by description.
    """

    def __init__(self, finder: PageFinder, labels: Labels, grouping: Grouping = "page") -> None:
        self.remarks: Counter[str] = Counter()
        self._other_shapes: set[tuple[str, int]] = set()
        self._finder = finder
        self._labels = labels
        self._grouping = grouping
        self._used: dict[tuple[str, int, str], ElementSource] = {}
        self._numbers: Counter[tuple[str, int]] = Counter()

    def check_all(
        self, files: Sequence[PreannotationFile]
    ) -> tuple[list[Element], list[BadElement]]:
        """Accepted and refused elements, each in the order of the files."""
        good_elements: dict[tuple[int, int], Element] = {}
        bad_elements: dict[tuple[int, int], BadElement] = {}
        # Elements with ids go first, so that generated ids cannot take theirs.
        for has_id in (True, False):
            for file_index, file in enumerate(files):
                for index, raw in enumerate(file.elements):
                    if (raw.id is not None) is not has_id:
                        continue
                    try:
                        source = ElementSource(file.path, raw.line, raw.location)
                        good_elements[file_index, index] = self.check(raw, source)
                    except ValueError as error:
                        bad_elements[file_index, index] = bad_element(
                            file.path, raw, reason_of(error)
                        )
        return [good_elements[key] for key in sorted(good_elements)], [
            bad_elements[key] for key in sorted(bad_elements)
        ]

    def check(self, raw: RawElement, source: ElementSource) -> Element:
        """The element in points on its page; an element without id gets one.

        Raises:
            ValueError: the element cannot be imported; see ``reason_of``.
        """
        if raw.problem is not None:
            raise ValueError(raw.problem)
        info, page = self._find(raw)
        if raw.box is None:
            raise ValueError("bbox: is missing")
        rect, clipped = to_points(raw.box, info.pages[page - 1])
        label, coarser = self._label(raw.label)
        element: Element = _ImportedElement.model_validate(
            {
                **{name: getattr(raw, name) for name in CommonFields.model_fields},
                "document": info.name,
                "page": page,
                "rect": rect,
                "label": label,
            },
            context={} if coarser is None else {"class": coarser},
        )
        element = self._with_unique_id(element, raw.id not in (None, ""), source)
        if clipped:
            self.remarks["clipped to their page"] += 1
        if element.content != raw.content:
            self.remarks["without control characters that their content had"] += 1
        if coarser is not None:
            self.remarks[f"of class {printable(coarser[:60])}, read as {label}"] += 1
        return element

    def empty_pages(
        self, files: Sequence[PreannotationFile]
    ) -> tuple[set[tuple[str, int]], list[BadElement]]:
        """Document and page of the images without elements, and the images of no page."""
        pages: set[tuple[str, int]] = set()
        bad: list[BadElement] = []
        for file in files:
            for raw in file.empty_images:
                try:
                    if raw.problem is not None:
                        raise ValueError(raw.problem)
                    info, page = self._find(raw)
                    pages.add((info.name, page))
                except ValueError as error:
                    bad.append(bad_element(file.path, raw, reason_of(error)))
        return pages, bad

    def notes(self, noun: str) -> list[str]:
        """Counts of changes to accepted elements, which are named by ``noun``, and a warning."""
        notes = [f"{noun} {words}: {count:,}." for words, count in self.remarks.most_common()]
        if self._other_shapes:
            pages = [f"{printable(name)} page {page}" for name, page in sorted(self._other_shapes)]
            notes.append(
                f"Images of another shape than their page: {join_first(pages, _MAX_NAMED)}. Check "
                "the boxes there: an image has to show the whole page, upright."
            )
        return notes

    def _find(self, raw: RawElement) -> tuple[DocumentInfo, int]:
        """The document and page, noting an image of another shape."""
        info, page = self._finder.find(raw)
        width, height = map(finite_number, raw.image_size or (None, None))
        size = info.pages[page - 1]
        if width and height and width > 0 and height > 0:
            stretch = (width / height) / (size.width / size.height)
            if not 1 / _MAX_STRETCH <= stretch <= _MAX_STRETCH:
                self._other_shapes.add((info.name, page))
        return info, page

    def _label(self, given: Any) -> tuple[str | None, str | None]:
        """The label, and the class in the file if the label is a coarser one."""
        if given is None or (isinstance(given, str) and not given.strip()):
            return None, None
        if not isinstance(given, str):
            raise ValueError(f"label: must be text, not {short_value(given)}")
        try:
            given = _one_line(given.strip())
        except ValueError as error:
            raise ValueError(f"label: {error}") from error
        label, coarser = self._labels.read_label(given)
        if label is None:
            raise ValueError(self._labels.unknown_label_reason(given))
        return label, given if coarser else None

    def _with_unique_id(self, element: Element, has_id: bool, source: ElementSource) -> Element:
        """The element, with a generated id if it has none, after checking that the id is unique."""
        document = "" if self._grouping == "import" else element.document
        task = (document, element.page if self._grouping == "page" else 0)
        if not has_id:
            while True:
                self._numbers[task] += 1
                name = f"e{self._numbers[task]}"
                if (*task, name) not in self._used:
                    break
            element = element.model_copy(update={"id": name})
        first_use = self._used.setdefault((*task, element.id), source)
        if first_use != source:
            file = "" if first_use.file == source.file else f"{first_use.file} "
            position = f"line {first_use.line:,}" + (
                f" ({first_use.location})" if first_use.location else ""
            )
            raise ValueError(f"id: {element.id!r} is used in {file}{position} already")
        return element


def bad_element(file: str, raw: RawElement, reason: str) -> BadElement:
    """Report entry for an element that is not imported."""
    shown_id = None
    if isinstance(raw.id, str | int | float) and not isinstance(raw.id, bool):
        shown_id = printable(raw.id[:100]) if isinstance(raw.id, str) else short_value(raw.id)
    return BadElement(file, raw.line, raw.location, shown_id, reason)

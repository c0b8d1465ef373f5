"""Pre-annotations against the workspace: elements that can be verified, and why others cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, ValidationInfo

from pagetrail.annotation.geometry.element import Attributes, Content, Element, ElementId, Order
from pagetrail.annotation.readable_errors import reason_of, shown, storable
from pagetrail.annotation.tasks.task import clean_control
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.preannotations.boxes import number, to_points
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.raw_elements import (
    BadElement,
    GivenFields,
    PreannotationFile,
    RawElement,
)

Per = Literal["page", "document", "import"]


def _whole_number(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _id(value: Any) -> Any:
    """An id as text; one that is empty is made up later."""
    if value in (None, ""):
        return "e"
    value = _whole_number(value)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= 300:
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"must be text or a whole number, not {shown(value)}")
    if not value.strip():
        raise ValueError("is blank")
    return _one_line(value)


def _one_line(text: str) -> str:
    if clean_control(storable(text))[1] or len(text.splitlines()) > 1:
        raise ValueError("holds a control character or a line break")
    return text


def _cleaned(value: Any) -> Any:
    return clean_control(storable(value))[0] if isinstance(value, str) else value


def _attributes(given: Any, info: ValidationInfo) -> Any:
    """Attributes as text: yes and no as ``true`` and ``false``, numbers as they are written.

    The validation's context holds those that are added where they are missing.
    """
    if given is None:
        given = {}
    if not isinstance(given, dict):
        return given
    found = {_cleaned(name): _attribute(item) for name, item in given.items() if item is not None}
    for name, item in (info.context or {}).items():
        found.setdefault(name, item)
    return found


def _attribute(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _cleaned(value) if number(value) is None else str(value)


class _GivenElement(Element):
    """An element as tools write it."""

    id: Annotated[ElementId, BeforeValidator(_id)]
    content: Annotated[Content, BeforeValidator(_cleaned)] | None
    order: Annotated[Order, Field(strict=True), BeforeValidator(_whole_number)] | None
    attributes: Annotated[Attributes, BeforeValidator(_attributes)]
    score: Annotated[float, Field(strict=True, allow_inf_nan=False)] | None


class Source(NamedTuple):
    """Where an element comes from."""

    file: str
    line: int
    place: str


class ElementChecker:
    """Checks elements one after another.

    Args:
        finder: knows the documents and the sizes of their pages.
        labels: the classes that are allowed.
        per: ids are unique in a page, a document, or among all elements that are checked.

    Attributes:
        remarks: what was changed in elements that are good, counted.
    """

    def __init__(self, finder: PageFinder, labels: Labels, per: Per = "page") -> None:
        self.remarks: Counter[str] = Counter()
        self._finder = finder
        self._labels = labels
        self._per = per
        self._used: dict[tuple[str, int, str], Source] = {}
        self._numbers: Counter[tuple[str, int]] = Counter()

    def check_all(
        self, files: Sequence[PreannotationFile]
    ) -> tuple[list[Element], list[BadElement]]:
        """The good elements and the others, each in the order of the files."""
        good: dict[tuple[int, int], Element] = {}
        bad: dict[tuple[int, int], BadElement] = {}
        # Elements that bring an id go first: one that is made up must not take it from them.
        for named in (True, False):
            for place, file in enumerate(files):
                for index, raw in enumerate(file.elements):
                    if (raw.id is not None) is not named:
                        continue
                    try:
                        source = Source(file.path, raw.line, raw.place)
                        good[place, index] = self.check(raw, source)
                    except ValueError as error:
                        bad[place, index] = bad_element(file.path, raw, reason_of(error))
        return [good[key] for key in sorted(good)], [bad[key] for key in sorted(bad)]

    def check(self, raw: RawElement, source: Source) -> Element:
        """The element, in points on its page, with an id of its own if it came without one.

        Raises:
            ValueError: why it is not imported; see ``reason_of``.
        """
        if raw.problem is not None:
            raise ValueError(raw.problem)
        info, page = self._finder.find(raw)
        if raw.box is None:
            raise ValueError("bbox: is missing")
        rect, clipped = to_points(raw.box, info.pages[page - 1])
        label, coarser = self._label(raw.label)
        element: Element = _GivenElement.model_validate(
            {
                **{name: getattr(raw, name) for name in GivenFields.model_fields},
                "document": info.name,
                "page": page,
                "rect": rect,
                "label": label,
            },
            context={} if coarser is None else {"class": coarser},
        )
        element = self._named(element, raw.id not in (None, ""), source)
        if clipped:
            self.remarks["clipped to their page"] += 1
        if element.content != raw.content:
            self.remarks["without control characters that their content had"] += 1
        if coarser is not None:
            self.remarks[f"of class {printable(coarser[:60])}, read as {label}"] += 1
        return element

    def _label(self, given: Any) -> tuple[str | None, str | None]:
        """The label, and the class as given where the label is a coarser one."""
        if given is None or (isinstance(given, str) and not given.strip()):
            return None, None
        if not isinstance(given, str):
            raise ValueError(f"label: must be text, not {shown(given)}")
        try:
            given = _one_line(given.strip())
        except ValueError as error:
            raise ValueError(f"label: {error}") from error
        label, coarser = self._labels.read(given)
        if label is None:
            raise ValueError(self._labels.unknown(given))
        return label, given if coarser else None

    def _named(self, element: Element, given: bool, source: Source) -> Element:
        """The element under an id that no other element of its task has."""
        document = "" if self._per == "import" else element.document
        task = (document, element.page if self._per == "page" else 0)
        if not given:
            while True:
                self._numbers[task] += 1
                name = f"e{self._numbers[task]}"
                if (*task, name) not in self._used:
                    break
            element = element.model_copy(update={"id": name})
        before = self._used.setdefault((*task, element.id), source)
        if before != source:
            file = "" if before.file == source.file else f"{before.file} "
            place = f"line {before.line:,}" + (f" ({before.place})" if before.place else "")
            raise ValueError(f"id: {element.id!r} is used in {file}{place} already")
        return element


def bad_element(file: str, raw: RawElement, reason: str) -> BadElement:
    """The report on an element that is not imported."""
    shown_id = None
    if isinstance(raw.id, str | int | float) and not isinstance(raw.id, bool):
        shown_id = printable(raw.id[:100]) if isinstance(raw.id, str) else shown(raw.id)
    return BadElement(file, raw.line, raw.place, shown_id, reason)

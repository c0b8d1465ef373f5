"""Pre-annotations against the workspace: elements that can be verified, and why others cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from pagetrail.annotation.geometry.element import MAX_CONTENT, Element
from pagetrail.annotation.tasks.task import clean_control, describe
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.preannotations.boxes import BoxError, number, to_points
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.raw_elements import (
    BadElement,
    PreannotationFile,
    Problem,
    RawElement,
    shown,
    whole,
)

Per = Literal["page", "document", "import"]


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
                    except Problem as problem:
                        bad[place, index] = bad_element(file.path, raw, str(problem))
        return [good[key] for key in sorted(good)], [bad[key] for key in sorted(bad)]

    def check(self, raw: RawElement, source: Source) -> Element:
        """The element, in points on its page, with an id of its own if it came without one.

        Raises:
            Problem: the sentence why it is not imported.
        """
        if raw.problem is not None:
            raise Problem(raw.problem)
        info, page = self._finder.find(raw)
        if raw.box is None:
            raise Problem("bbox: is missing")
        try:
            rect, clipped = to_points(raw.box, info.pages[page - 1])
        except BoxError as error:
            raise Problem(str(error)) from error
        label, coarser = self._label(raw.label)
        attributes = _attributes(raw.attributes)
        if coarser is not None:
            attributes.setdefault("class", coarser)
        content, cleaned = _content(raw.content)
        given = _id(raw.id)
        try:
            element = Element(
                id=given or "e",
                document=info.name,
                page=page,
                rect=rect,
                label=label,
                content=content,
                order=_order(raw.order),
                attributes=attributes,
                score=_score(raw.score),
            )
        except ValidationError as error:
            raise Problem(describe(error)) from error
        element = self._named(element, given is not None, source)
        if clipped:
            self.remarks["clipped to their page"] += 1
        if cleaned:
            self.remarks["without control characters that their content had"] += 1
        if coarser is not None:
            self.remarks[f"of class {printable(coarser[:60])}, read as {label}"] += 1
        return element

    def _label(self, given: Any) -> tuple[str | None, str | None]:
        """The label, and the class as given where the label is a coarser one."""
        if given is None or (isinstance(given, str) and not given.strip()):
            return None, None
        if not isinstance(given, str):
            raise Problem(f"label: must be text, not {shown(given)}")
        given = _printed(given.strip(), "label")
        label, coarser = self._labels.read(given)
        if label is None:
            raise Problem(self._labels.unknown(given))
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
            raise Problem(f"id: {element.id!r} is used in {file}{place} already")
        return element


def bad_element(file: str, raw: RawElement, reason: str) -> BadElement:
    """The report on an element that is not imported."""
    shown_id = None
    if isinstance(raw.id, str | int | float) and not isinstance(raw.id, bool):
        shown_id = printable(raw.id[:100]) if isinstance(raw.id, str) else shown(raw.id)
    return BadElement(file, raw.line, raw.place, shown_id, reason)


def _id(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= 300:
        return str(value)
    if not isinstance(value, str):
        raise Problem(f"id: must be text or a whole number, not {shown(value)}")
    if not value.strip():
        raise Problem("id: is blank")
    return _printed(value, "id")


def _content(value: Any) -> tuple[str | None, bool]:
    """The text without control characters, and whether there were any."""
    if value is None:
        return None, False
    if not isinstance(value, str):
        raise Problem(f"content: must be text, not {shown(value)}")
    text, removed = clean_control(whole(value, "content"))
    if len(text) > MAX_CONTENT:
        raise Problem(f"content: has {len(text):,} characters; {MAX_CONTENT:,} are allowed")
    return text, removed > 0


def _order(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise Problem(f"order: must be a whole number, not {shown(value)}")


def _score(value: Any) -> float | None:
    score = number(value)
    if value is not None and score is None:
        raise Problem(f"score: must be a finite number, not {shown(value)}")
    return score


def _attributes(value: Any) -> dict[str, str]:
    """Attributes as text: yes and no as ``true`` and ``false``, numbers as they are written."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Problem(f"attributes: must be an object, not {shown(value)}")
    found = {}
    for name, item in value.items():
        if isinstance(item, bool):
            item = "true" if item else "false"
        elif isinstance(item, int | float) and number(item) is not None:
            item = str(item)
        if item is None:
            continue
        if not isinstance(item, str):
            raise Problem(f"attributes.{printable(name[:60])}: must be text, not {shown(item)}")
        name = clean_control(whole(name, "attributes"))[0]
        found[name] = clean_control(whole(item, "attributes"))[0]
    return found


def _printed(text: str, field: str) -> str:
    if clean_control(whole(text, field))[1] or len(text.splitlines()) > 1:
        raise Problem(f"{field}: holds a control character or a line break")
    return text

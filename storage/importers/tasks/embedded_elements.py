"""Checks pre-annotated elements in the rows of a task file."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import reason_of
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.rows import ParsedTask
from pagetrail.storage.importers.preannotations.checks import ElementChecker, ElementSource
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.plain import ROWS_NAME, element_fields
from pagetrail.storage.importers.preannotations.raw_elements import PreannotationFile
from pagetrail.storage.importers.preannotations.task_records import in_reading_order


def with_elements(
    finder: PageFinder, rows: list[ParsedTask], protocol: Protocol
) -> tuple[list[ParsedTask], list[tuple[int, str]]]:
    """The tasks with their valid elements, and (line, note) for each of the others.

    An element without document or page is placed on the task's only page. Lists of texts are kept
    unchanged: some datasets use the field for kinds of content.
    """
    if not any(_has_elements(task) for _, task in rows):
        return rows, []
    labels = Labels(protocol_labels(protocol), {})
    with_checked_elements: list[ParsedTask] = []
    notes: list[tuple[int, str]] = []
    for raw, task in rows:
        if _has_elements(task):
            checker = ElementChecker(finder, labels, grouping="import")
            task, left_out = _check_elements(task, raw.line, checker, protocol)
            notes += [(raw.line, note) for note in left_out]
        with_checked_elements.append((raw, task))
    return with_checked_elements, notes


def protocol_labels(protocol: Protocol) -> list[str] | None:
    """Labels that elements may have; None if the protocol has no boxes."""
    if not protocol.boxes.enabled:
        return None
    return [label.name for label in protocol.boxes.labels]


def _has_elements(task: TaskRecord) -> bool:
    return any(isinstance(item, dict) for item in task.elements or ())


def _check_elements(
    task: TaskRecord, line: int, checker: ElementChecker, protocol: Protocol
) -> tuple[TaskRecord, list[str]]:
    task_pages = {"search": None, "given": task.candidates or [], "gold": task.evidence}[
        protocol.pages
    ]
    pages = None if task_pages is None else {ref.key for ref in task_pages}
    only_page = next(iter(pages)) if pages is not None and len(pages) == 1 else None
    file = PreannotationFile("", ROWS_NAME)
    for index, item in enumerate(task.elements or ()):
        file.add(
            lambda item: _with_default_page(element_fields(item), only_page),
            item,
            line,
            f"elements[{index}]",
        )
    raws = file.elements
    good = []
    reasons: dict[str, str] = {}
    # Elements with ids go first, so that generated ids cannot take theirs.
    for raw in sorted(raws, key=lambda raw: raw.id is None):
        try:
            element = checker.check(raw, ElementSource("", line, raw.location))
            if pages is not None and (element.document, element.page) not in pages:
                raise ValueError(
                    f"page {element.page} of {printable(element.document)} is not one of the "
                    "pages of its task"
                )
        except ValueError as error:
            reasons[raw.location] = reason_of(error)
        else:
            good.append(element)
    stored: list[Any] = [element.model_dump(mode="json") for element in in_reading_order(good)]
    return task.model_copy(update={"elements": stored}), [
        f"Line {line:,} ({task.id}): {raw.location} is left out: {reasons[raw.location]}."
        for raw in raws
        if raw.location in reasons
    ]


def _with_default_page(fields: dict[str, Any], only_page: tuple[str, int] | None) -> dict[str, Any]:
    """The fields of an element, with the task's only page if the element names none."""
    if only_page is not None and fields["image"] is None:
        document, page = fields["document"], fields["page"]
        fields["document"] = only_page[0] if document is None else document
        fields["page"] = only_page[1] if page is None else page
    return fields

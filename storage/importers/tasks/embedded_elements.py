"""Pre-annotated elements inside the rows of a task file, in the shape that is stored."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import reason_of
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.corpus.aliases import aliases
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.rows import ParsedTask
from pagetrail.storage.importers.preannotations.checks import ElementChecker, ElementSource
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.plain import ROWS_NAME, element_fields
from pagetrail.storage.importers.preannotations.raw_elements import PreannotationFile
from pagetrail.storage.importers.preannotations.task_records import in_reading_order


def with_elements(
    workspace: Workspace, rows: list[ParsedTask], protocol: Protocol
) -> tuple[list[ParsedTask], list[tuple[int, str]]]:
    """The tasks with their good elements, and a note on each other, with its row's line.

    An element without document or page is on the task's only page. Some datasets use the field
    for the kinds of content a question is about; a list of texts stays as it is.
    """
    if not any(_has_elements(task) for _, task in rows):
        return rows, []
    finder = PageFinder(Corpus(workspace), aliases(workspace))
    labels = Labels(protocol_labels(protocol), {})
    found: list[ParsedTask] = []
    notes: list[tuple[int, str]] = []
    for raw, task in rows:
        if _has_elements(task):
            checker = ElementChecker(finder, labels, grouping="import")
            task, left_out = _checked(task, raw.line, checker, protocol)
            notes += [(raw.line, note) for note in left_out]
        found.append((raw, task))
    return found, notes


def protocol_labels(protocol: Protocol) -> list[str] | None:
    """The classes that elements may have; None where the protocol has no boxes."""
    if not protocol.boxes.enabled:
        return None
    return [label.name for label in protocol.boxes.labels]


def _has_elements(task: TaskRecord) -> bool:
    return any(isinstance(item, dict) for item in task.elements or ())


def _checked(
    task: TaskRecord, line: int, checker: ElementChecker, protocol: Protocol
) -> tuple[TaskRecord, list[str]]:
    shown = {"search": None, "given": task.candidates or [], "gold": task.evidence}[protocol.pages]
    pages = None if shown is None else {ref.key for ref in shown}
    only = next(iter(pages)) if pages is not None and len(pages) == 1 else None
    listed = PreannotationFile("", ROWS_NAME)
    for index, item in enumerate(task.elements or ()):
        listed.add(
            lambda item: _on_page(element_fields(item), only), item, line, f"elements[{index}]"
        )
    raws = listed.elements
    good = []
    reasons: dict[str, str] = {}
    # A made-up id must not take the one that another element brings.
    for raw in sorted(raws, key=lambda raw: raw.id is None):
        try:
            element = checker.check(raw, ElementSource("", line, raw.location))
            if pages is not None and (element.document, element.page) not in pages:
                raise ValueError(
                    f"page {element.page} of {printable(element.document)} is none of the pages "
                    "of its task"
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


def _on_page(fields: dict[str, Any], only: tuple[str, int] | None) -> dict[str, Any]:
    """The fields of an element, with the task's only page where the element names none."""
    if only is not None and fields["image"] is None:
        document, page = fields["document"], fields["page"]
        fields["document"] = only[0] if document is None else document
        fields["page"] = only[1] if page is None else page
    return fields

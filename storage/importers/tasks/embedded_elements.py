"""Pre-annotated elements inside the rows of a task file, in the shape that is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.preannotations.checks import ElementChecker, Source
from pagetrail.storage.importers.preannotations.grouping import in_order
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.plain import plain_element
from pagetrail.storage.importers.preannotations.raw_elements import Problem, RawElement

Parsed: TypeAlias = tuple[RawRow, TaskRecord]


def with_elements(
    workspace: Workspace, rows: list[Parsed], protocol: Protocol
) -> tuple[list[Parsed], list[tuple[int, str]]]:
    """The tasks with their good elements, and a note on each other, with its row's line.

    An element without document or page lies on the task's only page. Some datasets use the field
    for the kinds of content a question is about; a list of texts stays as it is.
    """
    if not any(_has_elements(task) for _, task in rows):
        return rows, []
    finder = PageFinder(Corpus(workspace))
    labels = Labels(protocol_labels(protocol), {})
    found: list[Parsed] = []
    notes: list[tuple[int, str]] = []
    for raw, task in rows:
        if _has_elements(task):
            checker = ElementChecker(finder, labels, per="import")
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
    raws = [_raw(item, line, index, only) for index, item in enumerate(task.elements or ())]
    good = []
    reasons: dict[str, str] = {}
    # A made-up id must not take the one that another element brings.
    for raw in sorted(raws, key=lambda raw: raw.id is None):
        try:
            element = checker.check(raw, Source("", line, raw.place))
            if pages is not None and (element.document, element.page) not in pages:
                raise Problem(
                    f"page {element.page} of {printable(element.document)} is none of the pages "
                    "of its task"
                )
        except Problem as problem:
            reasons[raw.place] = str(problem)
        else:
            good.append(element)
    stored: list[Any] = [element.model_dump(mode="json") for element in in_order(good)]
    return task.model_copy(update={"elements": stored}), [
        f"Line {line:,} ({task.id}): {raw.place} is left out: {reasons[raw.place]}."
        for raw in raws
        if raw.place in reasons
    ]


def _raw(item: Any, line: int, index: int, only: tuple[str, int] | None) -> RawElement:
    place = f"elements[{index}]"
    if not isinstance(item, dict):
        return RawElement(line, place, problem="is not a JSON object")
    raw = plain_element(item, line, place)
    if only is not None and not raw.named_after:
        document = only[0] if raw.document is None else raw.document
        page = only[1] if raw.page is None else raw.page
        raw = replace(raw, document=document, page=page)
    return raw

"""Checks that a task has what its protocol needs: pages, rows, responses, predictions, gold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from pagetrail.annotation.attempts.preannotations import rows_of
from pagetrail.annotation.comparison.pilot_gold import compared_parts, unreachable_gold
from pagetrail.annotation.protocols.fields import FieldSpec, cells_problem
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import sentence_of
from pagetrail.annotation.tasks.gold import Gold, gold_of, gold_problems, unanswerable_problem
from pagetrail.annotation.tasks.task import PageRef, TaskRecord, given_pages
from pagetrail.storage.importers.tasks.drawn_requests import request_problem
from pagetrail.storage.importers.tasks.predictions import (
    blind_tasks,
    prediction_problem,
)
from pagetrail.storage.importers.tasks.tables import tables_problem
from pagetrail.storage.importers.tasks.transcripts import transcript_problem

_BRIEFS = ("summary", "description", "original")


def protocol_problem(protocol: Protocol, task: TaskRecord) -> str | None:
    """Why the task cannot be used under this protocol, or None."""
    record = task.to_json()
    return (
        _pages_problem(protocol, record)
        or _elements_problem(protocol, task)
        or transcript_problem(protocol, task)
        or tables_problem(protocol, task)
        or next(filter(None, (_rows_problem(spec, record) for spec in _seeded(protocol))), None)
        or _response_problem(protocol, record)
        or request_problem(protocol, task)
        or (
            _judge_problem(protocol, task)
            if protocol.shows_predictions
            else gold_problem(protocol, record)
        )
    )


def brief_sources(protocol: Protocol, task: TaskRecord) -> list[str]:
    """The texts of a task that its protocol shows to somebody who writes a question."""
    extra = task.model_extra or {}
    sources = [part.source for part in protocol.material if part.source in _BRIEFS]
    return [source for source in sources if extra.get(source)]


def gold_refs(task: TaskRecord) -> list[tuple[str, PageRef]]:
    """(location, page) of the gold's page references; empty if the gold is malformed."""
    try:
        gold = gold_of(task.to_json())
    except ValueError:
        return []
    boxes = gold.boxes or ()
    return [
        *((f"gold.pages[{index}]", page) for index, page in enumerate(gold.pages)),
        *((f"gold.boxes[{index}]", box) for index, box in enumerate(boxes)),
    ]


def protocol_remarks(protocol: Protocol, tasks: Sequence[TaskRecord]) -> list[str]:
    """Warnings about tasks that can be done nevertheless."""
    counted_remarks = [
        (
            f"no {spec.seed}, so that the table “{spec.label}” starts empty",
            sum(not (task.model_extra or {}).get(str(spec.seed)) for task in tasks),
        )
        for spec in _seeded(protocol)
    ]
    if protocol.boxes.seed:
        missing = sum(not task.elements for task in tasks)
        counted_remarks.append(
            ("no elements to verify, so that pages start without boxes", missing)
        )
    return [
        f"Tasks with {description}: {count:,}." for description, count in counted_remarks if count
    ]


def _seeded(protocol: Protocol) -> list[FieldSpec]:
    return [spec for spec in protocol.scoped("task") if spec.kind == "records" and spec.seed]


def _pages_problem(protocol: Protocol, record: dict[str, Any]) -> str | None:
    if protocol.pages == "search":
        return None
    name = "candidates" if protocol.pages == "given" else "evidence"
    count = len(given_pages(protocol.pages, record) or ())
    if count > protocol.max_pages:
        return (
            f"{name}: {count:,} pages; this protocol takes at most {protocol.max_pages:,} a task "
            f"(the setting max_pages = {count} allows them)"
        )
    return None


def _elements_problem(protocol: Protocol, task: TaskRecord) -> str | None:
    if not protocol.boxes.seed or not task.elements:
        return None
    if not any(isinstance(element, dict) for element in task.elements):
        return "elements: must be a list of objects, each with bbox, label and page"
    return None


def _rows_problem(spec: FieldSpec, record: dict[str, Any]) -> str | None:
    name = str(spec.seed)
    data = record.get(name)
    if not data and not spec.add_rows:
        return f"{name}: “{spec.label}” is about given rows, and the task has none"
    if data is None:
        return None
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        return f"{name}: must be a list of objects, one per row"
    columns = {column.name for column in spec.columns}
    try:
        rows = rows_of(data, columns)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        return f"{name}: {problem['loc'][-1]} {sentence_of(problem)}"
    for index, row in enumerate(rows):
        if not row.values:
            column_names = ", ".join(column.name for column in spec.columns)
            return f"{name}[{index}]: holds none of the columns {column_names}"
        reason = cells_problem(spec, row.values, new=True)
        if reason is not None:
            return f"{name}[{index}]: {reason.removesuffix('.')}"
    return None


def _response_problem(protocol: Protocol, record: dict[str, Any]) -> str | None:
    if not any(part.source == "response" for part in protocol.material):
        return None
    response = record.get("response")
    texts = response if isinstance(response, list) else [] if response is None else [response]
    if not all(isinstance(text, str | int | float) for text in texts):
        return "response: must be text, or a list of texts"
    if not any(str(text).strip() for text in texts) and not record.get("answer_variants"):
        return "response: is missing, and there are no answer_variants to review instead"
    return None


def _judge_problem(protocol: Protocol, task: TaskRecord) -> str | None:
    problem = prediction_problem(task)
    if problem is not None:
        return problem
    for blind_task in blind_tasks(task, ""):
        problem = gold_problem(protocol, blind_task.to_json())
        if problem is not None:
            system = (blind_task.model_extra or {})["prediction"]["system"]
            return f"prediction of {system}: {problem}"
    return None


def gold_problem(protocol: Protocol, record: dict[str, Any]) -> str | None:
    """Why the gold in a record cannot be used under this protocol, or None."""
    try:
        gold = gold_of(record)
    except ValueError as error:
        return str(error)
    problem = (
        unanswerable_problem(protocol, record)
        or next(gold_problems(protocol, gold), None)
        or _gold_outside_pages_problem(protocol, record, gold)
    )
    if problem is not None or not protocol.pilot.enabled:
        return problem
    if not compared_parts(protocol, record):
        return (
            "gold: tasks of a pilot are compared with their gold, but this one has none for the "
            "parts that the protocol asks (answer_variants, evidence, unanswerable or gold); add "
            "it, or leave the task out"
        )
    return unreachable_gold(protocol, record)


def _gold_outside_pages_problem(
    protocol: Protocol, record: dict[str, Any], gold: Gold
) -> str | None:
    """Refuses gold on a page that annotators are not shown, which nobody could match."""
    page_keys = given_pages(protocol.pages, record)
    if page_keys is None:
        return None
    for name, refs in (("pages", gold.pages), ("boxes", gold.boxes or ())):
        for index, ref in enumerate(refs):
            if ref.key not in page_keys:
                return (
                    f"gold.{name}[{index}]: page {ref.page} of {ref.document} is none of the "
                    "pages of its task"
                )
    return None

"""Checks the variants among imported tasks, and plans their batches.

A row names its original in ``variant_of``, a task of the file or the campaign or of elsewhere, and
says how it differs in ``variant``. Where the protocol shows originals, the record gets the
original's question, and a row without a question starts from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select

from pagetrail.annotation.events.base import MAX_TEXT
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import short_value
from pagetrail.annotation.tasks.batches import split_into_batches
from pagetrail.annotation.tasks.task import TaskRecord, clean_control, read_task
from pagetrail.annotation.tasks.variants import (
    ORIGINAL,
    VARIANT,
    VARIANT_OF,
    batches_apart,
    batches_together,
    family_of,
    has_variants,
)
from pagetrail.storage.database.tables import Campaign, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.rows import ParsedTask

MAX_VARIANT = 60

Refused = tuple[int, str, str]
"""Line, task id and reason of a row that cannot be used."""


def with_question_of_original(data: dict[str, Any], questions: Mapping[str, Any]) -> dict[str, Any]:
    """The row; a variant without a question has that of its original.

    Args:
        questions: question of each row of the file, by the row's id.
    """
    if VARIANT_OF not in data or data.get("question") not in (None, ""):
        return data
    question = data.get(ORIGINAL) or questions.get(str(data[VARIANT_OF]))
    return data if question is None else {**data, "question": question}


def with_variants(
    workspace: Workspace, rows: list[ParsedTask], campaign: str, protocol: Protocol
) -> tuple[list[ParsedTask], list[Refused]]:
    """The tasks with their originals' questions, and the rows that cannot be used."""
    if not any(_is_variant(task) for _, task in rows):
        return rows, []
    records = _stored_records(workspace, campaign) | {task.id: task.to_json() for _, task in rows}
    checked: list[ParsedTask] = []
    refused: list[Refused] = []
    for raw, task in rows:
        if _is_variant(task):
            try:
                task = _with_original(task, records, protocol)
            except ValueError as error:
                refused.append((raw.line, task.id, str(error)))
                continue
        checked.append((raw, task))
    return checked, refused


def variant_batches(
    tasks: Sequence[TaskRecord], protocol: Protocol, batch_size: int
) -> list[list[TaskRecord]]:
    """Batches in the order of the tasks, with variants of one question as the protocol says."""

    def family(task: TaskRecord) -> str:
        return family_of(task.id, task.model_extra or {})

    if not has_variants(tasks, family):
        return split_into_batches(tasks, batch_size)
    if protocol.variants == "together":
        return batches_together(tasks, batch_size, family)
    return batches_apart(tasks, batch_size, family)


def _is_variant(task: TaskRecord) -> bool:
    extra = task.model_extra or {}
    return any(extra.get(name) is not None for name in (VARIANT_OF, VARIANT))


def _stored_records(workspace: Workspace, campaign: str) -> dict[str, dict[str, Any]]:
    statement = (
        select(Task.key, Task.record)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .where(Campaign.name == campaign)
    )
    with workspace.engine.connect() as connection:
        return {row.key: row.record for row in connection.execute(statement)}


def _with_original(
    task: TaskRecord, records: Mapping[str, Mapping[str, Any]], protocol: Protocol
) -> TaskRecord:
    extra = task.model_extra or {}
    original_id = _original_id(extra.get(VARIANT_OF))
    if original_id == task.id:
        raise ValueError(f"{VARIANT_OF}: the task names itself; name its original")
    original = records.get(original_id)
    if original is not None and original.get(VARIANT_OF) is not None:
        raise ValueError(
            f"{VARIANT_OF}: {original_id!r} is a variant too; name its original, "
            f"{str(original[VARIANT_OF])!r}"
        )
    values: dict[str, Any] = {VARIANT_OF: original_id, VARIANT: _variant(extra.get(VARIANT))}
    question = _original_question(extra.get(ORIGINAL), original)
    if any(part.source == "original" for part in protocol.material):
        if question is None:
            raise ValueError(
                f"{VARIANT_OF}: neither the file nor the campaign has {original_id!r}, and this "
                f"protocol shows the original; add the task, or its question as {ORIGINAL}"
            )
        values[ORIGINAL] = question
    return read_task({**task.to_json(), **values})


def _original_id(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None:
        raise ValueError(f"{VARIANT_OF}: is missing; name the original of this {VARIANT}")
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{VARIANT_OF}: must be the id of a task, not {short_value(value)}")
    return value


def _variant(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(
            f"{VARIANT}: must say how it differs from its original, such as translation, obscured "
            f"or specific, not {short_value(value)}"
        )
    text = " ".join(clean_control(value)[0].split())
    if len(text) > MAX_VARIANT:
        raise ValueError(f"{VARIANT}: has {len(text):,} characters; {MAX_VARIANT} are allowed")
    return text


def _original_question(question: Any, original: Mapping[str, Any] | None) -> str | None:
    if question is None:
        return None if original is None else str(original["question"])
    if not isinstance(question, str) or not question.strip():
        shown = short_value(question)
        raise ValueError(f"{ORIGINAL}: must be the original's question, not {shown}")
    text, _ = clean_control(question)
    if len(text) > MAX_TEXT:
        raise ValueError(f"{ORIGINAL}: has {len(text):,} characters; {MAX_TEXT:,} are allowed")
    return text

"""Draws what the questions of imported tasks are asked for (``question.draw``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.drawn_requests import DRAWN_FIELDS, draw_requests, drawn_options
from pagetrail.annotation.tasks.task import TaskRecord, read_task
from pagetrail.storage.database.tables import Campaign, Task


def with_drawn_requests(
    connection: Connection,
    campaign: Campaign | None,
    tasks: Sequence[TaskRecord],
    protocol: Protocol,
    seed: int,
) -> list[TaskRecord]:
    """The tasks; those without a value of a drawn field have one, and say so in ``drawn``.

    Args:
        campaign: None for a new one.
    """
    draw = protocol.question.draw
    if not draw:
        return list(tasks)
    earlier = [] if campaign is None else _drawn_earlier(connection, campaign)
    records: dict[str, dict[str, Any]] = {task.id: task.to_json() for task in tasks}
    for record in records.values():
        record.pop(DRAWN_FIELDS, None)
    for field, weights in draw.items():
        keys = [key for key, record in records.items() if not record.get(field)]
        drawn_before = [options[field] for options in earlier if field in options]
        for key, option in draw_requests(keys, field, weights, drawn_before, seed).items():
            records[key] = {
                **records[key],
                field: option,
                DRAWN_FIELDS: [*records[key].get(DRAWN_FIELDS, []), field],
            }
    return [read_task(record) for record in records.values()]


def request_problem(protocol: Protocol, task: TaskRecord) -> str | None:
    """Why a task cannot ask for what its row says, or None."""
    record = task.to_json()
    for field in protocol.question.draw:
        spec, value = protocol.field(field), record.get(field)
        if value and spec is not None and (isinstance(value, list) or not spec.option(value)):
            options = ", ".join(option.value for option in spec.options)
            return f"{field}: must be one of {options}, or left out to be drawn"
    return None


def _drawn_earlier(connection: Connection, campaign: Campaign) -> list[dict[str, str]]:
    records = connection.execute(select(Task.record).where(Task.campaign_id == campaign.id))
    return [drawn_options(record) for record in records.scalars()]

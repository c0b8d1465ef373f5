"""Counts of written questions: a person's, and those of the campaign that are of the type drawn."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from sqlalchemy import Connection, Engine, select
from typing_extensions import TypedDict

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.tasks.drawn_requests import drawn_options
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.database.tables import Attempt, AttemptStateRow, Task, User
from pagetrail.storage.people.system_roles import NOT_PEOPLE


class RequestedOption(TypedDict):
    """An option that was drawn for the question, with how many of it the campaign has.

    Attributes:
        label: of the field, such as “Type”.
        option, help: of the option that is asked for.
        written: submitted questions of the campaign with this option.
        requested: tasks that ask for it, times the annotators per task.
    """

    field: str
    label: str
    option: str
    help: str
    written: int
    requested: int


class QuestionCounts(TypedDict):
    """Questions that a person has submitted in a campaign.

    Attributes:
        multi_hop: those with evidence on two pages or more.
        target: the share of multi-hop questions that the campaign asks for, if any.
        requested: what was drawn for this question, field by field.
    """

    written: int
    multi_hop: int
    target: float | None
    requested: list[RequestedOption]


def authored(engine: Engine, row: AttemptRow) -> QuestionCounts | None:
    """Counts of this person's submitted questions; None unless the campaign is for authoring."""
    question = row.protocol.question
    if question.kind != "editable":
        return None
    statement = (
        select(AttemptStateRow.state)
        .join(Attempt, Attempt.id == AttemptStateRow.attempt_id)
        .join(Task, Task.id == Attempt.task_id)
        .where(
            Task.campaign_id == row.campaign_id,
            Attempt.user_id == row.user_id,
            AttemptStateRow.status == "submitted",
            AttemptStateRow.n_citations >= 1,
        )
    )
    with engine.connect() as connection:
        states = [
            AttemptState.model_validate_json(state)
            for state in connection.execute(statement).scalars()
        ]
        requested = _requested_options(connection, row)
    return {
        "written": len(states),
        "multi_hop": sum(len(state.citations) >= 2 for state in states),
        "target": question.multi_hop_target,
        "requested": requested,
    }


def _requested_options(connection: Connection, row: AttemptRow) -> list[RequestedOption]:
    drawn = drawn_options(row.record)
    if not drawn:
        return []
    records = connection.execute(
        select(Task.record).where(Task.campaign_id == row.campaign_id, Task.copy_of.is_(None))
    ).scalars()
    requests = [drawn_options(record) for record in records]
    written = _written_options(connection, row.campaign_id, list(drawn))
    options: list[RequestedOption] = []
    for name, value in drawn.items():
        spec = row.protocol.field(name)
        option = None if spec is None else spec.option(value)
        if spec is None or option is None:
            continue
        n_tasks = sum(request.get(name) == value for request in requests)
        options.append(
            {
                "field": name,
                "label": spec.label,
                "option": option.label,
                "help": option.help,
                "written": written[name, value],
                "requested": n_tasks * row.protocol.overlap,
            }
        )
    return options


def _written_options(
    connection: Connection, campaign_id: int, names: list[str]
) -> Counter[tuple[str, str]]:
    """(Field, option) → submitted questions with it: the author's value, else the task's."""
    rows = connection.execute(
        select(Task.record, AttemptStateRow.state)
        .join(Attempt, Attempt.task_id == Task.id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .join(User, User.id == Attempt.user_id)
        .where(
            Task.campaign_id == campaign_id,
            AttemptStateRow.status == "submitted",
            User.role.not_in(NOT_PEOPLE),
        )
    )
    counts = Counter[tuple[str, str]]()
    for row in rows:
        # Not the whole model: there are thousands of states.
        state: dict[str, Any] = json.loads(row.state)
        own_values = {entry["field"]: entry["value"] for entry in state.get("fields", ())}
        for name in names:
            value = own_values.get(name) or row.record.get(name)
            if isinstance(value, str):
                counts[name, value] += 1
    return counts

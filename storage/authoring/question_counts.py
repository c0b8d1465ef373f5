"""Counts of written questions: a person's, and the campaign's by what was drawn for them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, select
from typing_extensions import TypedDict

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.protocols.protocol import Protocol
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


class RequestedQuestions(NamedTuple):
    """Questions of a campaign with one combination of the options that are drawn.

    Attributes:
        options: field → label of the option, in the order of ``question.draw``.
        tasks: that ask for these, drawn or given with the task.
        requested: tasks times the annotators per task.
        written: submitted questions with these options.
    """

    options: dict[str, str]
    tasks: int
    requested: int
    written: int


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


def requested_questions(
    engine: Engine, campaign_id: int, protocol: Protocol
) -> list[RequestedQuestions]:
    """The combinations of drawn options that tasks ask for or questions have, in option order."""
    specs = [spec for name in protocol.question.draw if (spec := protocol.field(name))]
    names = [spec.name for spec in specs]
    with engine.connect() as connection:
        requests = Counter(
            _options_of(record, {}, names) for record in _task_records(connection, campaign_id)
        )
        written = _written_questions(connection, campaign_id, names)
    orders = [{option.value: i for i, option in enumerate(spec.options)} for spec in specs]
    combinations = [values for values in requests | written if None not in values]
    combinations.sort(
        key=lambda values: [
            order.get(value or "", len(order)) for order, value in zip(orders, values, strict=True)
        ]
    )
    return [
        RequestedQuestions(
            {
                spec.name: option.label if (option := spec.option(value or "")) else value or ""
                for spec, value in zip(specs, values, strict=True)
            },
            requests[values],
            requests[values] * protocol.overlap,
            written[values],
        )
        for values in combinations
    ]


def _task_records(connection: Connection, campaign_id: int) -> Iterable[Mapping[str, Any]]:
    """The records of the campaign's tasks, repeated ones once."""
    return connection.execute(
        select(Task.record).where(Task.campaign_id == campaign_id, Task.copy_of.is_(None))
    ).scalars()


def _requested_options(connection: Connection, row: AttemptRow) -> list[RequestedOption]:
    drawn = drawn_options(row.record)
    if not drawn:
        return []
    requests = [drawn_options(record) for record in _task_records(connection, row.campaign_id)]
    written = _written_questions(connection, row.campaign_id, list(drawn))
    options: list[RequestedOption] = []
    for index, (name, value) in enumerate(drawn.items()):
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
                "written": sum(n for values, n in written.items() if values[index] == value),
                "requested": n_tasks * row.protocol.overlap,
            }
        )
    return options


def _written_questions(
    connection: Connection, campaign_id: int, names: Sequence[str]
) -> Counter[tuple[str | None, ...]]:
    """Options of the named fields → submitted questions with these.

    An option is the author's value, else the task's; None if there is neither.
    """
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
    counts = Counter[tuple[str | None, ...]]()
    for row in rows:
        # Not the whole model: there are thousands of states.
        state: dict[str, Any] = json.loads(row.state)
        own_values = {entry["field"]: entry["value"] for entry in state.get("fields", ())}
        counts[_options_of(row.record, own_values, names)] += 1
    return counts


def _options_of(
    record: Mapping[str, Any], own_values: Mapping[str, Any], names: Sequence[str]
) -> tuple[str | None, ...]:
    values = [own_values.get(name) or record.get(name) for name in names]
    return tuple(value if isinstance(value, str) else None for value in values)

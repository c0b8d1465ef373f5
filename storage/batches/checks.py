"""Hidden gold and repeated tasks in people's batches.

Terms:

* check: a task added to a person's batch to measure quality. It is either *hidden gold*, a task
  whose gold is known, or a *repeat* of a task that the person has finished.
* planned checks: their number, fixed when the batch is assigned (``Assignment.checks``).
* drawn checks: the tasks themselves, chosen when the batch is first opened. Both depend only on
  hashes of the campaign's seed and on the person's work.
* usable gold: tasks with gold that can be done under the protocol and compared with it.
* check campaign: has the copies of drawn tasks, one campaign per kind, so that whatever else
  reads a campaign's tasks and attempts (exports, agreement, review, progress) includes no check.
  Attempts at checks belong to the person's batch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from sqlalchemy import Connection, func, insert, literal, select, update
from sqlalchemy.orm import aliased

from pagetrail.annotation.clock import iso
from pagetrail.annotation.comparison.against_gold import has_gold
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.annotation.tasks.batches import order_for
from pagetrail.annotation.tasks.task import given_pages
from pagetrail.storage.campaigns.counting_tasks import COUNTS
from pagetrail.storage.campaigns.hidden_gold import tasks_met, unsafe_source
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import ARCHIVED, SUBMITTED_OR_SKIPPED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    EventRow,
    Task,
)

CheckKind = Literal["gold", "repeat"]
NAMES: dict[CheckKind, str] = {"gold": "hidden gold", "repeat": "repeated tasks"}


def n_checks_to_plan(
    connection: Connection, campaign: Campaign, batch_id: int, user_id: int
) -> int:
    """Number of checks to plan for a batch that is assigned to a person.

    All batches of a size have the same number, so that sizes do not reveal checks: the rates
    rounded up, unless there are too few tasks to draw from.
    """
    protocol = stored_protocol(campaign.protocol)
    if not protocol.quality.rate:
        return 0
    n_tasks, n_planned = _count_tasks_and_planned(connection, campaign.id, user_id)
    size = select(func.count()).select_from(Task).where(Task.batch_id == batch_id)
    n_checks = n_checks_by_rates(protocol.quality, connection.execute(size).scalar_one())
    n_drawn = _count_drawn(connection, campaign.id, user_id)
    n_gold = 0
    if protocol.quality.gold_rate:
        n_gold = len(_unseen_gold(connection, campaign, protocol, user_id))
    n_repeatable = n_tasks if protocol.quality.repeat_rate else 0
    n_undrawn = n_planned - n_drawn
    return min(max(0, n_gold + n_repeatable - n_undrawn), n_checks)


def n_checks_by_rates(quality: QualityPart, tasks: int) -> int:
    """Number of checks for a batch of ``tasks`` tasks, by the rates alone.

    Rounded up, so that every batch has one, however small.
    """
    return math.ceil(_exact_product(quality.rate, tasks))


def n_repeats_by_rate(quality: QualityPart, finished_tasks: int) -> int:
    """Repeats that a person should have had after finishing so many tasks, by the rate alone.

    The nearest whole number (a half is rounded up), so that the repeats of all batches together
    are never more than half a task off the rate.
    """
    return math.floor(_exact_product(quality.repeat_rate, finished_tasks) + 0.5)


def _exact_product(rate: float, tasks: int) -> float:
    """A rate times a number of tasks; 0.145 × 100 is 14.5, and not 14.499999999999998."""
    return round(rate * tasks, 9)


def draw_checks(connection: Connection, assignment_id: int, clock: Clock) -> list[int]:
    """Ids of the tasks to add to a batch that is opened for the first time.

    First come repeats that are due by their rate, of tasks that the person finished at least
    ``repeat_gap`` tasks ago, so that they do not remember their answers. Hidden gold gets the
    other places. If there is not enough of it, further repeats do: it is used up, or the rates have
    changed since the checks were planned. If both run out, the batch has fewer checks than planned.
    """
    row = connection.execute(
        select(Assignment.user_id, Assignment.checks, Assignment.seed, Campaign)
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(Campaign, Campaign.id == Batch.campaign_id)
        .where(Assignment.id == assignment_id)
    ).one()
    if not row.checks:
        return []
    campaign = Campaign.from_row(row)
    protocol = stored_protocol(campaign.protocol)
    finished_tasks = _finished_tasks(connection, campaign.id, row.user_id)
    n_repeated = sum(task.repeated for task in finished_tasks)
    n_due = n_repeats_by_rate(protocol.quality, len(finished_tasks)) - n_repeated
    earlier_tasks = finished_tasks[: max(0, len(finished_tasks) - protocol.quality.repeat_gap)]
    repeatable = {
        task.key: task for task in earlier_tasks if not task.repeated and task.status == "submitted"
    }
    repeats = [repeatable[key] for key in order_for(list(repeatable), row.seed)]
    n_due = max(0, min(n_due, row.checks, len(repeats)))
    gold = {t.key: t for t in _unseen_gold(connection, campaign, protocol, row.user_id)}
    # Gold leaves room for the due repeats, and repeats fill what gold leaves. So there are n_due
    # repeats or more, and both together are at most the planned checks.
    hidden = [gold[key] for key in order_for(list(gold), row.seed)][: row.checks - n_due]
    repeats = repeats[: row.checks - len(hidden)]
    check_ids = _copy_tasks(connection, campaign, "repeat", repeats, clock)
    check_ids += _copy_tasks(connection, campaign, "gold", hidden, clock)
    if len(check_ids) != row.checks:
        is_assignment = Assignment.id == assignment_id
        connection.execute(update(Assignment).where(is_assignment).values(checks=len(check_ids)))
    return check_ids


def _count_tasks_and_planned(
    connection: Connection, campaign_id: int, user_id: int
) -> tuple[int, int]:
    """Number of a person's tasks and of their planned checks, in the campaign's batches."""
    sizes = select(Task.batch_id, func.count().label("tasks")).group_by(Task.batch_id).subquery()
    n_tasks, n_planned = connection.execute(
        select(
            func.coalesce(func.sum(sizes.c.tasks), 0),
            func.coalesce(func.sum(Assignment.checks), 0),
        )
        .join(sizes, sizes.c.batch_id == Assignment.batch_id)
        .join(Batch, Batch.id == Assignment.batch_id)
        .where(
            Batch.campaign_id == campaign_id,
            Assignment.user_id == user_id,
            Assignment.status != WITHDRAWN,
        )
    ).one()
    return int(n_tasks), int(n_planned)


def _count_drawn(connection: Connection, campaign_id: int, user_id: int) -> int:
    """Number of a person's drawn checks."""
    return connection.execute(
        select(func.count())
        .select_from(Attempt)
        .join(Task, Task.id == Attempt.task_id)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .join(Assignment, Assignment.id == Attempt.assignment_id)
        .where(
            Campaign.checks_of == campaign_id,
            Attempt.user_id == user_id,
            Assignment.status != WITHDRAWN,
        )
    ).scalar_one()


def _finished_tasks(connection: Connection, campaign_id: int, user_id: int) -> list[AnyRow]:
    """The person's finished tasks, in the order they were first finished.

    ``status`` is the current one, ``repeated`` whether the person has a copy of the task.
    """
    first = (
        select(EventRow.attempt_id, func.min(EventRow.id).label("event"))
        .join(Attempt, Attempt.id == EventRow.attempt_id)
        .where(Attempt.user_id == user_id, EventRow.type.in_(SUBMITTED_OR_SKIPPED))
        .group_by(EventRow.attempt_id)
        .subquery()
    )
    copy, repeat = aliased(Task), aliased(Attempt)
    repeated = (
        select(repeat.id)
        .join(copy, copy.id == repeat.task_id)
        .where(copy.copy_of == Task.id, repeat.user_id == user_id)
        .exists()
    )
    rows = connection.execute(
        select(Task, AttemptStateRow.status, repeated.label("repeated"))
        .join(Attempt, Attempt.task_id == Task.id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .join(first, first.c.attempt_id == Attempt.id)
        .where(Task.campaign_id == campaign_id, Attempt.user_id == user_id, COUNTS)
        .order_by(first.c.event)
    )
    return list(rows)


def _unseen_gold(
    connection: Connection, campaign: Campaign, protocol: Protocol, user_id: int
) -> list[AnyRow]:
    """Tasks with gold that the person does not otherwise have, each once.

    Empty if their campaign is an unsafe source (``storage.campaigns.hidden_gold``).
    """
    name = protocol.quality.gold_from
    if name is None or name == campaign.name or unsafe_source(connection, name):
        return []
    # ``TaskIndex`` compares tasks together with the pages shown: gold is shown by this protocol.
    rows = connection.execute(
        select(Task, literal(protocol.pages).label("pages"))
        .join(Campaign, Campaign.id == Task.campaign_id)
        .where(Campaign.name == name, COUNTS)
        .order_by(Task.id)
    ).all()
    if not rows:
        return []
    met_tasks = tasks_met(connection, user_id, rows[0].campaign_id)
    unseen = []
    for row in rows:
        if is_usable_as_gold(protocol, row.record) and not met_tasks.same_as(row):
            met_tasks.add(row)
            unseen.append(row)
    return unseen


def require_usable_gold_source(connection: Connection, campaign: str, protocol: Protocol) -> None:
    """Refuse a protocol whose source of hidden gold cannot be used.

    Raises:
        ConflictError: the source does not exist, is this campaign, is a pilot or open, or has no
            task with gold for this protocol.
    """
    name = protocol.quality.gold_from
    if name is None:
        return
    if name == campaign:
        raise ConflictError(
            gettext(
                "quality.gold_from: {name} cannot take hidden gold from itself. Import "
                "the tasks with gold as a campaign of their own.",
                name=name,
            )
        )
    problem = unsafe_source(connection, name)
    if problem:
        raise ConflictError(gettext("quality.gold_from: {problem}", problem=problem))
    if not count_usable_gold(connection, protocol, name):
        raise ConflictError(
            gettext(
                "quality.gold_from: there is no campaign {name!r} with gold that this "
                "protocol can be compared with. Import it first.",
                name=name,
            )
        )


def count_usable_gold(connection: Connection, protocol: Protocol, campaign: str) -> int:
    """Number of a campaign's tasks that can be hidden gold under a protocol."""
    records = connection.execute(
        select(Task.record)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .where(Campaign.name == campaign, Campaign.checks_of.is_(None))
    ).scalars()
    return sum(is_usable_as_gold(protocol, record) for record in records)


def is_usable_as_gold(protocol: Protocol, record: dict[str, Any]) -> bool:
    """Whether a task can be done under a protocol and compared with its gold."""
    try:
        gold_parts = has_gold(protocol, record)
    except ValueError:
        return False
    return gold_parts and (protocol.pages == "search" or bool(given_pages(protocol.pages, record)))


def _copy_tasks(
    connection: Connection,
    campaign: Campaign,
    kind: CheckKind,
    tasks: Sequence[AnyRow],
    clock: Clock,
) -> list[int]:
    """Ids of the tasks' copies in the check campaign; missing copies are created."""
    if not tasks:
        return []
    check_campaign_id = _prepare_check_campaign(connection, campaign, kind, clock)
    return [_task_copy_id(connection, check_campaign_id, task) for task in tasks]


def _task_copy_id(connection: Connection, check_campaign_id: int, task: AnyRow) -> int:
    existing_id = connection.execute(
        select(Task.id).where(Task.campaign_id == check_campaign_id, Task.copy_of == task.id)
    ).scalar_one_or_none()
    if existing_id is not None:
        return int(existing_id)
    batch = select(Batch.id).where(Batch.campaign_id == check_campaign_id)
    last_position = select(func.coalesce(func.max(Task.position), 0)).where(
        Task.campaign_id == check_campaign_id
    )
    result = connection.execute(
        insert(Task).values(
            campaign_id=check_campaign_id,
            batch_id=connection.execute(batch).scalar_one(),
            key=task.key,
            position=connection.execute(last_position).scalar_one() + 1,
            record=task.record,
            copy_of=task.id,
        )
    ).inserted_primary_key
    assert result is not None
    return int(result[0])


def _prepare_check_campaign(
    connection: Connection, campaign: Campaign, kind: CheckKind, clock: Clock
) -> int:
    """Id of the check campaign, created on first use, with the campaign's current settings.

    It requires no pilot and has no checks of its own.
    """
    existing_id = connection.execute(
        select(Campaign.id).where(Campaign.checks_of == campaign.id, Campaign.check_kind == kind)
    ).scalar_one_or_none()
    protocol = campaign.protocol | {"requires": None, "quality": QualityPart().model_dump()}
    if existing_id is not None:
        # A check must look like the campaign's other tasks, which follow changed settings.
        values = {"protocol": protocol, "guidelines": campaign.guidelines}
        connection.execute(update(Campaign).where(Campaign.id == existing_id).values(**values))
        return int(existing_id)
    result = connection.execute(
        insert(Campaign).values(
            name=next(_available_names(connection, campaign.name, kind)),
            protocol=protocol,
            guidelines=campaign.guidelines,
            seed=campaign.seed,
            status=ARCHIVED,
            created_at=iso(clock.now()),
            checks_of=campaign.id,
            check_kind=kind,
        )
    ).inserted_primary_key
    assert result is not None
    batch = {"campaign_id": result[0], "position": 1, "code_name": NAMES[kind].capitalize()}
    connection.execute(insert(Batch).values(**batch))
    return int(result[0])


def _available_names(connection: Connection, campaign: str, kind: CheckKind) -> Iterator[str]:
    taken_names = {name.casefold() for name in connection.execute(select(Campaign.name)).scalars()}
    number = 1
    while True:
        name = f"{campaign} ({NAMES[kind]}{'' if number == 1 else f' {number}'})"
        if name.casefold() not in taken_names:
            yield name
        number += 1

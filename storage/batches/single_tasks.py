"""Assigning single tasks to one more person, or to another person instead.

Since people are assigned batches, the task first becomes a batch of its own. Everybody who has it
keeps it there with their work, and their old batch has one task fewer.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.batches import free_code_names, order_seed
from pagetrail.storage.batches.annotators import active_annotators, require_annotator
from pagetrail.storage.batches.assignments import insert_assignment
from pagetrail.storage.batches.withdrawal import audit_if_named, withdraw_in
from pagetrail.storage.campaigns.counting_tasks import COUNTS, IN_BATCH
from pagetrail.storage.campaigns.hidden_gold import barred_pairs
from pagetrail.storage.campaigns.lookup import get_open_campaign, get_task
from pagetrail.storage.campaigns.own_answers import barred_by_own_answers
from pagetrail.storage.campaigns.variants import barred_by_variants
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    ReviewTask,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, people_by_name
from pagetrail.storage.people.audit import PersonName, audit_in
from pagetrail.storage.people.system_roles import NOT_PEOPLE
from pagetrail.storage.qualification.gate import closed_reason, require_open_to

MOST_SKIPS = 3
"""Number of people who may skip a task before it is left to a supervisor."""


@dataclass(frozen=True)
class TaskGiven:
    """A task that was assigned on its own.

    Attributes:
        batch: its new batch.
        instead_of: the person who had to give it up.
    """

    campaign: str
    task: str
    batch: str
    annotator: str
    instead_of: str | None


def give_task(
    workspace: Workspace,
    campaign: str,
    key: str,
    annotator: str,
    *,
    instead_of: str | None = None,
    by: str | None = None,
    clock: Clock | None = None,
) -> TaskGiven:
    """Assign a task to one more person, even beyond the overlap.

    Args:
        instead_of: the person who gives it up; their work stays stored.
        by: who assigns; recorded in the audit log in the same transaction.

    Raises:
        NotFoundError: no such campaign, task or person.
        ConflictError: the campaign is closed, a pilot, or requires a pilot that the person has not
            passed; the person is inactive, not an annotator, or has the task; or ``instead_of``
            does not have it, or has submitted it.
    """
    with write_transaction(workspace.engine) as connection:
        row = get_open_campaign(connection, campaign)
        task = get_task(connection, row, key)
        (person,) = people_by_name(connection, [annotator])
        former = people_by_name(connection, [instead_of])[0] if instead_of is not None else None
        assigned = _give(connection, row, task, person, former, clock or SystemClock())
        instead = [" instead of ", PersonName(former.name)] if former else []
        to_whom = [f"{row.name}: {key} to ", PersonName(person.name), *instead]
        audit_if_named(connection, by, "task_given", [*to_whom, f", batch {assigned.batch}"])
        return assigned


def free_annotators(workspace: Workspace, campaign: str, key: str) -> list[str]:
    """Names of the active annotators who have not had the task.

    ``give_task`` checks required pilots; checking everybody's takes too long for a screen.

    Raises:
        NotFoundError: no such campaign or task.
    """
    with workspace.engine.connect() as connection:
        row = get_open_campaign(connection, campaign)
        had_it = {holder.user_id for holder in _holders(connection, get_task(connection, row, key))}
        return [person.name for person in active_annotators(connection) if person.id not in had_it]


def pass_on_skipped(
    workspace: Workspace, task_id: int, *, clock: Clock | None = None
) -> TaskGiven | None:
    """Assign a skipped task to the next annotator, if the campaign's protocol says so.

    The next is the annotator with the least left to do among those who have not had it. After three
    skips, or if nobody is left, it is left to a supervisor.
    """
    with write_transaction(workspace.engine) as connection:
        skipped_task = connection.execute(
            select(Task, Campaign.name.label("campaign"))
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Task.id == task_id, Campaign.status == "open", COUNTS)
        ).one_or_none()
        if skipped_task is None:
            return None
        row = get_open_campaign(connection, skipped_task.campaign)
        protocol = stored_protocol(row.protocol)
        if protocol.review.skipped != "next" or protocol.pilot.enabled:
            return None
        holders = _holders(connection, skipped_task)
        skips = sum(holder.state == "skipped" for holder in holders)
        working = sum(
            holder.state != "skipped" and (holder.state == "submitted" or holder.working)
            for holder in holders
        )
        if not 0 < skips < MOST_SKIPS or working >= protocol.overlap:
            return None
        person = _next_annotator(
            connection, row, protocol, skipped_task, {h.user_id for h in holders}
        )
        if person is None:
            return None
        assigned = _give(connection, row, skipped_task, person, None, clock or SystemClock())
        to_whom = [f"{row.name}: {skipped_task.key} to ", PersonName(person.name)]
        detail = [*to_whom, f", batch {assigned.batch}"]
        audit_in(connection, None, "skipped_task_passed_on", detail)
        return assigned


def _give(
    connection: Connection,
    campaign: Campaign,
    task: AnyRow,
    person: Person,
    former: Person | None,
    clock: Clock,
) -> TaskGiven:
    require_annotator(person)
    if task.excluded is not None:
        raise ConflictError(
            gettext("Task {key} is excluded. Include it again to give it.", key=task.key)
        )
    if stored_protocol(campaign.protocol).pilot.enabled:
        raise ConflictError(
            gettext("{campaign} is a pilot: its batches go out as a whole.", campaign=campaign.name)
        )
    require_open_to(connection, campaign, person)
    holders = {holder.user_id: holder for holder in _holders(connection, task)}
    if person.id in holders:
        raise ConflictError(
            gettext("{person} has had task {key} already.", person=person.name, key=task.key)
        )
    if former is not None:
        former_assignment = holders.get(former.id)
        if former_assignment is None or not former_assignment.working:
            raise ConflictError(
                gettext(
                    "{former} does not have task {key} any more.", former=former.name, key=task.key
                )
            )
        if former_assignment.state in SUBMITTED_OR_SKIPPED:
            raise ConflictError(
                gettext(
                    "{former} has {state} task {key}: give it to {person} as well.",
                    former=former.name,
                    state=former_assignment.state,
                    key=task.key,
                    person=person.name,
                )
            )
    batch_id, batch = _own_batch(connection, campaign, task)
    if former is not None:
        assignment_ids = select(Assignment.id).where(
            Assignment.batch_id == batch_id, Assignment.user_id == former.id
        )
        withdraw_in(connection, connection.execute(assignment_ids).scalar_one(), started=True)
    insert_assignment(connection, campaign, batch_id, batch, person, clock)
    # The task's review status depends on who has it.
    connection.execute(update(ReviewTask).where(ReviewTask.task_id == task.id).values(stale=True))
    former_name = None if former is None else former.name
    return TaskGiven(campaign.name, task.key, batch, person.name, former_name)


def _own_batch(connection: Connection, campaign: Campaign, task: AnyRow) -> tuple[int, str]:
    """Id and name of the task's own batch, created on first use."""
    old = connection.execute(select(Batch).where(Batch.id == task.batch_id)).one()
    size = select(func.count()).select_from(Task).where(Task.batch_id == old.id)
    if connection.execute(size).scalar_one() == 1:
        return old.id, old.code_name
    rows = connection.execute(select(Batch).where(Batch.campaign_id == campaign.id)).all()
    name = next(free_code_names(row.code_name for row in rows))
    position = max(row.position for row in rows) + 1
    values = {"campaign_id": campaign.id, "position": position, "code_name": name}
    result = connection.execute(insert(Batch).values(**values, priority=old.priority))
    assert result.inserted_primary_key is not None
    batch_id = int(result.inserted_primary_key[0])
    connection.execute(update(Task).where(Task.id == task.id).values(batch_id=batch_id))
    holders = _holders(connection, task)
    finished = {h.user_id for h in holders if h.working and h.state in SUBMITTED_OR_SKIPPED}
    assignments = connection.execute(select(Assignment).where(Assignment.batch_id == old.id)).all()
    for row in assignments:
        moved = insert(Assignment).values(
            batch_id=batch_id,
            user_id=row.user_id,
            seed=row.seed,
            # For people who have finished the task, the new batch is closed already.
            status="closed" if row.user_id in finished else row.status,
            created_at=row.created_at,
        )
        key = connection.execute(moved).inserted_primary_key
        assert key is not None
        connection.execute(
            update(Attempt)
            .where(Attempt.task_id == task.id, Attempt.assignment_id == row.id)
            .values(assignment_id=key[0])
        )
    return batch_id, name


@dataclass(frozen=True)
class _Holder:
    """A person who has or had a task.

    Attributes:
        state: of their attempt; ``new`` if it has no events.
        working: whether they are active and their batch is not withdrawn.
    """

    user_id: int
    state: str
    working: bool


def _holders(connection: Connection, task: AnyRow) -> list[_Holder]:
    rows = connection.execute(
        select(
            Assignment.user_id,
            func.coalesce(AttemptStateRow.status, "new").label("state"),
            ((Assignment.status != WITHDRAWN) & User.active.is_(True)).label("working"),
        )
        .join(User, User.id == Assignment.user_id)
        .outerjoin(
            Attempt,
            (Attempt.assignment_id == Assignment.id) & (Attempt.task_id == task.id),
        )
        .outerjoin(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(Assignment.batch_id == task.batch_id, User.role.not_in(NOT_PEOPLE))
    )
    return [_Holder(row.user_id, row.state, bool(row.working)) for row in rows]


def _next_annotator(
    connection: Connection,
    campaign: Campaign,
    protocol: Protocol,
    task: AnyRow,
    had_it: set[int],
) -> Person | None:
    barred = barred_pairs(connection, campaign.id) | barred_by_variants(connection, campaign)
    barred |= barred_by_own_answers(connection, campaign.id)
    free = [
        person
        for person in active_annotators(connection)
        if person.id not in had_it
        and (task.batch_id, person.id) not in barred
        and not closed_reason(connection, protocol, person.id)
    ]
    left = _tasks_left(connection)
    return min(
        free,
        key=lambda p: (left[p.id], order_seed(campaign.seed, task.key, p.name)),
        default=None,
    )


def _tasks_left(connection: Connection) -> Counter[int]:
    """User id → number of unfinished tasks in open batches."""
    rows = connection.execute(
        select(Assignment.user_id, func.count())
        .join(Task, Task.batch_id == Assignment.batch_id)
        .outerjoin(
            Attempt,
            (Attempt.assignment_id == Assignment.id) & (Attempt.task_id == Task.id),
        )
        .outerjoin(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(
            Assignment.status == "open",
            IN_BATCH,
            func.coalesce(AttemptStateRow.status, "new").not_in(SUBMITTED_OR_SKIPPED),
        )
        .group_by(Assignment.user_id)
    )
    return Counter({row[0]: row[1] for row in rows})

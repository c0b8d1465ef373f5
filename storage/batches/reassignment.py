"""Assigning one batch to a person, moving it to another, and changing its priority."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, select, update

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.sentences import count_noun
from pagetrail.storage.batches.annotators import require_annotator
from pagetrail.storage.batches.assignments import batches_in_order, insert_assignment
from pagetrail.storage.batches.withdrawal import (
    assignment_row,
    audit_if_named,
    events_note,
    mark_skipped_tasks,
    withdraw_in,
)
from pagetrail.storage.campaigns.batch_slots import taken_slots
from pagetrail.storage.campaigns.hidden_gold import require_no_check_in
from pagetrail.storage.campaigns.lookup import get_campaign, get_open_campaign
from pagetrail.storage.campaigns.own_answers import require_no_own_answer_in
from pagetrail.storage.campaigns.variants import require_no_variant_in
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import WITHDRAWN
from pagetrail.storage.database.tables import Assignment, Batch, Campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, people_by_name
from pagetrail.storage.people.audit import PersonName
from pagetrail.storage.qualification.gate import next_pilot_batch, require_open_to

LOWEST, HIGHEST = -1000, 1000
"""Bounds of a batch's priority."""


@dataclass(frozen=True)
class AssignedBatch:
    """A batch that was assigned to somebody.

    Attributes:
        reopened: whether it had been withdrawn from the same person, who resumes the earlier work.
    """

    campaign: str
    batch: str
    annotator: str
    assignment_id: int
    reopened: bool


def assign_batch(
    workspace: Workspace,
    campaign: str,
    batch: str,
    annotator: str,
    *,
    extra: bool = False,
    by: str | None = None,
) -> AssignedBatch:
    """Assign a batch to a person, or restore one that was withdrawn from them.

    Args:
        by: who assigns; recorded in the audit log in the same transaction.
        extra: whether to assign it beyond the campaign's overlap.

    Raises:
        NotFoundError: no such campaign, batch or person.
        ConflictError: the campaign is closed or requires a pilot; the person is inactive, not an
            annotator, or has the batch; or it has no free slot.
    """
    with write_transaction(workspace.engine) as connection:
        row = get_open_campaign(connection, campaign)
        (person,) = people_by_name(connection, [annotator])
        batch_row = find_batch(connection, row.id, batch)
        assigned = _give_in(connection, row, batch_row, person, extra)
        detail = [f"{row.name}: {assigned.batch} to ", PersonName(assigned.annotator)]
        audit_if_named(
            connection, by, "batch_given_back" if assigned.reopened else "batch_given", detail
        )
        return assigned


def move_batch(
    workspace: Workspace,
    assignment_id: int,
    annotator: str,
    *,
    started: bool = False,
    by: str | None = None,
) -> AssignedBatch:
    """Reassign a batch from one person to another, in one transaction.

    Args:
        started: whether to move a batch with work in it. The work stays with the person who did it;
            the new annotator starts at the first task.
        by: as ``assign_batch``.

    Raises:
        NotFoundError: no such assignment or person.
        ConflictError: as ``withdraw_batch`` and ``assign_batch``, or it is the same person.
    """
    with write_transaction(workspace.engine) as connection:
        row = assignment_row(connection, assignment_id)
        campaign = get_open_campaign(connection, row.campaign)
        (person,) = people_by_name(connection, [annotator])
        withdrawal = withdraw_in(connection, assignment_id, started=started)
        if withdrawal.annotator == person.name:
            raise ConflictError(
                gettext(
                    "{person} has batch {code_name}. Name somebody else.",
                    person=person.name,
                    code_name=row.code_name,
                )
            )
        batch = find_batch(connection, row.campaign_id, row.code_name)
        assigned = _give_in(connection, campaign, batch, person, False)
        giver, taker = PersonName(withdrawal.annotator), PersonName(assigned.annotator)
        batch_from = f"{row.campaign}: {assigned.batch} from "
        detail = [batch_from, giver, " to ", taker, events_note(withdrawal)]
        audit_if_named(connection, by, "batch_moved", detail)
        return assigned


def set_priority(
    workspace: Workspace, campaign: str, batch: str, priority: int, *, by: str | None = None
) -> int:
    """Set a batch's priority (higher comes first); returns the old one.

    Args:
        priority: -1000 … 1000; a new batch has 0.
        by: as ``assign_batch``; nothing is recorded if the priority stays the same.

    Raises:
        NotFoundError: no such campaign or batch.
        PagetrailError: a priority out of bounds (code ``invalid_priority``).
    """
    if not LOWEST <= priority <= HIGHEST:
        raise PagetrailError(
            gettext(
                "A priority must be between {lowest} and {highest}, not {priority}.",
                lowest=LOWEST,
                highest=HIGHEST,
                priority=priority,
            ),
            code="invalid_priority",
        )
    with write_transaction(workspace.engine) as connection:
        row = get_campaign(connection, campaign)
        batch_row = find_batch(connection, row.id, batch)
        connection.execute(update(Batch).where(Batch.id == batch_row.id).values(priority=priority))
        if batch_row.priority != priority:
            detail = f"{row.name}: {batch_row.code_name} from {batch_row.priority} to {priority}"
            audit_if_named(connection, by, "batch_priority", detail)
        return int(batch_row.priority)


def set_due(
    workspace: Workspace, campaign: str, batch: str, day: date | None, *, by: str | None = None
) -> None:
    """Set a batch's deadline; None removes it.

    Args:
        by: as ``assign_batch``; nothing is recorded if the day stays the same.

    Raises:
        NotFoundError: no such campaign or batch.
    """
    due = None if day is None else day.isoformat()
    with write_transaction(workspace.engine) as connection:
        row = get_campaign(connection, campaign)
        batch_row = find_batch(connection, row.id, batch)
        if batch_row.due_on == due:
            return
        connection.execute(update(Batch).where(Batch.id == batch_row.id).values(due_on=due))
        change = f"from {batch_row.due_on or 'none'} to {due or 'none'}"
        detail = f"{row.name}: {batch_row.code_name} {change}"
        audit_if_named(connection, by, "batch_due", detail)


def find_assignment(workspace: Workspace, campaign: str, batch: str, annotator: str) -> int:
    """Id of a batch's assignment to a person.

    Raises:
        NotFoundError: no such campaign, batch, person or assignment.
    """
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        batch_row = find_batch(connection, row.id, batch)
        (person,) = people_by_name(connection, [annotator])
        assignment = _assignment(connection, batch_row.id, person.id)
    if assignment is None:
        raise NotFoundError(
            gettext(
                "{person} does not have batch {code_name} of {name}.",
                person=person.name,
                code_name=batch_row.code_name,
                name=row.name,
            )
        )
    return assignment[0]


def find_batch(connection: Connection, campaign_id: int, name: str) -> Batch:
    """The campaign's batch with this code name; case is ignored.

    Raises:
        NotFoundError: there is none; the message lists the first batches.
    """
    batches = batches_in_order(connection, campaign_id)
    for row in batches:
        if row.code_name.casefold() == name.casefold():
            return row
    code_names = ", ".join(row.code_name for row in batches[:20])
    raise NotFoundError(
        gettext(
            "There is no batch {name!r}. Batches: {batches}.",
            name=name,
            batches=code_names or gettext("none yet"),
        )
    )


def _give_in(
    connection: Connection,
    campaign: Campaign,
    batch: Batch,
    person: Person,
    extra: bool,
) -> AssignedBatch:
    require_annotator(person)
    protocol = stored_protocol(campaign.protocol)
    require_open_to(connection, campaign, person)
    earlier = _assignment(connection, batch.id, person.id)
    if earlier is not None and earlier[1] != WITHDRAWN:
        raise ConflictError(
            gettext(
                "{person} already has batch {code_name}.",
                person=person.name,
                code_name=batch.code_name,
            )
        )
    if protocol.pilot.enabled:
        next_pilot_batch(
            connection, campaign.id, person.id
        )  # refuses if passed, or at another batch
    elif not extra:
        _require_free_slot(connection, campaign, batch, protocol.overlap)
    if earlier is None:
        assignment_id = insert_assignment(
            connection, campaign, batch.id, batch.code_name, person, SystemClock()
        )
    else:
        require_no_check_in(connection, campaign, batch.id, person)
        require_no_variant_in(connection, campaign, batch.id, person)
        require_no_own_answer_in(connection, campaign, batch.id, person)
        assignment_id = earlier[0]
        mark_skipped_tasks(connection, batch.id)
        connection.execute(
            update(Assignment)
            .where(Assignment.id == assignment_id)
            .values(status="open", withdrawal_shown_at=None)
        )
    return AssignedBatch(
        campaign.name, batch.code_name, person.name, assignment_id, earlier is not None
    )


def _require_free_slot(
    connection: Connection, campaign: Campaign, batch: Batch, overlap: int
) -> None:
    holders = [
        name
        for code_name, name in taken_slots(connection, campaign.id)
        if code_name == batch.code_name
    ]
    if len(holders) >= overlap:
        people = count_noun(overlap, "person", "people")
        raise ConflictError(
            gettext(
                "Batch {code_name} is for {people} and has {holders}. Withdraw it from "
                "somebody first, or assign it as an extra.",
                code_name=batch.code_name,
                people=people,
                holders=", ".join(holders),
            )
        )


def _assignment(connection: Connection, batch_id: int, user_id: int) -> tuple[int, str] | None:
    """(id, status) of the assignment of a batch to a person."""
    row = connection.execute(
        select(Assignment.id, Assignment.status).where(
            Assignment.batch_id == batch_id, Assignment.user_id == user_id
        )
    ).one_or_none()
    return None if row is None else (int(row.id), str(row.status))

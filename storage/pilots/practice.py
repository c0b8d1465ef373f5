"""Practice tasks: pilots of one task each, in the practice workspace.

Every preset has one, in a campaign of its own. Practising again gives the same task in a new batch,
as in a retraining.
"""

from __future__ import annotations

from sqlalchemy import insert, select

from pagetrail.annotation.clock import iso
from pagetrail.annotation.ports import Clock
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.decisions import decide

_REASON = "Practises again."


def practised_campaigns(workspace: Workspace, user_id: int) -> frozenset[str]:
    """The campaigns whose practice task a person has submitted."""
    statement = (
        select(Campaign.name)
        .join(Batch, Batch.campaign_id == Campaign.id)
        .join(Assignment, Assignment.batch_id == Batch.id)
        .join(Attempt, Attempt.assignment_id == Assignment.id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(Assignment.user_id == user_id, AttemptStateRow.status == "submitted")
        .distinct()
    )
    with workspace.engine.connect() as connection:
        return frozenset(connection.execute(statement).scalars())


def practice_assignment(workspace: Workspace, person: Person, campaign: str, clock: Clock) -> int:
    """The open assignment of a practice task, or a new one.

    Args:
        person: from ``app.services.practice.practising_person``.

    Raises:
        NotFoundError: no such campaign.
    """
    with write_transaction(workspace.engine) as connection:
        if connection.execute(select(User.id).where(User.id == person.id)).first() is None:
            connection.execute(
                insert(User).values(
                    id=person.id,
                    name=person.name,
                    role=person.role,
                    pseudonym=person.pseudonym,
                    created_at=iso(clock.now()),
                )
            )
    assignment, finished = _last_assignment(workspace, person, campaign)
    if assignment is None:
        claim_next_batch(workspace, campaign, person.id, clock=clock)
    elif finished:
        decide(workspace, campaign, person.name, "retrain", _REASON, by=person.name, clock=clock)
    else:
        return assignment
    newest, _ = _last_assignment(workspace, person, campaign)
    assert newest is not None
    return newest


def _last_assignment(
    workspace: Workspace, person: Person, campaign: str
) -> tuple[int | None, bool]:
    """The person's last assignment in a campaign, and whether its task is submitted."""
    statement = (
        select(Assignment.id, AttemptStateRow.status)
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(Campaign, Campaign.id == Batch.campaign_id)
        .outerjoin(Attempt, Attempt.assignment_id == Assignment.id)
        .outerjoin(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(Campaign.name == campaign, Assignment.user_id == person.id)
        .order_by(Assignment.id.desc())
        .limit(1)
    )
    with workspace.engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    return (None, False) if row is None else (row.id, row.status in SUBMITTED_OR_SKIPPED)

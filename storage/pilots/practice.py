"""Practice tasks: pilots of one task each, in a workspace of their own.

Every preset has one, in a campaign of its own. Whoever practises again gets the same task
in a new batch, as in a retraining.
"""

from __future__ import annotations

from sqlalchemy import select

from pagetrail.annotation.clock import iso
from pagetrail.annotation.ports import Clock
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import (
    ASSIGNMENTS,
    ATTEMPTS,
    BATCHES,
    CAMPAIGNS,
    RESPONSES,
    USERS,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.decisions import decide

_REASON = "Practises again."


def practised(workspace: Workspace, user_id: int) -> frozenset[str]:
    """The campaigns whose practice task a person has submitted."""
    statement = (
        select(CAMPAIGNS.c.name)
        .join(BATCHES, BATCHES.c.campaign_id == CAMPAIGNS.c.id)
        .join(ASSIGNMENTS, ASSIGNMENTS.c.batch_id == BATCHES.c.id)
        .join(ATTEMPTS, ATTEMPTS.c.assignment_id == ASSIGNMENTS.c.id)
        .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .where(ASSIGNMENTS.c.user_id == user_id, RESPONSES.c.status == "submitted")
        .distinct()
    )
    with workspace.engine.connect() as connection:
        return frozenset(connection.execute(statement).scalars())


def practice_assignment(workspace: Workspace, person: Person, campaign: str, clock: Clock) -> int:
    """The assignment of a practice task to work on: the one that is open, or else a new one.

    Args:
        person: as ``app.services.practice.practising_person`` has them.

    Raises:
        NotFoundError: no such campaign.
    """
    with write_transaction(workspace.engine) as connection:
        if connection.execute(select(USERS.c.id).where(USERS.c.id == person.id)).first() is None:
            connection.execute(
                USERS.insert().values(
                    id=person.id,
                    name=person.name,
                    role=person.role,
                    pseudonym=person.pseudonym,
                    created_at=iso(clock.now()),
                )
            )
    taken, finished = _last_assignment(workspace, person, campaign)
    if taken is None:
        claim_next_batch(workspace, campaign, person.id, clock=clock)
    elif finished:
        decide(workspace, campaign, person.name, "retrain", _REASON, by=person.name, clock=clock)
    else:
        return taken
    newest, _ = _last_assignment(workspace, person, campaign)
    assert newest is not None
    return newest


def _last_assignment(
    workspace: Workspace, person: Person, campaign: str
) -> tuple[int | None, bool]:
    """The person's last assignment of a campaign, and whether its task is submitted."""
    statement = (
        select(ASSIGNMENTS.c.id, RESPONSES.c.status)
        .join(BATCHES, BATCHES.c.id == ASSIGNMENTS.c.batch_id)
        .join(CAMPAIGNS, CAMPAIGNS.c.id == BATCHES.c.campaign_id)
        .outerjoin(ATTEMPTS, ATTEMPTS.c.assignment_id == ASSIGNMENTS.c.id)
        .outerjoin(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .where(CAMPAIGNS.c.name == campaign, ASSIGNMENTS.c.user_id == person.id)
        .order_by(ASSIGNMENTS.c.id.desc())
        .limit(1)
    )
    with workspace.engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    return (None, False) if row is None else (row.id, row.status in SUBMITTED_OR_SKIPPED)

"""Accounts with their work, and the audit log."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import case, func, select

from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, person_of
from pagetrail.storage.people.system_roles import REVIEW


@dataclass(frozen=True)
class PersonRow:
    """An account with its work.

    Attributes:
        open_batches: assigned batches that are not closed, of campaigns that are not archived.
        submitted, skipped: numbers of tasks, in all campaigns.
        last_work: when the last event was stored (ISO-8601 UTC); None if there is none.
    """

    person: Person
    open_batches: int
    submitted: int
    skipped: int
    last_work: str | None
    created_at: str


def people_overview(workspace: Workspace) -> list[PersonRow]:
    """Everybody, systems included, in the order they were added."""
    batches = (
        select(Assignment.user_id, func.count())
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(Campaign, Campaign.id == Batch.campaign_id)
        .where(Assignment.status == "open", Campaign.status != ARCHIVED)
        .group_by(Assignment.user_id)
    )
    attempt_counts = (
        select(
            Attempt.user_id,
            *(
                func.sum(case((AttemptStateRow.status == status, 1), else_=0)).label(status)
                for status in ("submitted", "skipped")
            ),
            func.max(AttemptStateRow.updated_at).label("last"),
        )
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(AttemptStateRow.last_seq > 0)
        .group_by(Attempt.user_id)
    )
    with workspace.engine.connect() as connection:
        users = connection.execute(select(User).where(User.role != REVIEW).order_by(User.id)).all()
        open_batches = {int(user): int(count) for user, count in connection.execute(batches)}
        counts_by_user = {row.user_id: row for row in connection.execute(attempt_counts)}
    return [
        PersonRow(
            person=person_of(user),
            open_batches=open_batches.get(user.id, 0),
            submitted=int(counts_by_user[user.id].submitted) if user.id in counts_by_user else 0,
            skipped=int(counts_by_user[user.id].skipped) if user.id in counts_by_user else 0,
            last_work=counts_by_user[user.id].last if user.id in counts_by_user else None,
            created_at=user.created_at,
        )
        for user in users
    ]

"""Accounts with their work, and the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import case, func, or_, select

from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Audit,
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


@dataclass(frozen=True)
class AuditEntry:
    """One line of the audit log; ``at`` is ISO-8601 UTC."""

    id: int
    at: str
    actor: str
    action: str
    detail: str


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


def audit_entries(
    workspace: Workspace,
    *,
    text: str = "",
    actions: Sequence[str] = (),
    limit: int | None = 200,
) -> list[AuditEntry]:
    """The newest entries first.

    Args:
        text: only entries with this text in actor, action or detail, ignoring ASCII case.
        actions: only these actions; empty means all.
        limit: maximum number; None means all.
    """
    statement = select(Audit).order_by(Audit.id.desc())
    if text:
        statement = statement.where(
            or_(
                *(
                    column.icontains(text, autoescape=True)
                    for column in (Audit.actor, Audit.action, Audit.detail)
                )
            )
        )
    if actions:
        statement = statement.where(Audit.action.in_(actions))
    if limit is not None:
        statement = statement.limit(limit)
    with workspace.engine.connect() as connection:
        return [
            AuditEntry(row.id, row.at, row.actor, row.action, row.detail)
            for row in connection.execute(statement)
        ]


def audit_actions(workspace: Workspace) -> list[str]:
    """The actions that occur in the log, in alphabetical order."""
    with workspace.engine.connect() as connection:
        actions = connection.execute(select(Audit.action).distinct().order_by(Audit.action))
        return list(actions.scalars())

"""Everybody at a glance: accounts with the work that hangs on them, and the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import case, func, or_, select

from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.database.tables import (
    ASSIGNMENTS,
    ATTEMPTS,
    AUDIT,
    BATCHES,
    CAMPAIGNS,
    RESPONSES,
    USERS,
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
        last_work: when the newest event was stored (ISO-8601 UTC); None without any.
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
        select(ASSIGNMENTS.c.user_id, func.count())
        .join(BATCHES, BATCHES.c.id == ASSIGNMENTS.c.batch_id)
        .join(CAMPAIGNS, CAMPAIGNS.c.id == BATCHES.c.campaign_id)
        .where(ASSIGNMENTS.c.status == "open", CAMPAIGNS.c.status != ARCHIVED)
        .group_by(ASSIGNMENTS.c.user_id)
    )
    work = (
        select(
            ATTEMPTS.c.user_id,
            *(
                func.sum(case((RESPONSES.c.status == status, 1), else_=0)).label(status)
                for status in ("submitted", "skipped")
            ),
            func.max(RESPONSES.c.updated_at).label("last"),
        )
        .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .where(RESPONSES.c.last_seq > 0)
        .group_by(ATTEMPTS.c.user_id)
    )
    with workspace.engine.connect() as connection:
        users = connection.execute(
            select(USERS).where(USERS.c.role != REVIEW).order_by(USERS.c.id)
        ).all()
        open_batches = {int(user): int(count) for user, count in connection.execute(batches)}
        done = {row.user_id: row for row in connection.execute(work)}
    return [
        PersonRow(
            person=person_of(user),
            open_batches=open_batches.get(user.id, 0),
            submitted=int(done[user.id].submitted) if user.id in done else 0,
            skipped=int(done[user.id].skipped) if user.id in done else 0,
            last_work=done[user.id].last if user.id in done else None,
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
        text: only entries with this in actor, action or detail, in whatever case (ASCII).
        actions: only these actions; empty means all.
        limit: at most so many; None means all.
    """
    statement = select(AUDIT).order_by(AUDIT.c.id.desc())
    if text:
        statement = statement.where(
            or_(
                *(
                    column.icontains(text, autoescape=True)
                    for column in (AUDIT.c.actor, AUDIT.c.action, AUDIT.c.detail)
                )
            )
        )
    if actions:
        statement = statement.where(AUDIT.c.action.in_(actions))
    if limit is not None:
        statement = statement.limit(limit)
    with workspace.engine.connect() as connection:
        return [
            AuditEntry(row.id, row.at, row.actor, row.action, row.detail)
            for row in connection.execute(statement)
        ]


def audit_actions(workspace: Workspace) -> list[str]:
    """The actions that the log has entries of, in alphabetical order."""
    with workspace.engine.connect() as connection:
        found = connection.execute(select(AUDIT.c.action).distinct().order_by(AUDIT.c.action))
        return list(found.scalars())

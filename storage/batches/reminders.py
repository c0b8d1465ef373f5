"""Reminders of batches that are due, once per deadline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import or_, select, update

from pagetrail.storage.batches.my_batches import AssignmentRow, assignments
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Assignment, Campaign, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.absences import away_on

DAYS_AHEAD = 2


@dataclass(frozen=True)
class Reminder:
    """A person's unfinished batches to be reminded of.

    Attributes:
        email: the address, or None.
        batches: earliest deadline first.
    """

    person: str
    email: str | None
    batches: tuple[AssignmentRow, ...]


def reminders(workspace: Workspace, today: date, days: int = DAYS_AHEAD) -> list[Reminder]:
    """Reminders for everybody with batches that are overdue or due within ``days`` days.

    Batches of campaigns that are not open, batches already reminded of for the same deadline, and
    people who are inactive or away today are left out.
    """
    last_day = (today + timedelta(days=days)).isoformat()
    with workspace.engine.connect() as connection:
        last_days_away = away_on(connection, today)
        people = connection.execute(
            select(User.id, User.name, User.email)
            .where(User.active, User.id.in_(select(Assignment.user_id)))
            .order_by(User.name)
        ).all()
        going_on = set(
            connection.execute(select(Campaign.name).where(Campaign.status == "open")).scalars()
        )
        reminded_deadlines = dict(
            connection.execute(select(Assignment.id, Assignment.reminded_of)).all()
        )
    due_reminders = []
    for person in people:
        if person.id in last_days_away:
            continue
        due = [
            row
            for row in assignments(workspace.engine, person.id)
            if row.is_due(date.fromisoformat(last_day))
            and row.campaign in going_on
            and reminded_deadlines.get(row.assignment_id) != row.due_on
        ]
        if due:
            due.sort(key=lambda row: (row.due_on or "", row.campaign, row.code_name))
            due_reminders.append(Reminder(person.name, person.email, tuple(due)))
    return due_reminders


def mark_reminded(workspace: Workspace, batches: Sequence[AssignmentRow]) -> list[AssignmentRow]:
    """Mark batches as reminded of before sending; returns those not marked already."""
    with write_transaction(workspace.engine) as connection:
        return [
            row
            for row in batches
            if connection.execute(
                update(Assignment)
                .where(
                    Assignment.id == row.assignment_id,
                    or_(
                        Assignment.reminded_of.is_(None),
                        Assignment.reminded_of != row.due_on,
                    ),
                )
                .values(reminded_of=row.due_on)
            ).rowcount
        ]


def unmark_reminded(workspace: Workspace, batches: Sequence[AssignmentRow]) -> None:
    """Unmark batches whose message was refused."""
    with write_transaction(workspace.engine) as connection:
        connection.execute(
            update(Assignment)
            .where(Assignment.id.in_([row.assignment_id for row in batches]))
            .values(reminded_of=None)
        )

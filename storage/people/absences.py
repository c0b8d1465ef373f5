"""Days on which people are away and are not assigned batches."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Connection, select, update

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.administration import managed_account
from pagetrail.storage.people.audit import PersonName, audit_in

Days = tuple[date, date]
"""First and last day, both included, in UTC."""


def absence_of(workspace: Workspace, name: str) -> Days | None:
    """A person's current or future absence; None if there is none."""
    with workspace.engine.connect() as connection:
        row = connection.execute(
            select(User.away_from, User.away_until).where(User.name == name)
        ).one_or_none()
    return None if row is None else _days(row.away_from, row.away_until)


def away_on(connection: Connection, day: date) -> dict[int, date]:
    """User id → last day away, for everybody who is away on that day."""
    rows = connection.execute(
        select(User.id, User.away_until).where(
            User.away_from <= day.isoformat(), User.away_until >= day.isoformat()
        )
    )
    return {row.id: date.fromisoformat(row.away_until) for row in rows}


def set_absence(
    workspace: Workspace,
    by: Person | None,
    name: str,
    days: Days | None,
) -> None:
    """Replace a person's stored absence; None removes it.

    Raises:
        PagetrailError: the last day is before the first (code ``invalid_days``).
        NotFoundError: no such person.
        ConflictError: a system.
        Forbidden: ``by`` may not do this.
    """
    if days is not None and days[1] < days[0]:
        raise PagetrailError(gettext("The last day away is before the first."), code="invalid_days")
    with write_transaction(workspace.engine) as connection:
        row = managed_account(
            connection,
            by,
            name,
            N_(
                "As {role} you may not change the absence of {person}, who is {rank}. Ask an admin."
            ),
        )
        stored = connection.execute(
            select(User.away_from, User.away_until).where(User.id == row.id)
        ).one()
        before = _days(stored.away_from, stored.away_until)
        if before == days:
            return
        first, last = (None, None) if days is None else (days[0].isoformat(), days[1].isoformat())
        connection.execute(
            update(User).where(User.id == row.id).values(away_from=first, away_until=last)
        )
        detail = [PersonName(row.name), f": {_in_words(before)} → {_in_words(days)}"]
        audit_in(connection, by, "absence_changed", detail)


def _days(first: str | None, last: str | None) -> Days | None:
    if first is None or last is None:
        return None
    return date.fromisoformat(first), date.fromisoformat(last)


def _in_words(days: Days | None) -> str:
    return "none" if days is None else f"{days[0]} to {days[1]}"

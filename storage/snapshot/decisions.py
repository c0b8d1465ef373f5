"""Decisions on answers as exports read them: withdrawn runs, and verdicts given elsewhere."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, select

from pagetrail.annotation.errors import NotFoundError
from pagetrail.storage.database.tables import RUN_DECISIONS, USERS, VERDICTS


def withdrawn_runs(connection: Connection, campaign_id: int) -> set[str]:
    """Names of the systems whose run of a campaign is withdrawn."""
    rows = connection.execute(
        select(USERS.c.name, RUN_DECISIONS.c.withdrawn)
        .join(USERS, USERS.c.id == RUN_DECISIONS.c.user_id)
        .where(RUN_DECISIONS.c.campaign_id == campaign_id)
        .order_by(RUN_DECISIONS.c.id)
    )
    last = {row.name: row.withdrawn for row in rows}
    return {name for name, withdrawn in last.items() if withdrawn}


class VerdictRow(NamedTuple):
    """A verdict that was given elsewhere.

    Attributes:
        system: who answered: a system's name or a person's pseudonym.
        answer: that was judged; None: whatever was submitted.
        value: 1 right, 0.5 partly, 0 wrong.
    """

    task: str
    system: str
    answer: str | None
    value: float
    confidence: float | None
    rationale: str | None


def verdict_rows(connection: Connection, campaign_id: int, name: str) -> list[VerdictRow]:
    """A set of outside verdicts, by task and system.

    Raises:
        NotFoundError: there is no such set; the message lists those that exist.
    """
    found = [VERDICTS.c[column] for column in VerdictRow._fields]
    own = VERDICTS.c.campaign_id == campaign_id
    wanted = select(*found).where(own, VERDICTS.c.name == name)
    rows = connection.execute(wanted.order_by(VERDICTS.c.task, VERDICTS.c.system)).all()
    if not rows:
        names = select(VERDICTS.c.name).where(own).distinct().order_by(VERDICTS.c.name)
        known = ", ".join(connection.execute(names).scalars()) or "none yet"
        raise NotFoundError(f"There are no verdicts {name!r}. Imported verdicts: {known}.")
    return [VerdictRow(*row) for row in rows]

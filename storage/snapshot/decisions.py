"""Decisions on answers as exports read them: withdrawn runs, and verdicts given elsewhere."""

from __future__ import annotations

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


def verdict_rows(
    connection: Connection, campaign_id: int, name: str
) -> list[tuple[str, str, str | None, float]]:
    """(task, system, answer judged, verdict) of a set of outside verdicts, in this order.

    Raises:
        NotFoundError: there is no such set; the message lists those that exist.
    """
    found = (VERDICTS.c.task, VERDICTS.c.system, VERDICTS.c.answer, VERDICTS.c.value)
    own = VERDICTS.c.campaign_id == campaign_id
    wanted = select(*found).where(own, VERDICTS.c.name == name)
    rows = connection.execute(wanted.order_by(VERDICTS.c.task, VERDICTS.c.system)).all()
    if not rows:
        names = select(VERDICTS.c.name).where(own).distinct().order_by(VERDICTS.c.name)
        known = ", ".join(connection.execute(names).scalars()) or "none yet"
        raise NotFoundError(f"There are no verdicts {name!r}. Imported verdicts: {known}.")
    return [(row.task, row.system, row.answer, row.value) for row in rows]

"""Decisions on answers for exports: withdrawn runs and imported verdicts."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, select

from pagetrail.storage.campaigns.verdict_sets import require_verdict_set, stored_verdict_sets
from pagetrail.storage.database.tables import OutsideVerdict, RunDecision, User


def withdrawn_runs(connection: Connection, campaign_id: int) -> set[str]:
    """Names of the systems whose run of a campaign is withdrawn."""
    rows = connection.execute(
        select(User.name, RunDecision.withdrawn)
        .join(User, User.id == RunDecision.user_id)
        .where(RunDecision.campaign_id == campaign_id)
        .order_by(RunDecision.id)
    )
    last = {row.name: row.withdrawn for row in rows}
    return {name for name, withdrawn in last.items() if withdrawn}


class VerdictRow(NamedTuple):
    """An imported verdict.

    Attributes:
        system: who answered: a system's name or a person's pseudonym.
        answer: the judged answer; None for whatever was submitted.
        value: 1 right, 0.5 partly, 0 wrong.
    """

    task: str
    system: str
    answer: str | None
    value: float
    confidence: float | None
    rationale: str | None


def verdict_rows(connection: Connection, campaign_id: int, name: str) -> list[VerdictRow]:
    """An imported set of verdicts, by task and system.

    Raises:
        NotFoundError: there is no such set; the message lists those that exist.
    """
    columns = [getattr(OutsideVerdict, name) for name in VerdictRow._fields]
    in_set = (OutsideVerdict.campaign_id == campaign_id) & (OutsideVerdict.name == name)
    order = OutsideVerdict.task, OutsideVerdict.system
    rows = connection.execute(select(*columns).where(in_set).order_by(*order)).all()
    if not rows:
        require_verdict_set(stored_verdict_sets(connection, campaign_id), name)
    return [VerdictRow(*row) for row in rows]

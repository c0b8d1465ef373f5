"""Supervisors' decisions on pilots, and the baselines stored with them. Rows are only added.

The last row with a decision counts. A row whose decision is ``baseline`` decides nothing: it only
records the results at that time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlalchemy import ColumnElement, Connection, insert, select

from pagetrail.storage.database.tables import Campaign, QualificationRow, User

Decision = Literal["admit", "retrain", "reset"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
BASELINE = "baseline"
"""Instead of a decision: only a baseline was stored."""


@dataclass(frozen=True)
class Qualification:
    """One row.

    Attributes:
        decision: ``admit``, ``retrain``, ``reset`` (by the mark alone) or ``baseline``.
        by, at: the supervisor's name; ISO-8601 UTC.
        baseline: ``annotation.comparison.baselines.Baseline`` as JSON, or empty.
        set_aside: for a retraining: code names of the batches that no longer count.
    """

    id: int
    campaign: str
    user_id: int
    user_name: str
    decision: str
    reason: str
    by: str
    at: str
    baseline: dict[str, Any]
    set_aside: tuple[str, ...]


def qualification_history(
    connection: Connection, campaign_id: int, user_id: int | None = None
) -> list[Qualification]:
    """All rows of a pilot, or one person's, oldest first."""
    conditions = [QualificationRow.campaign_id == campaign_id]
    if user_id is not None:
        conditions.append(QualificationRow.user_id == user_id)
    return _qualifications(connection, *conditions)


def current_decisions(
    connection: Connection, campaign_id: int, user_id: int | None = None
) -> dict[int, Qualification]:
    """Person → the current decision; people without one, or reset, are left out."""
    latest = latest_decisions(qualification_history(connection, campaign_id, user_id))
    return {user: row for user, row in latest.items() if row.decision != "reset"}


def latest_decisions(rows: list[Qualification]) -> dict[int, Qualification]:
    """Person → their last row with a decision, resets included."""
    return {row.user_id: row for row in rows if row.decision in DECISIONS}


def latest_baselines(rows: list[Qualification]) -> dict[int, Qualification]:
    """Person → their last row with a baseline."""
    return {row.user_id: row for row in rows if row.baseline}


def insert_qualification(
    connection: Connection,
    campaign_id: int,
    user_id: int,
    *,
    decision: str,
    reason: str,
    by: str,
    at: str,
    baseline: dict[str, Any] | None,
    set_aside: tuple[str, ...] = (),
) -> Qualification:
    """Insert a row."""
    stored = {"figures": baseline, "set_aside": list(set_aside)}
    key = connection.execute(
        insert(QualificationRow).values(
            campaign_id=campaign_id,
            user_id=user_id,
            decision=decision,
            reason=reason,
            by=by,
            at=at,
            baseline=stored,
        )
    ).inserted_primary_key
    assert key is not None
    (added,) = _qualifications(connection, QualificationRow.id == key[0])
    return added


def _qualifications(
    connection: Connection, *conditions: ColumnElement[bool]
) -> list[Qualification]:
    rows = connection.execute(
        select(
            QualificationRow,
            Campaign.name.label("campaign"),
            User.name.label("user_name"),
        )
        .join(Campaign, Campaign.id == QualificationRow.campaign_id)
        .join(User, User.id == QualificationRow.user_id)
        .where(*conditions)
        .order_by(QualificationRow.id)
    )
    return [
        Qualification(
            id=row.id,
            campaign=row.campaign,
            user_id=row.user_id,
            user_name=row.user_name,
            decision=row.decision,
            reason=row.reason,
            by=row.by,
            at=row.at,
            baseline=row.baseline.get("figures") or {},
            set_aside=tuple(row.baseline.get("set_aside") or ()),
        )
        for row in rows
    ]

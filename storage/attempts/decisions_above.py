"""Supervisors' decisions on an attempt's task, batch, campaign and guidelines.

An open screen waits for it to change (``app/services/update_waiter.py``).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Engine, bindparam, case, func, not_, select, update

from pagetrail.annotation.clock import iso
from pagetrail.annotation.ports import Clock
from pagetrail.storage.campaigns.counting_tasks import IN_BATCH
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    Batch,
    Campaign,
    GuidelineVersion,
    Task,
)

GUIDELINES_VERSION = (
    select(func.max(GuidelineVersion.id))
    .where(GuidelineVersion.campaign_id == Campaign.id)
    .correlate(Campaign)
    .scalar_subquery()
)
"""The campaign's last version of guidelines; NULL before any change."""

BATCH_SHOWN = case(
    (Task.copy_of.is_(None), Task.batch_id),
    else_=func.coalesce(Assignment.batch_id, Task.batch_id),
)
"""The batch of an attempt as its person sees it: a hidden check has that of the assignment."""

IS_EXCLUDED = not_(IN_BATCH)
"""Whether the task is excluded, as its person sees it."""

_DECISIONS = (
    select(
        Attempt.id,
        Assignment.status.label("assignment"),
        Campaign.status.label("campaign"),
        GUIDELINES_VERSION.label("guidelines"),
        IS_EXCLUDED.label("excluded"),
    )
    .join(Task, Task.id == Attempt.task_id)
    .outerjoin(Assignment, Assignment.id == Attempt.assignment_id)
    .join(Batch, Batch.id == BATCH_SHOWN)
    .join(Campaign, Campaign.id == Batch.campaign_id)
    .where(Attempt.id.in_(bindparam("attempts", expanding=True)))
)
# Built once: every event runs it while holding the write lock.
_TOLD_AT = select(Assignment.withdrawal_shown_at).where(Assignment.id == bindparam("assignment"))


@dataclass(frozen=True)
class DecisionsAbove:
    """The current decisions.

    Attributes:
        withdrawn: whether the batch was withdrawn.
        campaign: the campaign's status.
        guidelines: number of the last version of the guidelines; 0 before any change.
        excluded: whether the task is excluded.
    """

    withdrawn: bool
    campaign: str
    guidelines: int
    excluded: bool = False

    @property
    def mark(self) -> str:
        """Identifies these decisions; a screen that sends it has shown them."""
        batch = "withdrawn" if self.withdrawn else "given"
        task = "-excluded" if self.excluded else ""
        return f"{batch}-{self.campaign}-{self.guidelines}{task}"


UNDECIDED = DecisionsAbove(withdrawn=False, campaign="open", guidelines=0)


def decisions_above(engine: Engine, attempts: Collection[str]) -> dict[str, DecisionsAbove]:
    """Attempt id → decisions; attempts that no longer exist are left out."""
    with engine.connect() as connection:
        rows = connection.execute(_DECISIONS, {"attempts": list(attempts)}).all()
    return {
        row.id: DecisionsAbove(
            row.assignment == WITHDRAWN, row.campaign, row.guidelines or 0, bool(row.excluded)
        )
        for row in rows
    }


def is_withdrawal_shown(engine: Engine, assignment_id: int) -> bool:
    """Whether the annotator has been told that the batch is withdrawn."""
    with engine.connect() as connection:
        return connection.execute(_TOLD_AT, {"assignment": assignment_id}).scalar() is not None


def mark_withdrawal_shown(engine: Engine, assignment_id: int, clock: Clock) -> None:
    """Record that the annotator was told of the withdrawal; the batch accepts nothing more."""
    is_assignment = Assignment.id == assignment_id
    with write_transaction(engine) as connection:
        connection.execute(
            update(Assignment)
            .where(
                is_assignment,
                Assignment.status == WITHDRAWN,
                Assignment.withdrawal_shown_at.is_(None),
            )
            .values(withdrawal_shown_at=iso(clock.now()))
        )

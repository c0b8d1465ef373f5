"""The order in which batches are assigned and claimed, and which of their slots are taken."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from pagetrail.storage.campaigns.counting_tasks import IN_BATCH, NOT_IN_BATCH
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED, WITHDRAWN
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Task,
    User,
)

BATCH_ORDER = (Batch.priority.desc(), Batch.position)
"""Highest priority first, then as imported."""


def taken_slots(connection: Connection, campaign_id: int) -> list[tuple[str, str]]:
    """(batch code name, annotator name) of the assignments that count towards overlap.

    These are the assignments of active people, and those with every task submitted or skipped.
    Slots of inactive people with open tasks, and of withdrawn batches, are free.
    """
    n_tasks = (
        select(func.count())
        .select_from(Task)
        .where(Task.batch_id == Batch.id, IN_BATCH)
        .scalar_subquery()
    )
    completed = (
        select(func.count())
        .select_from(Attempt)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(
            Attempt.assignment_id == Assignment.id,
            Attempt.task_id.not_in(NOT_IN_BATCH),
            AttemptStateRow.status.in_(SUBMITTED_OR_SKIPPED),
        )
        .scalar_subquery()
    )
    rows = connection.execute(
        select(Batch.code_name, User.name)
        .select_from(Assignment)
        .join(User, User.id == Assignment.user_id)
        .join(Batch, Batch.id == Assignment.batch_id)
        .where(
            Batch.campaign_id == campaign_id,
            (User.active.is_(True) & (Assignment.status != WITHDRAWN))
            | (completed >= n_tasks + Assignment.checks),
        )
        .order_by(Assignment.id)
    )
    return [(row.code_name, row.name) for row in rows]

"""The tasks of a campaign as a list."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from pagetrail.storage.campaigns.counting_tasks import COUNTS
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED, WITHDRAWN
from pagetrail.storage.database.tables import Assignment, Attempt, AttemptStateRow, Batch, Task
from pagetrail.storage.database.workspace import Workspace


@dataclass(frozen=True)
class TaskRow:
    """A task in the list.

    Attributes:
        assigned: people who have its batch.
        opened: people, systems and reviewers with events in it.
        submitted, skipped: those of them who have done so.
        excluded: why it no longer counts; empty if it does.
    """

    key: str
    batch: str
    question: str
    assigned: int
    opened: int
    submitted: int
    skipped: int
    excluded: str


def list_tasks(
    workspace: Workspace,
    campaign: str,
    text: str = "",
    *,
    limit: int,
    excluded_only: bool = False,
) -> tuple[int, list[TaskRow]]:
    """The number of tasks whose id or question contains a text, and the first of them.

    Raises:
        NotFoundError: no such campaign.
    """
    question = Task.record["question"].as_string()
    holders = (
        select(func.count())
        .where(Assignment.batch_id == Task.batch_id, Assignment.status != WITHDRAWN)
        .scalar_subquery()
    )
    attempt_counts = (
        select(
            Attempt.task_id,
            func.count().filter(AttemptStateRow.last_seq > 0).label("opened"),
            *(
                func.count().filter(AttemptStateRow.status == status).label(status)
                for status in SUBMITTED_OR_SKIPPED
            ),
        )
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .group_by(Attempt.task_id)
        .subquery()
    )
    with workspace.engine.connect() as connection:
        condition = Task.campaign_id == get_campaign(connection, campaign).id
        if excluded_only:
            condition &= ~COUNTS
        if text:
            key_matches = Task.key.icontains(text, autoescape=True)
            condition &= key_matches | question.icontains(text, autoescape=True)
        total = connection.execute(select(func.count()).select_from(Task).where(condition)).scalar()
        rows = connection.execute(
            select(
                Task.key,
                Batch.code_name,
                question.label("question"),
                holders.label("assigned"),
                func.coalesce(attempt_counts.c.opened, 0).label("opened"),
                func.coalesce(attempt_counts.c.submitted, 0).label("submitted"),
                func.coalesce(attempt_counts.c.skipped, 0).label("skipped"),
                func.coalesce(Task.excluded, "").label("excluded"),
            )
            .join(Batch, Batch.id == Task.batch_id)
            .outerjoin(attempt_counts, attempt_counts.c.task_id == Task.id)
            .where(condition)
            .order_by(Task.position)
            .limit(limit)
        ).all()
    return int(total or 0), [TaskRow(*row) for row in rows]

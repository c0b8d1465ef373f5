"""The tasks of a campaign as a list."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from pagetrail.storage.campaigns.lookup import known_campaign
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED, TAKEN_BACK
from pagetrail.storage.database.tables import ASSIGNMENTS, ATTEMPTS, BATCHES, RESPONSES, TASKS
from pagetrail.storage.database.workspace import Workspace


@dataclass(frozen=True)
class TaskRow:
    """A task in the list.

    Attributes:
        assigned: people who have its batch.
        opened: people, systems and reviewers with events in it.
        submitted: those of them who have submitted or skipped it.
    """

    key: str
    batch: str
    question: str
    assigned: int
    opened: int
    submitted: int


def list_tasks(
    workspace: Workspace, campaign: str, text: str = "", *, limit: int
) -> tuple[int, list[TaskRow]]:
    """The number of tasks whose id or question contains a text, and the first of them.

    Raises:
        NotFoundError: no such campaign.
    """
    question = TASKS.c.record["question"].as_string()
    holders = (
        select(func.count())
        .where(ASSIGNMENTS.c.batch_id == TASKS.c.batch_id, ASSIGNMENTS.c.status != TAKEN_BACK)
        .scalar_subquery()
    )
    work = (
        select(
            ATTEMPTS.c.task_id,
            func.count().filter(RESPONSES.c.last_seq > 0).label("opened"),
            func.count().filter(RESPONSES.c.status.in_(SUBMITTED_OR_SKIPPED)).label("done"),
        )
        .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .group_by(ATTEMPTS.c.task_id)
        .subquery()
    )
    with workspace.engine.connect() as connection:
        wanted = TASKS.c.campaign_id == known_campaign(connection, campaign).id
        if text:
            found = TASKS.c.key.icontains(text, autoescape=True)
            wanted &= found | question.icontains(text, autoescape=True)
        total = connection.execute(select(func.count()).select_from(TASKS).where(wanted)).scalar()
        rows = connection.execute(
            select(
                TASKS.c.key,
                BATCHES.c.code_name,
                question.label("question"),
                holders.label("assigned"),
                func.coalesce(work.c.opened, 0).label("opened"),
                func.coalesce(work.c.done, 0).label("done"),
            )
            .join(BATCHES, BATCHES.c.id == TASKS.c.batch_id)
            .outerjoin(work, work.c.task_id == TASKS.c.id)
            .where(wanted)
            .order_by(TASKS.c.position)
            .limit(limit)
        ).all()
    return int(total or 0), [TaskRow(*row) for row in rows]

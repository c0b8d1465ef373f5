"""Counts the tasks of each campaign by the state of their review."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine, func, select

from pagetrail.annotation.review.status import NEEDS_REVIEWER, Status
from pagetrail.storage.campaigns.counting_tasks import COUNTS, EXCLUDED
from pagetrail.storage.database.tables import Attempt, AttemptStateRow, ReviewTask, Task
from pagetrail.storage.review.facets import reviewed_campaigns

_GOLD: tuple[Status, ...] = ("agreed", "accepted", "decided", "check", "changed", "incomplete")


@dataclass(frozen=True)
class CampaignReview:
    """A campaign's tasks by the state of their review.

    Attributes:
        open: tasks that need a reviewer.
        conflicts: those of them on which annotators differ, or that somebody flagged.
        waiting: tasks with annotators, returned ones included.
        decided: tasks with gold, accepted automatically (or about to be) or decided by a reviewer.
        flagged: tasks that somebody has flagged.
        skipped: attempts that are skipped.
    """

    campaign: str
    tasks: int
    open: int
    conflicts: int
    waiting: int
    decided: int
    flagged: int
    skipped: int


def review_overview(engine: Engine, *, pilots: bool = False) -> list[CampaignReview]:
    """The campaigns that are not archived, those with the most open tasks first.

    Args:
        pilots: include pilots.
    """
    campaigns = reviewed_campaigns(engine, pilots=pilots)
    with engine.connect() as connection:
        tasks: dict[int, int] = {
            row[0]: row[1]
            for row in connection.execute(
                select(Task.campaign_id, func.count()).where(COUNTS).group_by(Task.campaign_id)
            )
        }
        statuses: dict[int, dict[str, int]] = {}
        flagged: dict[int, int] = {}
        for row in connection.execute(
            select(
                ReviewTask.campaign_id,
                ReviewTask.status,
                func.count().label("tasks"),
                func.count().filter(ReviewTask.flagged).label("flagged"),
            )
            .where(ReviewTask.task_id.not_in(EXCLUDED))
            .group_by(ReviewTask.campaign_id, ReviewTask.status)
        ):
            statuses.setdefault(row.campaign_id, {})[row.status] = row.tasks
            flagged[row.campaign_id] = flagged.get(row.campaign_id, 0) + row.flagged
        skipped: dict[int, int] = {
            row[0]: row[1]
            for row in connection.execute(
                select(Task.campaign_id, func.count())
                .join(Attempt, Attempt.task_id == Task.id)
                .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
                .where(AttemptStateRow.status == "skipped", COUNTS)
                .group_by(Task.campaign_id)
            )
        }
    reviews = []
    for name, id_ in campaigns.items():
        counts = statuses.get(id_, {})
        unstarted = tasks.get(id_, 0) - sum(counts.values())
        reviews.append(
            CampaignReview(
                campaign=name,
                tasks=tasks.get(id_, 0),
                open=sum(counts.get(status, 0) for status in NEEDS_REVIEWER),
                conflicts=counts.get("conflict", 0),
                waiting=counts.get("waiting", 0) + counts.get("returned", 0) + unstarted,
                decided=sum(counts.get(status, 0) for status in _GOLD),
                flagged=flagged.get(id_, 0),
                skipped=skipped.get(id_, 0),
            )
        )
    return sorted(reviews, key=lambda review: -review.open)

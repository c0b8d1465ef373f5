"""The filters that a review queue offers, with the number of tasks for each choice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import Engine, false, func, not_, select, true

from pagetrail.annotation.review.status import NEEDS_REVIEWER, Status
from pagetrail.storage.campaigns.counting_tasks import COUNTS, EXCLUDED
from pagetrail.storage.database.portable_sql import json_objects
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    ReviewTask,
    Task,
    User,
)
from pagetrail.storage.people.system_roles import NOT_PEOPLE
from pagetrail.storage.review.hidden_names import hides_names

_IS_PILOT = func.coalesce(Campaign.protocol["pilot"]["enabled"].as_boolean(), false())


@dataclass(frozen=True)
class Facets:
    """The choices that a queue's filters offer.

    Attributes:
        parts: part → (its label, tasks that differ in it), the most frequent first.
        annotators: names of those who worked on any of its tasks; empty if a campaign hides them.
        batches: code names, in the campaigns' order.
        domains: of its tasks' records.
    """

    parts: dict[str, tuple[str, int]]
    annotators: tuple[str, ...]
    batches: tuple[str, ...]
    domains: tuple[str, ...]


def reviewed_campaigns(engine: Engine, *, pilots: bool = False) -> dict[str, int]:
    """Name → id of the campaigns that are not archived, those with tasks to review first.

    Args:
        pilots: include pilots, after all others. Their gold is known, so they need no decisions.
    """
    with_reviews = select(ReviewTask.campaign_id).distinct()
    statement = (
        select(Campaign.name, Campaign.id)
        .where(Campaign.status != ARCHIVED)
        .order_by(_IS_PILOT, Campaign.id.in_(with_reviews).desc(), Campaign.id)
    )
    if not pilots:
        statement = statement.where(not_(_IS_PILOT))
    with engine.connect() as connection:
        return {row.name: row.id for row in connection.execute(statement)}


def status_counts(engine: Engine, campaigns: Sequence[int]) -> dict[Status, int]:
    """Number of tasks in each status; a task that nobody has submitted waits."""
    with engine.connect() as connection:
        tasks = connection.execute(
            select(func.count()).select_from(Task).where(Task.campaign_id.in_(campaigns), COUNTS)
        ).scalar_one()
        counts: dict[Status, int] = {
            cast(Status, row[0]): row[1]
            for row in connection.execute(
                select(ReviewTask.status, func.count())
                .where(ReviewTask.campaign_id.in_(campaigns), ReviewTask.task_id.not_in(EXCLUDED))
                .group_by(ReviewTask.status)
            )
        }
    unstarted = tasks - sum(counts.values())
    if unstarted:
        counts["waiting"] = counts.get("waiting", 0) + unstarted
    return counts


def tasks_to_review(engine: Engine, campaigns: Collection[int]) -> int:
    """Number of tasks of these campaigns that need a reviewer."""
    counts = status_counts(engine, tuple(campaigns))
    return sum(counts.get(status, 0) for status in NEEDS_REVIEWER)


def part_with_label(engine: Engine, campaigns: Sequence[int], label: str) -> str | None:
    """Name of a part with this label among those compared in the campaigns; None without one."""
    parts, part = json_objects(ReviewTask.parts, "part")
    name = (
        select(part["part"].as_string())
        .select_from(ReviewTask)
        .join(parts, true())  # each task with each of its own parts
        .where(
            ReviewTask.campaign_id.in_(campaigns),
            part["label"].as_string() == label,
        )
        .limit(1)
    )
    with engine.connect() as connection:
        return connection.execute(name).scalar()


def facets(engine: Engine, campaigns: Sequence[int], statuses: Sequence[Status]) -> Facets:
    """The choices; parts are counted over the tasks in these statuses."""
    all_parts, part = json_objects(ReviewTask.parts, "part")
    name = part["part"].as_string()
    label = func.max(part["label"].as_string())
    parts = (
        select(name, label, func.count())
        .select_from(ReviewTask)
        .join(all_parts, true())  # each task with each of its own parts
        .where(
            ReviewTask.campaign_id.in_(campaigns),
            ReviewTask.status.in_(statuses),
            ReviewTask.task_id.not_in(EXCLUDED),
            part["score"].as_float() > 0,
        )
        .group_by(name)
        .order_by(func.count().desc(), name)
    )
    started = (
        select(Attempt.user_id)
        .join(Task, Task.id == Attempt.task_id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(Task.campaign_id.in_(campaigns))
    )
    annotators = (
        select(User.name)
        .where(User.id.in_(started), User.role.not_in(NOT_PEOPLE))
        .order_by(User.name)
    )
    batches = (
        select(Batch.code_name)
        .where(Batch.campaign_id.in_(campaigns))
        .order_by(Batch.campaign_id, Batch.position)
    )
    domain = Task.record["domain"].as_string()
    domains = (
        select(domain)
        .where(Task.campaign_id.in_(campaigns), domain.is_not(None), domain != "")
        .distinct()
        .order_by(domain)
    )
    with engine.connect() as connection:
        return Facets(
            parts={row[0]: (row[1], row[2]) for row in connection.execute(parts)},
            annotators=()
            if any(hides_names(connection, campaign_id) for campaign_id in campaigns)
            else tuple(connection.execute(annotators).scalars()),
            batches=tuple(dict.fromkeys(connection.execute(batches).scalars())),
            domains=tuple(connection.execute(domains).scalars()),
        )

"""Finds gold without required fields or with contradictions, stored before this was checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Engine, select

from pagetrail.annotation.attempts.completeness import decided_gold_missing
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.tasks.gold import unanswerable_problem
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.json_cache import as_text, protocol_of, record_of
from pagetrail.storage.database.tables import Campaign, ReviewTask, Task
from pagetrail.storage.review.submissions import load_task_work


@dataclass(frozen=True)
class CheckedGold:
    """The current gold of a task, with a sentence for each missing field."""

    campaign: str
    task: str
    missing: tuple[str, ...]


def checked_gold(engine: Engine) -> Iterator[CheckedGold]:
    """The gold of every task that has any, of all campaigns."""
    log = SqlEventLog(engine)
    with engine.connect() as connection:
        ids = connection.execute(
            select(ReviewTask.task_id)
            .where(ReviewTask.gold_version > 0)
            .order_by(ReviewTask.task_id)
        )
        for task_id in ids.scalars().all():
            task_work = load_task_work(connection, task_id)
            if task_work.gold is None or task_work.gold.state.review is None:
                continue
            state, review = task_work.gold.state, task_work.gold.state.review
            if not review.decided:  # reopened: the last version is current, not the draft
                events = log.events(task_work.gold.attempt)
                state = fold(e for e in events if e.seq <= (review.decided_seq or 0))
            missing = tuple(decided_gold_missing(task_work.gold_form(state)).values())
            yield CheckedGold(task_work.task.campaign, task_work.task.key, missing)


def contradictory_imports(engine: Engine) -> Iterator[CheckedGold]:
    """The tasks that were imported with gold that contradicts itself, with the reason."""
    rows = (
        select(
            Campaign.name,
            Task.key,
            as_text(Task.record).label("record"),
            as_text(Campaign.protocol).label("protocol"),
        )
        .join(Campaign, Campaign.id == Task.campaign_id)
        .order_by(Task.id)
    )
    with engine.connect() as connection:
        for row in connection.execute(rows):
            problem = unanswerable_problem(protocol_of(row.protocol), record_of(row.record))
            if problem is not None:
                yield CheckedGold(row.name, row.key, (problem,))

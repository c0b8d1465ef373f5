"""Scores of pages by a model, of which nobody who grades pages learns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert, select

from pagetrail.annotation.tasks.page_scores import ScoredPage, TaskPageScores
from pagetrail.storage.database.tables import PageScores, Task


def store_page_scores(
    connection: Connection, campaign_id: int, scores: Mapping[str, TaskPageScores]
) -> None:
    """Store the scores of tasks that were just imported, by the tasks' keys."""
    ids = {
        row.key: row.id
        for row in connection.execute(
            select(Task.id, Task.key).where(Task.campaign_id == campaign_id)
        )
    }
    rows: list[dict[str, Any]] = [
        {
            "task_id": ids[key],
            "inclusion_probability": entry.inclusion_probability,
            "scores": [list(page) for page in entry.pages],
        }
        for key, entry in scores.items()
        if key in ids
    ]
    if rows:
        connection.execute(insert(PageScores), rows)


def page_scores_of(connection: Connection, campaign_id: int) -> dict[str, TaskPageScores]:
    """Key of each task with scores → its scored pages, in the order of the tasks."""
    rows = connection.execute(
        select(Task.key, PageScores.inclusion_probability, PageScores.scores)
        .join(Task, Task.id == PageScores.task_id)
        .where(Task.campaign_id == campaign_id)
        .order_by(Task.position)
    )
    return {
        row.key: TaskPageScores(
            row.inclusion_probability, [ScoredPage(*page) for page in row.scores]
        )
        for row in rows
    }

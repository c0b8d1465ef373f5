"""Counts of a workspace, for monitoring."""

from __future__ import annotations

from sqlalchemy import Engine, func, select

from pagetrail.storage.database.tables import Attempt, AttemptStateRow, Document, EventRow, Task


def workspace_totals(engine: Engine) -> dict[str, int]:
    """Numbers of documents, tasks, attempts and events, for monitoring."""
    tables = {
        "documents": Document,
        "tasks": Task,
        "attempts": Attempt,
        "events": EventRow,
    }
    with engine.connect() as connection:
        counts = {
            name: int(connection.execute(select(func.count()).select_from(rows)).scalar_one())
            for name, rows in tables.items()
        }
        counts["submitted"] = int(
            connection.execute(
                select(func.count())
                .select_from(AttemptStateRow)
                .where(AttemptStateRow.status == "submitted")
            ).scalar_one()
        )
    return counts

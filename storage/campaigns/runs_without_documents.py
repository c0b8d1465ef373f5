"""Runs of models that were given the questions alone: they are no participants of a campaign."""

from __future__ import annotations

from sqlalchemy import ColumnElement, select

from pagetrail.storage.database.tables import Attempt, EventRow


def is_without_documents() -> ColumnElement[bool]:
    """Condition on ``Attempt``: it was imported as a run without documents."""
    imported = select(EventRow.id).where(
        EventRow.attempt_id == Attempt.id,
        EventRow.type == "run_imported",
        EventRow.payload["without_documents"].as_boolean(),
    )
    return imported.correlate(Attempt).exists()

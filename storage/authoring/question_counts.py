"""Counts of the questions that a person has written in a campaign."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, select

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.database.tables import Attempt, AttemptStateRow, Task


def authored(engine: Engine, row: AttemptRow) -> dict[str, Any] | None:
    """Counts of this person's submitted questions; None unless the campaign is for authoring.

    Returns:
        ``written``, ``multi_hop`` (those whose evidence is on two pages or more) and ``target``
        (the wanted share, or None).
    """
    question = row.protocol.question
    if question.kind != "editable":
        return None
    statement = (
        select(AttemptStateRow.state)
        .join(Attempt, Attempt.id == AttemptStateRow.attempt_id)
        .join(Task, Task.id == Attempt.task_id)
        .where(
            Task.campaign_id == row.campaign_id,
            Attempt.user_id == row.user_id,
            AttemptStateRow.status == "submitted",
            AttemptStateRow.n_citations >= 1,
        )
    )
    with engine.connect() as connection:
        states = [
            AttemptState.model_validate_json(state)
            for state in connection.execute(statement).scalars()
        ]
    return {
        "written": len(states),
        "multi_hop": sum(len(state.citations) >= 2 for state in states),
        "target": question.multi_hop_target,
    }

"""Counts of the questions that a person has written in a campaign."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, select

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.database.tables import ATTEMPTS, RESPONSES, TASKS


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
        select(RESPONSES.c.state)
        .join(ATTEMPTS, ATTEMPTS.c.id == RESPONSES.c.attempt_id)
        .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
        .where(
            TASKS.c.campaign_id == row.campaign_id,
            ATTEMPTS.c.user_id == row.user_id,
            RESPONSES.c.status == "submitted",
            RESPONSES.c.n_citations >= 1,
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

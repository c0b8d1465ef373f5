"""Counts of the questions that a person has written in a campaign."""

from __future__ import annotations

from sqlalchemy import Engine, select
from typing_extensions import TypedDict

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.database.tables import Attempt, AttemptStateRow, Task


class QuestionCounts(TypedDict):
    """Questions that a person has submitted in a campaign.

    Attributes:
        multi_hop: those with evidence on two pages or more.
        target: the share of multi-hop questions that the campaign asks for, if any.
    """

    written: int
    multi_hop: int
    target: float | None


def authored(engine: Engine, row: AttemptRow) -> QuestionCounts | None:
    """Counts of this person's submitted questions; None unless the campaign is for authoring."""
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

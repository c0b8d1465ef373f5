"""What supervisors see of a workspace: attempts in lists, and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, func, select

from annotation.response import Response
from storage.tables import (
    ATTEMPTS,
    BATCHES,
    CAMPAIGNS,
    DOCUMENTS,
    EVENTS,
    RESPONSES,
    TASKS,
    USERS,
)


def totals(engine: Engine) -> dict[str, int]:
    """Numbers of documents, tasks, attempts and events, for monitoring."""
    tables = {
        "documents": DOCUMENTS,
        "tasks": TASKS,
        "attempts": ATTEMPTS,
        "events": EVENTS,
    }
    with engine.connect() as connection:
        counts = {
            name: int(connection.execute(select(func.count()).select_from(rows)).scalar_one())
            for name, rows in tables.items()
        }
        counts["submitted"] = int(
            connection.execute(
                select(func.count()).select_from(RESPONSES).where(RESPONSES.c.status == "submitted")
            ).scalar_one()
        )
    return counts


@dataclass(frozen=True)
class AttemptSummary:
    """An attempt in a list. ``remark`` is the flag's comment or the reason of a skip."""

    attempt_id: str
    campaign: str
    code_name: str
    user_name: str
    status: str
    question: str
    remark: str


def notable_attempts(engine: Engine, campaign: str) -> list[AttemptSummary]:
    """Attempts of a campaign that were flagged or skipped."""
    statement = _summary_statement().where(
        CAMPAIGNS.c.name == campaign, RESPONSES.c.flagged | (RESPONSES.c.status == "skipped")
    )
    return _summaries(engine, statement.order_by(RESPONSES.c.updated_at))


def _summary_statement() -> Select[Any]:
    return (
        select(
            ATTEMPTS.c.id,
            CAMPAIGNS.c.name.label("campaign"),
            BATCHES.c.code_name,
            USERS.c.name.label("user_name"),
            RESPONSES.c.status,
            RESPONSES.c.state,
            TASKS.c.record,
        )
        .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
        .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
        .join(BATCHES, BATCHES.c.id == TASKS.c.batch_id)
        .join(CAMPAIGNS, CAMPAIGNS.c.id == TASKS.c.campaign_id)
    )


def _summaries(engine: Engine, statement: Select[Any]) -> list[AttemptSummary]:
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    summaries = []
    for row in rows:
        state = Response.model_validate_json(row.state)
        remarks = [
            f"Flag: {state.flag or 'no comment'}" if state.flag is not None else "",
            f"Skipped: {state.skip_reason}" if state.skip_reason else "",
        ]
        summaries.append(
            AttemptSummary(
                attempt_id=row.id,
                campaign=row.campaign,
                code_name=row.code_name,
                user_name=row.user_name,
                status=row.status,
                question=str(row.record.get("question", "")),
                remark="  ".join(filter(None, remarks)),
            )
        )
    return summaries

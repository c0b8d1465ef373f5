"""What supervisors see of a workspace: attempts in lists, and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, func, select

from annotation.response import Response
from storage.tables import (
    Assignment,
    Attempt,
    Batch,
    Campaign,
    Document,
    Event,
    ResponseRow,
    Task,
    User,
    table,
)

_A = table(Attempt)
_T = table(Task)
_B = table(Batch)
_C = table(Campaign)
_U = table(User)
_S = table(Assignment)
_R = table(ResponseRow)


def totals(engine: Engine) -> dict[str, int]:
    """Numbers of documents, tasks, attempts and events, for monitoring."""
    tables = {
        "documents": table(Document),
        "tasks": _T,
        "attempts": _A,
        "events": table(Event),
    }
    with engine.connect() as connection:
        counts = {
            name: int(connection.execute(select(func.count()).select_from(rows)).scalar_one())
            for name, rows in tables.items()
        }
        counts["submitted"] = int(
            connection.execute(
                select(func.count()).select_from(_R).where(_R.c.status == "submitted")
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


def begun_attempts(engine: Engine, limit: int = 2_000) -> list[AttemptSummary]:
    """Attempts with events, the latest work first."""
    return _summaries(engine, _summary_statement().order_by(_R.c.updated_at.desc()).limit(limit))


def notable_attempts(engine: Engine, campaign: str) -> list[AttemptSummary]:
    """Attempts of a campaign that were flagged or skipped."""
    statement = _summary_statement().where(
        _C.c.name == campaign, _R.c.flagged | (_R.c.status == "skipped")
    )
    return _summaries(engine, statement.order_by(_R.c.updated_at))


def _summary_statement() -> Select[Any]:
    return (
        select(
            _A.c.id,
            _C.c.name.label("campaign"),
            _B.c.code_name,
            _U.c.name.label("user_name"),
            _R.c.status,
            _R.c.state,
            _T.c.record,
        )
        .join(_R, _R.c.attempt_id == _A.c.id)
        .join(_U, _U.c.id == _A.c.user_id)
        .join(_T, _T.c.id == _A.c.task_id)
        .join(_B, _B.c.id == _T.c.batch_id)
        .join(_C, _C.c.id == _T.c.campaign_id)
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

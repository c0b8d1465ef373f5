"""What lies on people's desks: assigned batches with their progress, and what can be taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, case, func, select

from storage.tables import (
    Assignment,
    Attempt,
    Batch,
    Campaign,
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


@dataclass(frozen=True)
class AssignmentRow:
    """A batch on somebody's desk, with its progress."""

    assignment_id: int
    campaign: str
    title: str
    code_name: str
    status: str
    tasks: int
    submitted: int
    skipped: int
    opened: int
    flagged: int
    updated_at: str | None
    user_name: str

    @property
    def handled(self) -> int:
        """Tasks that are submitted or skipped."""
        return self.submitted + self.skipped


def assignments(engine: Engine, user_id: int | None = None) -> list[AssignmentRow]:
    """The batches on one person's desk, or on everybody's, oldest first."""
    n_tasks = select(func.count()).select_from(_T).where(_T.c.batch_id == _B.c.id).scalar_subquery()

    def count(condition: Any) -> Any:
        return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)

    statement: Select[Any] = (
        select(
            _S.c.id,
            _S.c.status,
            _C.c.name.label("campaign"),
            _C.c.protocol,
            _B.c.code_name,
            _U.c.name.label("user_name"),
            n_tasks.label("tasks"),
            count(_R.c.status == "submitted").label("submitted"),
            count(_R.c.status == "skipped").label("skipped"),
            count(_R.c.status == "open").label("opened"),
            count(_R.c.flagged).label("flagged"),
            func.max(_R.c.updated_at).label("updated_at"),
        )
        .join(_B, _B.c.id == _S.c.batch_id)
        .join(_C, _C.c.id == _B.c.campaign_id)
        .join(_U, _U.c.id == _S.c.user_id)
        .outerjoin(_A, _A.c.assignment_id == _S.c.id)
        .outerjoin(_R, _R.c.attempt_id == _A.c.id)
        .group_by(_S.c.id, _C.c.id, _B.c.id, _U.c.id)
        .order_by(_C.c.id, _B.c.position, _U.c.name)
    )
    if user_id is not None:
        statement = statement.where(_S.c.user_id == user_id)
    with engine.connect() as connection:
        rows = connection.execute(statement).all()
    return [
        AssignmentRow(
            assignment_id=row.id,
            campaign=row.campaign,
            title=row.protocol["title"],
            code_name=row.code_name,
            status=row.status,
            tasks=row.tasks,
            submitted=row.submitted,
            skipped=row.skipped,
            opened=row.opened,
            flagged=row.flagged,
            updated_at=row.updated_at,
            user_name=row.user_name,
        )
        for row in rows
    ]


def campaign_guidelines(engine: Engine, user_id: int) -> dict[str, str]:
    """Guidelines of the campaigns that a person has batches of: campaign → Markdown."""
    statement = (
        select(_C.c.name, _C.c.guidelines)
        .join(_B, _B.c.campaign_id == _C.c.id)
        .join(_S, _S.c.batch_id == _B.c.id)
        .where(_S.c.user_id == user_id)
        .distinct()
        .order_by(_C.c.name)
    )
    with engine.connect() as connection:
        return {row.name: row.guidelines for row in connection.execute(statement)}


def claimable_campaigns(engine: Engine, user_id: int) -> dict[str, int]:
    """Open campaigns with batches that want another person and are not this one's already.

    Returns:
        campaign → number of such batches.
    """
    taken = (
        select(
            _S.c.batch_id,
            func.count().label("people"),
            func.max(case((_S.c.user_id == user_id, 1), else_=0)).label("own"),
        )
        .group_by(_S.c.batch_id)
        .subquery()
    )
    statement = (
        select(
            _C.c.name,
            _C.c.protocol,
            func.coalesce(taken.c.people, 0).label("people"),
            func.coalesce(taken.c.own, 0).label("own"),
        )
        .join(_B, _B.c.campaign_id == _C.c.id)
        .outerjoin(taken, taken.c.batch_id == _B.c.id)
        .where(_C.c.status == "open")
        .order_by(_C.c.id)
    )
    free: dict[str, int] = {}
    with engine.connect() as connection:
        for row in connection.execute(statement):
            if not row.own and row.people < row.protocol["overlap"]:
                free[row.name] = free.get(row.name, 0) + 1
    return free

"""Flagged and skipped attempts, with comments and reasons, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Engine, Select, case, func, literal, or_, select

from pagetrail.annotation.messages import gettext
from pagetrail.storage.campaigns.counting_tasks import COUNTS
from pagetrail.storage.database.portable_sql import as_json, in_list, json_strings
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    ReviewTask,
    Task,
    User,
)
from pagetrail.storage.people.system_roles import NOT_PEOPLE

HandledFilter = Literal["open", "handled", "all"]
_HANDLED_IDS = json_strings(ReviewTask.handled, "marked")
IS_HANDLED = func.coalesce(
    or_(
        ReviewTask.status == "decided",
        select(literal(1))
        .select_from(_HANDLED_IDS)
        .where(_HANDLED_IDS.c.value == Attempt.id)
        .exists(),
    ),
    False,
)
"""Whether a supervisor has handled an attempt's flag or skip, or decided its task since."""

_BATCH = case((Campaign.check_kind.is_not(None), Assignment.batch_id), else_=Task.batch_id)
"""A hidden check belongs to its person's batch."""


@dataclass(frozen=True)
class FlaggedAttempt:
    """A flagged or skipped attempt.

    Attributes:
        remark: the flag's comment and the reason for skipping.
        code_name: the person's batch.
        handled: marked as handled, or its task was decided in review.
        check: kind of hidden check; None for a task of the campaign.
    """

    attempt_id: str
    task_id: int
    task_key: str
    code_name: str
    user_name: str
    status: str
    flagged: bool
    question: str
    remark: str
    updated_at: str
    handled: bool
    check: str | None


def flagged_attempts(
    engine: Engine,
    campaign_id: int,
    batch: str | None = None,
    person: str | None = None,
    *,
    handled: HandledFilter = "all",
    wrong: Sequence[str] | None = None,
    limit: int = 10,
    offset: int = 0,
) -> tuple[list[FlaggedAttempt], int]:
    """A page of the flagged and skipped attempts, latest first, and their total number.

    Attempts at hidden checks are included, since annotators' comments need an answer.

    Args:
        wrong: only these attempts; None for all.
    """
    matching = _with_context(select(Attempt.id)).where(
        or_(Campaign.id == campaign_id, Campaign.checks_of == campaign_id),
        User.role.not_in(NOT_PEOPLE),
        or_(AttemptStateRow.flagged, AttemptStateRow.status == "skipped"),
    )
    if batch is not None:
        matching = matching.where(Batch.code_name == batch)
    if person is not None:
        matching = matching.where(User.name == person)
    if wrong is not None:
        matching = matching.where(in_list(Attempt.id, wrong))
    if handled != "all":
        matching = matching.where(IS_HANDLED if handled == "handled" else ~IS_HANDLED)
    page = (
        matching.order_by(AttemptStateRow.updated_at.desc(), Attempt.id).limit(limit).offset(offset)
    ).subquery()
    # The two texts are extracted from the state only for the attempts on this page.
    state = as_json(AttemptStateRow.state)
    columns = select(
        Attempt.id,
        Attempt.task_id,
        Task.key,
        Batch.code_name,
        User.name,
        AttemptStateRow.status,
        AttemptStateRow.flagged,
        Task.record["question"].as_string().label("question"),
        state["flag"].as_string().label("flag"),
        state["skip_reason"].as_string().label("skip_reason"),
        AttemptStateRow.updated_at,
        IS_HANDLED.label("handled"),
        Campaign.check_kind,
    )
    details = _with_context(columns.join(page, page.c.id == Attempt.id)).order_by(
        AttemptStateRow.updated_at.desc(), Attempt.id
    )
    with engine.connect() as connection:
        total = connection.execute(
            select(func.count()).select_from(matching.subquery())
        ).scalar_one()
        rows = connection.execute(details).all()
    return [_notable(row) for row in rows], int(total)


def _with_context(statement: Select[Any]) -> Select[Any]:
    """Attempts joined with their state, task, campaign, batch, person and review."""
    return (
        statement.join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .join(Task, Task.id == Attempt.task_id)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .outerjoin(Assignment, Assignment.id == Attempt.assignment_id)
        .join(Batch, Batch.id == _BATCH)
        .join(User, User.id == Attempt.user_id)
        .outerjoin(ReviewTask, ReviewTask.task_id == Task.id)
        .where(COUNTS)
    )


def _notable(row: Any) -> FlaggedAttempt:
    remarks = [
        gettext("Flag: {comment}", comment=row.flag or gettext("no comment"))
        if row.flagged
        else "",
        gettext("Skipped: {reason}", reason=row.skip_reason) if row.status == "skipped" else "",
    ]
    return FlaggedAttempt(
        attempt_id=row.id,
        task_id=row.task_id,
        task_key=row.key,
        code_name=row.code_name,
        user_name=row.name,
        status=row.status,
        flagged=bool(row.flagged),
        question=row.question or "",
        remark=" · ".join(filter(None, remarks)),
        updated_at=row.updated_at,
        handled=bool(row.handled),
        check=row.check_kind,
    )

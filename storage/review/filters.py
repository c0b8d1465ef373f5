"""The tasks of a review queue and their order, as SQL conditions on one or more campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, func, literal, not_, or_, select

from pagetrail.annotation.review.status import NEEDS_REVIEWER, Status
from pagetrail.storage.campaigns.counting_tasks import COUNTS
from pagetrail.storage.database.base import AnySelect
from pagetrail.storage.database.portable_sql import json_objects
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Batch,
    ReviewTask,
    Task,
    User,
)
from pagetrail.storage.people.system_roles import NOT_PEOPLE

STATUS = func.coalesce(ReviewTask.status, "waiting")
SCORE = func.coalesce(ReviewTask.score, 0.0)
_CALM = not_(func.coalesce(ReviewTask.flagged, False))
ORDER = (Task.campaign_id, -SCORE, _CALM, Batch.position, Task.position, Task.key)
"""Campaign by campaign; in each, the largest differences first, then flagged tasks, then the
campaign's order."""


@dataclass(frozen=True)
class Filters:
    """Conditions on the tasks of a queue, all of which must hold.

    Attributes:
        statuses: in any of these.
        part: the participants differ in this part.
        annotator: name of somebody who worked on it.
        batch: its batch's code name.
        flagged: somebody flagged it.
        contradicts_dataset: everybody agrees, on something else than the dataset.
        domain: of the task's record.
        text: words of the question or the key, case aside.
    """

    statuses: tuple[Status, ...] = NEEDS_REVIEWER
    part: str | None = None
    annotator: str | None = None
    batch: str | None = None
    flagged: bool = False
    contradicts_dataset: bool = False
    domain: str | None = None
    text: str | None = None


def joined(*columns: Any) -> AnySelect:
    """Selects columns of tasks, their batches, and their review rows if there are any."""
    return (
        select(*columns)
        .select_from(Task)
        .join(Batch, Batch.id == Task.batch_id)
        .outerjoin(ReviewTask, ReviewTask.task_id == Task.id)
    )


def conditions_of(
    campaigns: Sequence[int], filters: Filters, statuses: Sequence[Status]
) -> list[ColumnElement[bool]]:
    """The filters as SQL conditions on tasks, batches and review rows."""
    conditions: list[ColumnElement[bool]] = [Task.campaign_id.in_(campaigns), COUNTS]
    if "waiting" in statuses:
        conditions.append(STATUS.in_(statuses))
    else:  # lets the database use its index
        conditions += [ReviewTask.campaign_id.in_(campaigns), ReviewTask.status.in_(statuses)]
    if filters.part is not None:
        parts, part = json_objects(ReviewTask.parts, "part")
        is_part = part["part"].as_string() == filters.part
        differs = part["score"].as_float() > 0
        conditions.append(select(literal(1)).select_from(parts).where(is_part, differs).exists())
    if filters.annotator is not None:
        started = (
            select(Attempt.task_id)
            .join(User, User.id == Attempt.user_id)
            .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
            .where(User.name == filters.annotator, User.role.not_in(NOT_PEOPLE))
        )
        conditions.append(Task.id.in_(started))
    if filters.batch is not None:
        conditions.append(Batch.code_name == filters.batch)
    if filters.flagged:
        conditions.append(ReviewTask.flagged.is_(True))
    if filters.contradicts_dataset:
        conditions.append(ReviewTask.contradicts_dataset.is_(True))
    if filters.domain is not None:
        conditions.append(Task.record["domain"].as_string() == filters.domain)
    if filters.text is not None and filters.text.strip():
        conditions.append(and_(*(_contains_word(word) for word in filters.text.split())))
    return conditions


def _contains_word(word: str) -> ColumnElement[bool]:
    # SQLite ignores the case of ASCII letters only.
    spellings = dict.fromkeys((word, word.lower(), word.upper(), word.capitalize()))
    question = Task.record["question"].as_string()
    return or_(
        *(
            column.icontains(form, autoescape=True)
            for form in (spellings if not word.isascii() else (word,))
            for column in (question, Task.key)
        )
    )

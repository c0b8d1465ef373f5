"""Edits and withdraws single tasks that nobody has opened."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from pagetrail.annotation.errors import ConflictError, InputFileError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.sentences import join_first, shortened
from pagetrail.annotation.tasks.identity import question_key
from pagetrail.annotation.tasks.task import read_task
from pagetrail.annotation.tasks.variants import VARIANT_OF
from pagetrail.storage.campaigns.counting_tasks import StoredExclusion, exclusion_of
from pagetrail.storage.campaigns.hidden_gold import require_no_hidden_gold
from pagetrail.storage.campaigns.lifecycle import require_changeable
from pagetrail.storage.campaigns.lookup import get_campaign, get_task
from pagetrail.storage.corpus.document_names import read_document_names
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    EventRow,
    PageScores,
    ReviewTask,
    Task,
    UnsentEventRow,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.checks import TaskChecker
from pagetrail.storage.importers.tasks.given_shapes import with_stored_names
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_in
from pagetrail.storage.people.roles import require_supervisor_in

_MAX_VALUE_CHARS = 60
_NAMES = 3


@dataclass(frozen=True)
class TaskDetails:
    """A stored task.

    Attributes:
        record: including its gold.
        fixed: why it can be neither edited nor withdrawn; empty if it can.
        not_editable: why it can only be withdrawn; empty if it can be edited.
        exclusion: None if it counts.
    """

    key: str
    batch: str
    record: dict[str, Any]
    fixed: str
    not_editable: str
    exclusion: StoredExclusion | None


def task_details(workspace: Workspace, campaign: str, key: str) -> TaskDetails:
    """A task, with the reasons why it cannot be changed, if any.

    Raises:
        NotFoundError: no such campaign or task.
    """
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        task = get_task(connection, row, key)
        batch = connection.execute(
            select(Batch.code_name).where(Batch.id == task.batch_id)
        ).scalar_one()
        return TaskDetails(
            key,
            batch,
            task.record,
            _fixed_reason(connection, task),
            _not_editable_reason(row),
            exclusion_of(connection, task),
        )


def edit_task(
    workspace: Workspace,
    by: Person | None,
    campaign: str,
    key: str,
    record: dict[str, Any],
    *,
    edited_record: dict[str, Any],
) -> list[str]:
    """Store a task's new record after the same checks as in an import.

    Args:
        record: all fields; its ``id`` must be the task's.
        edited_record: the record that was edited.

    Returns:
        The fields that changed; nothing is stored where there are none.

    Raises:
        NotFoundError: no such campaign or task.
        ConflictError: somebody has opened the task or changed it since, or its campaign is
            archived or judges predictions; or it would become a hidden check of somebody who has
            its batch.
        InputFileError: the record cannot be imported into this campaign; says why.
        Forbidden: ``by`` may not.
    """
    try:
        task = read_task(record)
    except ValueError as error:
        raise InputFileError(gettext("The task cannot be saved: {error}.", error=error)) from error
    except RecursionError as error:
        raise InputFileError(gettext("Its lists or objects are nested too deeply.")) from error
    if task.id != key:
        raise InputFileError(
            gettext(
                "The id of a task cannot be changed. Leave it as {key!r}, or withdraw "
                "the task and add another.",
                key=key,
            )
        )
    with write_transaction(workspace.engine) as connection:
        documents = read_document_names(connection)
        row, stored = _require_changeable_task(
            connection, by, campaign, key, N_("Only supervisors may edit tasks.")
        )
        reason = _not_editable_reason(row)
        if reason:
            raise ConflictError(reason)
        if stored.record != edited_record:
            raise ConflictError(
                gettext(
                    "Somebody else has changed task {key} since you opened it. Nothing was saved.",
                    key=key,
                ),
                code="stale",
            )
        new, _ = with_stored_names(task.to_json(), documents)
        changed = [
            name for name in {**stored.record, **new} if stored.record.get(name) != new.get(name)
        ]
        if not changed:
            return []
        if VARIANT_OF in changed:
            raise InputFileError(
                gettext(
                    "The original of a variant cannot be changed, since batches are planned by it. "
                    "Withdraw the task and add it again."
                )
            )
        protocol = stored_protocol(row.protocol)
        problem = TaskChecker(documents, protocol, set(), row.name).problem(1, read_task(new))
        if problem is not None:
            raise InputFileError(gettext("The task cannot be saved: {problem}.", problem=problem))
        require_no_hidden_gold(connection, row, stored.batch_id, key, new)
        connection.execute(
            update(Task)
            .where(Task.id == stored.id)
            .values(record=new, question_key=question_key(new))
        )
        connection.execute(
            update(ReviewTask).where(ReviewTask.task_id == stored.id).values(stale=True)
        )
        changes_shown = "; ".join(
            f"{name} {_shown_value(stored.record.get(name))} → {_shown_value(new.get(name))}"
            for name in changed
        )
        detail = f"{row.name}: {key}: {changes_shown}"
        audit_in(connection, by, "task_edited", detail)
    return changed


def withdraw_task(
    workspace: Workspace,
    by: Person | None,
    campaign: str,
    key: str,
) -> str:
    """Remove a task that nobody has opened, and its batch if it is empty then.

    The audit log keeps the record, shortened if it is long.

    Returns:
        The name of the batch that it was in.

    Raises:
        NotFoundError: no such campaign or task.
        ConflictError: somebody has opened the task; its campaign is archived; or it is the last one
            of a batch that was opened, so that only hidden checks would be left.
        Forbidden: ``by`` may not.
    """
    with write_transaction(workspace.engine) as connection:
        row, task = _require_changeable_task(
            connection, by, campaign, key, N_("Only supervisors may withdraw tasks.")
        )
        batch = connection.execute(
            select(Batch.code_name).where(Batch.id == task.batch_id)
        ).scalar_one()
        attempts = select(Attempt.id).where(Attempt.task_id == task.id)
        connection.execute(delete(AttemptStateRow).where(AttemptStateRow.attempt_id.in_(attempts)))
        connection.execute(delete(ReviewTask).where(ReviewTask.task_id == task.id))
        connection.execute(delete(Attempt).where(Attempt.task_id == task.id))
        connection.execute(delete(PageScores).where(PageScores.task_id == task.id))
        connection.execute(delete(Task).where(Task.id == task.id))
        left = select(func.count()).select_from(Task).where(Task.batch_id == task.batch_id)
        if not connection.execute(left).scalar_one():
            _require_no_checks_left(connection, task, batch)
            connection.execute(delete(Assignment).where(Assignment.batch_id == task.batch_id))
            connection.execute(delete(Batch).where(Batch.id == task.batch_id))
        record = json.dumps(task.record, ensure_ascii=False)
        detail = f"{row.name}: {key} of batch {batch}; {record}"
        audit_in(connection, by, "task_withdrawn", detail)
    return str(batch)


def _require_no_checks_left(connection: Connection, task: AnyRow, batch: str) -> None:
    """Refuse to remove a batch whose holders have hidden checks in it: these must be remembered."""
    names = (
        connection.execute(
            select(User.name)
            .join(Assignment, Assignment.user_id == User.id)
            .join(Attempt, Attempt.assignment_id == Assignment.id)
            .where(Assignment.batch_id == task.batch_id)
            .distinct()
            .order_by(User.name)
        )
        .scalars()
        .all()
    )
    if names:
        raise ConflictError(
            gettext(
                "Task {key} is the last one of batch {batch}, which {people} "
                "opened. Edit the task instead.",
                key=task.key,
                batch=batch,
                people=join_first(names, _NAMES),
            )
        )


def _require_changeable_task(
    connection: Connection, by: Person | None, campaign: str, key: str, refusal: str
) -> tuple[Campaign, AnyRow]:
    require_supervisor_in(connection, by, refusal)
    row = get_campaign(connection, campaign)
    require_changeable(row)
    task = get_task(connection, row, key)
    reason = _fixed_reason(connection, task)
    if reason:
        raise ConflictError(reason)
    return row, task


def _fixed_reason(connection: Connection, task: AnyRow) -> str:
    """Why a task cannot be changed; empty if nobody has opened it."""
    stored = [
        select(table.id).where(table.attempt_id == Attempt.id).exists()
        for table in (EventRow, UnsentEventRow)
    ]
    names = (
        connection.execute(
            select(User.name)
            .join(Attempt, Attempt.user_id == User.id)
            .join(Task, Task.id == Attempt.task_id)
            .where((Task.id == task.id) | (Task.copy_of == task.id), stored[0] | stored[1])
            .order_by(Attempt.created_at)
        )
        .scalars()
        .all()
    )
    if not names:
        return ""
    return gettext(
        "Task {key} can be neither edited nor withdrawn: {people} opened it, and work must stay "
        "with the task it was done on.",
        key=task.key,
        people=join_first(names, _NAMES),
    )


def _not_editable_reason(campaign: Campaign) -> str:
    if not stored_protocol(campaign.protocol).shows_predictions:
        return ""
    return gettext(
        "Its answers come blind from the systems' files and cannot be edited. Withdraw the task "
        "and add it again."
    )


def _shown_value(value: Any) -> str:
    text = "none" if value is None else json.dumps(value, ensure_ascii=False)
    return shortened(text, _MAX_VALUE_CHARS)

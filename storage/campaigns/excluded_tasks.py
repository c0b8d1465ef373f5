"""Excludes tasks for the future: work on them stays in the log, and counts in no result.

Nobody is given an excluded task any more. Whoever has started it is told, and can still save.
Hidden checks that are copies of it leave the results with it, but stay in the batches that have
them, so that nobody learns which tasks are checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, func, or_, select, update

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError, PagetrailError
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.sentences import join_first
from pagetrail.storage.campaigns.counting_tasks import excluded_tasks
from pagetrail.storage.campaigns.lifecycle import require_changeable
from pagetrail.storage.campaigns.lookup import get_campaign, get_task
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Assignment, Attempt, AttemptStateRow, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_in
from pagetrail.storage.people.roles import require_supervisor_in

MAX_REASON = 500
_KEYS = 5


class Exclusion(NamedTuple):
    """What excluding a task, or including it again, concerns.

    Attributes:
        attempts: attempts with events at it, which are kept.
    """

    key: str
    attempts: int


def exclusion_sentence(exclusion: Exclusion, *, excluded: bool) -> str:
    """Reports what was done."""
    kept = ngettext(
        "{number:,} attempt at it is kept.",
        "{number:,} attempts at it are kept.",
        exclusion.attempts,
    )
    if excluded:
        return gettext("Task {key} is excluded. {kept}", key=exclusion.key, kept=kept)
    return gettext("Task {key} counts again.", key=exclusion.key)


def count_excluded(workspace: Workspace, campaign: str) -> int:
    """Number of a campaign's excluded tasks.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        return len(excluded_tasks(connection, get_campaign(connection, campaign).id))


def set_excluded(
    workspace: Workspace,
    by: Person | None,
    campaign: str,
    keys: Sequence[str],
    reason: str,
    *,
    excluded: bool = True,
    clock: Clock | None = None,
) -> list[Exclusion]:
    """Exclude tasks, or include them again: all of them, or none.

    A batch that was closed without an included task is opened again for whoever had not finished
    it.

    Args:
        reason: stored with the task, and in the audit log; required.
        excluded: False to include them again.

    Raises:
        NotFoundError: no such campaign or task.
        ConflictError: the campaign is archived, or tasks are in this state already.
        PagetrailError: no reason, or a long one (code ``invalid_reason``).
        Forbidden: ``by`` may not.
    """
    reason = " ".join(reason.split())
    if not reason or len(reason) > MAX_REASON:
        raise PagetrailError(
            gettext("Give a reason of 1 to {limit} characters.", limit=MAX_REASON),
            code="invalid_reason",
        )
    clock = clock or SystemClock()
    with write_transaction(workspace.engine) as connection:
        require_supervisor_in(connection, by, N_("Only supervisors may exclude tasks."))
        row = get_campaign(connection, campaign)
        require_changeable(row)
        tasks = [get_task(connection, row, key) for key in dict.fromkeys(keys)]
        unchanged = [task.key for task in tasks if (task.excluded is not None) == excluded]
        if unchanged:
            names = join_first(unchanged, _KEYS)
            raise ConflictError(
                gettext("Already excluded: {tasks}. Nothing was changed.", tasks=names)
                if excluded
                else gettext("Not excluded: {tasks}. Nothing was changed.", tasks=names)
            )
        values = (
            {"excluded": reason, "excluded_by": by and by.id, "excluded_at": iso(clock.now())}
            if excluded
            else {"excluded": None, "excluded_by": None, "excluded_at": None}
        )
        exclusions = []
        for task in tasks:
            with_copies = or_(Task.id == task.id, Task.copy_of == task.id)
            connection.execute(update(Task).where(with_copies).values(values))
            if not excluded:
                _reopen_batches(connection, task.id)
            n_attempts = (
                select(func.count())
                .select_from(Attempt)
                .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
                .where(Attempt.task_id == task.id, AttemptStateRow.last_seq > 0)
            )
            attempts = int(connection.execute(n_attempts).scalar_one())
            exclusions.append(Exclusion(task.key, attempts))
            audit_in(
                connection,
                by,
                "task_excluded" if excluded else "task_included",
                f"{row.name}: {task.key}; {attempts:,} attempts; {reason}",
                clock=clock,
            )
    return exclusions


def _reopen_batches(connection: Connection, task_id: int) -> None:
    """Open the batches that were closed while the task was excluded and not finished."""
    closing = (
        select(Attempt.assignment_id)
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(Attempt.task_id == task_id, AttemptStateRow.status == "open")
    )
    batch = select(Task.batch_id).where(Task.id == task_id)
    has_attempt = select(Attempt.id).where(
        Attempt.assignment_id == Assignment.id, Attempt.task_id == task_id
    )
    never_given = (Assignment.batch_id == batch.scalar_subquery()) & ~has_attempt.exists()
    connection.execute(
        update(Assignment)
        .where(Assignment.status == "closed", Assignment.id.in_(closing) | never_given)
        .values(status="open")
    )

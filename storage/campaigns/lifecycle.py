"""Opening, closing and archiving campaigns.

A closed campaign assigns no new batches; those already assigned can be finished. An archived one
is hidden and read-only.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select, update

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.campaigns.counting_tasks import IN_BATCH, NOT_IN_BATCH
from pagetrail.storage.campaigns.hidden_gold import require_no_dependents
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import ARCHIVED, SUBMITTED_OR_SKIPPED
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
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_in
from pagetrail.storage.people.roles import require_supervisor_in


@dataclass(frozen=True)
class OpenWork:
    """A campaign's assigned work that is not finished.

    Attributes:
        batches: open assignments with tasks left.
        people: names of their annotators, in alphabetical order.
        left: their tasks that are neither submitted nor skipped (task × person).
        begun: the number of these tasks that have events.
    """

    batches: int = 0
    people: tuple[str, ...] = ()
    left: int = 0
    begun: int = 0

    def sentence(self) -> str:
        """The open work in words; empty if there is none."""
        if not self.batches:
            return ""
        listed_people = ", ".join(self.people[:6]) + (" …" if len(self.people) > 6 else "")
        work = {
            "batches": ngettext(
                "{number:,} assigned batch", "{number:,} assigned batches", self.batches
            ),
            "people": listed_people,
        }
        if not self.begun:
            return ngettext(
                "{batches} with {number:,} task left ({people})",
                "{batches} with {number:,} tasks left ({people})",
                self.left,
                **work,
            )
        return ngettext(
            "{batches} with {number:,} task left, {started:,} of them started ({people})",
            "{batches} with {number:,} tasks left, {started:,} of them started ({people})",
            self.left,
            **work,
            started=self.begun,
        )


def open_work(workspace: Workspace, campaign: str) -> OpenWork:
    """The unfinished work in the batches that people have.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        return open_work_in(connection, get_campaign(connection, campaign).id)


def open_work_in(connection: Connection, campaign_id: int) -> OpenWork:
    """``open_work`` on an open connection."""
    sizes = (
        select(Task.batch_id, func.count().label("tasks"))
        .where(Task.campaign_id == campaign_id, IN_BATCH)
        .group_by(Task.batch_id)
        .subquery()
    )
    attempt_counts = (
        select(
            Attempt.assignment_id,
            func.count().filter(AttemptStateRow.status.in_(SUBMITTED_OR_SKIPPED)).label("done"),
            func.count().filter(AttemptStateRow.status == "open").label("begun"),
        )
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .where(Attempt.task_id.not_in(NOT_IN_BATCH))
        .group_by(Attempt.assignment_id)
        .subquery()
    )
    rows = connection.execute(
        select(
            User.name,
            (sizes.c.tasks + Assignment.checks).label("tasks"),
            func.coalesce(attempt_counts.c.done, 0).label("done"),
            func.coalesce(attempt_counts.c.begun, 0).label("begun"),
        )
        .select_from(Assignment)
        .join(Batch, Batch.id == Assignment.batch_id)
        .join(User, User.id == Assignment.user_id)
        .join(sizes, sizes.c.batch_id == Batch.id)
        .outerjoin(attempt_counts, attempt_counts.c.assignment_id == Assignment.id)
        .where(Assignment.status == "open", Batch.campaign_id == campaign_id)
    )
    unfinished = [row for row in rows if row.done < row.tasks]
    return OpenWork(
        batches=len(unfinished),
        people=tuple(sorted({row.name for row in unfinished})),
        left=sum(row.tasks - row.done for row in unfinished),
        begun=sum(row.begun for row in unfinished),
    )


def close_campaign(
    workspace: Workspace, by: Person | None, name: str, *, clock: Clock | None = None
) -> None:
    """Stop assigning batches; those already assigned can be finished.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not open.
        Forbidden: ``by`` may not.
    """
    with write_transaction(workspace.engine) as connection:
        row = _campaign(connection, by, name)
        if row.status != "open":
            raise ConflictError(
                gettext("Campaign {name} is already {status}.", name=row.name, status=row.status)
            )
        _set_status(connection, by, row, "closed", "campaign_closed", clock)


def reopen_campaign(
    workspace: Workspace, by: Person | None, name: str, *, clock: Clock | None = None
) -> None:
    """Reopen a closed or archived campaign.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is open, holds the quality checks of another campaign, or another one
            takes hidden gold from it.
        Forbidden: ``by`` may not.
    """
    with write_transaction(workspace.engine) as connection:
        row = _campaign(connection, by, name)
        if row.status == "open":
            raise ConflictError(gettext("Campaign {name} is already open.", name=row.name))
        if row.checks_of is not None:
            raise ConflictError(
                gettext("{name} holds quality checks. It can only be read.", name=row.name)
            )
        require_no_dependents(connection, row)
        _set_status(connection, by, row, "open", "campaign_reopened", clock)


def archive_campaign(
    workspace: Workspace,
    by: Person | None,
    name: str,
    *,
    unfinished: bool = False,
    clock: Clock | None = None,
) -> OpenWork:
    """Hide a campaign from lists and from My batches; until it is reopened it is read-only.

    Args:
        unfinished: whether to archive it even if people still have open tasks in it.

    Returns:
        The work that was open.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is already archived, or work is open and ``unfinished`` is not set.
        Forbidden: ``by`` may not.
    """
    with write_transaction(workspace.engine) as connection:
        row = _campaign(connection, by, name)
        if row.status == ARCHIVED:
            raise ConflictError(gettext("Campaign {name} is already archived.", name=row.name))
        open_work_left = open_work_in(connection, row.id)
        if open_work_left.batches and not unfinished:
            raise ConflictError(
                gettext(
                    "Campaign {name} has open work: {sentence}. Have it finished or "
                    "withdraw it first, or confirm that the campaign is to be archived "
                    "unfinished.",
                    name=row.name,
                    sentence=open_work_left.sentence(),
                )
            )
        _set_status(
            connection, by, row, ARCHIVED, "campaign_archived", clock, open_work_left.sentence()
        )
        return open_work_left


def require_changeable(row: Campaign) -> None:
    """Refuse to change an archived campaign.

    Raises:
        ConflictError: it is archived.
    """
    if row.status == ARCHIVED:
        raise ConflictError(
            gettext(
                "Campaign {name} is archived and can only be read. Reopen it to change it.",
                name=row.name,
            )
        )


def _campaign(connection: Connection, by: Person | None, name: str) -> Campaign:
    require_supervisor_in(
        connection, by, N_("Only supervisors may open, close and archive campaigns.")
    )
    return get_campaign(connection, name)


def _set_status(
    connection: Connection,
    by: Person | None,
    row: Campaign,
    status: str,
    action: str,
    clock: Clock | None,
    more: str = "",
) -> None:
    connection.execute(update(Campaign).where(Campaign.id == row.id).values(status=status))
    # Whether tasks wait for more people depends on whether the campaign is open.
    connection.execute(
        update(ReviewTask).where(ReviewTask.campaign_id == row.id).values(stale=True)
    )
    detail = f"{row.name}: {row.status} → {status}" + (f"; open: {more}" if more else "")
    audit_in(connection, by, action, detail, clock=clock or SystemClock())

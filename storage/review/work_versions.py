"""Versions of the work on a task, which tell whether a comparison of it is still current."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, case, or_, select

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.json_cache import as_text
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import Attempt, AttemptStateRow, Campaign, Task, User
from pagetrail.storage.people.system_roles import NOT_PEOPLE, REVIEW
from pagetrail.storage.review.submissions import ASSIGNED, SUBMISSION_SEQ

_CAMPAIGN = (
    select(Campaign.status, as_text(Campaign.protocol).label("protocol"))
    .join(Task, Task.campaign_id == Campaign.id)
    .where(Task.id == bindparam("task"))
)
_COUNTS = or_(AttemptStateRow.status.in_(SUBMITTED_OR_SKIPPED), User.role == REVIEW)
_ATTEMPTS = (
    select(
        Attempt.id,
        User.name,
        User.role,
        AttemptStateRow.status,
        AttemptStateRow.outcome,
        AttemptStateRow.flagged,
        SUBMISSION_SEQ.label("submission_seq"),
        # Open attempts change all the time; of them, only the other columns count.
        case((_COUNTS, AttemptStateRow.last_seq), else_=0).label("last_seq"),
    )
    .join(User, User.id == Attempt.user_id)
    .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
    .where(Attempt.task_id == bindparam("task"))
    .order_by(Attempt.id)
)


class AttemptVersion(NamedTuple):
    """An attempt at a task, as far as its comparison depends on it.

    Attributes:
        submission_seq: the event that last submitted it.
        last_seq: its last event if it is submitted or gold, otherwise 0.
    """

    attempt: str
    name: str
    role: str
    status: str
    outcome: str | None
    flagged: bool
    submission_seq: int | None
    last_seq: int


class WorkVersions(NamedTuple):
    """Equal while nothing changes that a task's comparison depends on.

    Attributes:
        assigned: ids of the annotators who are assigned the task.
    """

    campaign_status: str
    protocol: str
    attempts: tuple[AttemptVersion, ...]
    assigned: tuple[int, ...]

    def sources(self) -> dict[str, int]:
        """As ``TaskWork.sources``: attempt → the event that submitted it."""
        return {
            version.attempt: version.submission_seq or 0
            for version in self.attempts
            if version.role not in NOT_PEOPLE and version.status in SUBMITTED_OR_SKIPPED
        }


def work_versions(connection: Connection, task_id: int) -> WorkVersions:
    """The versions of all work on a task.

    Raises:
        NotFoundError: no such task.
    """
    row = connection.execute(_CAMPAIGN, {"task": task_id}).one_or_none()
    if row is None:
        raise NotFoundError(gettext("There is no such task in this workspace."))
    attempts = connection.execute(_ATTEMPTS, {"task": task_id})
    return WorkVersions(
        row.status,
        row.protocol,
        tuple(AttemptVersion(*attempt) for attempt in attempts),
        tuple(connection.execute(ASSIGNED, {"task": task_id}).scalars()),
    )

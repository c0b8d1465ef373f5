"""What a task's comparison depends on, in one short query: to see whether it has changed since."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, case, or_, select

from pagetrail.annotation.errors import NotFoundError
from pagetrail.storage.database.json_cache import as_text
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import ATTEMPTS, CAMPAIGNS, RESPONSES, TASKS, USERS
from pagetrail.storage.people.system_roles import NOT_PEOPLE, REVIEW
from pagetrail.storage.review.submissions import ASSIGNED, HANDED_SEQ

_CAMPAIGN = (
    select(CAMPAIGNS.c.status, as_text(CAMPAIGNS.c.protocol).label("protocol"))
    .join(TASKS, TASKS.c.campaign_id == CAMPAIGNS.c.id)
    .where(TASKS.c.id == bindparam("task"))
)
_COUNTS = or_(RESPONSES.c.status.in_(SUBMITTED_OR_SKIPPED), USERS.c.role == REVIEW)
_ATTEMPTS = (
    select(
        ATTEMPTS.c.id,
        USERS.c.name,
        USERS.c.role,
        RESPONSES.c.status,
        RESPONSES.c.outcome,
        RESPONSES.c.flagged,
        HANDED_SEQ.label("handed_seq"),
        # What is still being worked on changes all the time; of that only the rest counts.
        case((_COUNTS, RESPONSES.c.last_seq), else_=0).label("last_seq"),
    )
    .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
    .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
    .where(ATTEMPTS.c.task_id == bindparam("task"))
    .order_by(ATTEMPTS.c.id)
)


class AttemptVersion(NamedTuple):
    """One attempt of a task, as far as others see it.

    Attributes:
        handed_seq: the event that last submitted it.
        last_seq: its last event if it is submitted or gold, otherwise 0.
    """

    attempt: str
    name: str
    role: str
    status: str
    outcome: str | None
    flagged: bool
    handed_seq: int | None
    last_seq: int


class WorkVersions(NamedTuple):
    """Equal as long as nothing has changed that the comparison of a task depends on.

    Attributes:
        assigned: ids of those who have the task.
    """

    campaign_status: str
    protocol: str
    attempts: tuple[AttemptVersion, ...]
    assigned: tuple[int, ...]

    def sources(self) -> dict[str, int]:
        """As ``TaskWork.sources``: attempt → the event that submitted it."""
        return {
            version.attempt: version.handed_seq or 0
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
        raise NotFoundError("There is no such task in this workspace.")
    attempts = connection.execute(_ATTEMPTS, {"task": task_id})
    return WorkVersions(
        row.status,
        row.protocol,
        tuple(AttemptVersion._make(each) for each in attempts),
        tuple(connection.execute(ASSIGNED, {"task": task_id}).scalars()),
    )

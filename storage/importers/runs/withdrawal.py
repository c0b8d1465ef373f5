"""Withdraws a system's run from a campaign: its events are kept, but reports exclude it."""

from __future__ import annotations

from sqlalchemy import insert, select

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.attempts import run_originals
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Attempt, RunDecision, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_user
from pagetrail.storage.people.audit import PersonName, audit_in
from pagetrail.storage.people.system_roles import SYSTEM


def set_run_withdrawn(
    workspace: Workspace,
    campaign: str,
    system: str,
    *,
    withdrawn: bool,
    reason: str,
    delete_originals: bool = False,
) -> int:
    """Withdraw or restore a run; the decision is stored and audited.

    Args:
        delete_originals: also delete the stored originals permanently; works for runs that are
            already withdrawn, too.

    Returns:
        The number of originals deleted.

    Raises:
        NotFoundError: no such campaign, or no attempts of such a system in it.
        ConflictError: the run is in this state already, or originals of a run that is not withdrawn
            should be deleted.
    """
    if delete_originals and not withdrawn:
        raise ConflictError(
            gettext("Only withdrawn runs can have their originals deleted. Omit --restore.")
        )
    clock = SystemClock()
    with write_transaction(workspace.engine) as connection:
        row = get_campaign(connection, campaign)
        user = find_user(connection, system)
        attempts = (
            select(Attempt.id)
            .join(Task, Task.id == Attempt.task_id)
            .where(Task.campaign_id == row.id)
        )
        if (
            user is None
            or user.role != SYSTEM
            or connection.execute(attempts.where(Attempt.user_id == user.id)).first() is None
        ):
            raise NotFoundError(
                gettext(
                    "Campaign {name} holds no run of a system {system!r}.",
                    name=row.name,
                    system=system,
                )
            )
        last = connection.execute(
            select(RunDecision.withdrawn)
            .where(RunDecision.campaign_id == row.id, RunDecision.user_id == user.id)
            .order_by(RunDecision.id.desc())
            .limit(1)
        ).scalar()
        if bool(last) == withdrawn and not delete_originals:
            state = "already withdrawn" if withdrawn else "not withdrawn"
            raise ConflictError(
                gettext(
                    "The run of {user} in {name} is {state}.",
                    user=user.name,
                    name=row.name,
                    state=state,
                )
            )
        timestamp = iso(clock.now())
        detail = [f"{row.name}: ", PersonName(user.name), f"; {reason}" if reason else ""]
        if bool(last) != withdrawn:
            connection.execute(
                insert(RunDecision).values(
                    campaign_id=row.id,
                    user_id=user.id,
                    withdrawn=withdrawn,
                    reason=reason,
                    at=timestamp,
                )
            )
            action = "run_withdrawn" if withdrawn else "run_restored"
            audit_in(connection, None, action, detail, clock=clock)
        if not delete_originals:
            return 0
        ids = connection.execute(attempts.where(Attempt.user_id == user.id)).scalars().all()
        deleted = run_originals.delete_originals(connection, ids, timestamp)
        audit_in(
            connection,
            None,
            "run_originals_deleted",
            [*detail, f"; {deleted:,} originals"],
            clock=clock,
        )
        return deleted

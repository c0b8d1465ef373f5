"""Copies a campaign's tasks with gold into a closed campaign."""

from __future__ import annotations

from sqlalchemy import select, update

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import with_overrides
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.annotation.protocols.sections import PilotPart
from pagetrail.annotation.tasks.batches import split_into_batches
from pagetrail.annotation.tasks.identity import RETAKE_OF
from pagetrail.annotation.tasks.task import read_task
from pagetrail.storage.batches.checks import is_usable_as_gold
from pagetrail.storage.campaigns.lookup import find_campaign, get_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import CLOSED
from pagetrail.storage.database.tables import Campaign, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.campaign_settings import check_campaign_name
from pagetrail.storage.importers.tasks.store import create_campaign, store_tasks
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_in
from pagetrail.storage.people.roles import require_supervisor_in


def copy_gold(
    workspace: Workspace,
    by: Person | None,
    campaign: str,
    name: str,
) -> int:
    """Create a closed campaign from the tasks with gold, as a source of hidden gold.

    It has the protocol of the campaign without pilot and checks. Retakes are left out, since they
    repeat other tasks.

    Args:
        name: name of the new campaign.

    Returns:
        The number of tasks copied.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: there is a campaign of that name, or no task has gold.
        PagetrailError: a name that is not allowed (code ``invalid_name``).
        Forbidden: ``by`` may not.
    """
    check_campaign_name(name)
    clock = SystemClock()
    with write_transaction(workspace.engine) as connection:
        require_supervisor_in(
            connection, by, N_("Only supervisors may copy the gold of campaigns.")
        )
        row = get_campaign(connection, campaign)
        if find_campaign(connection, name) is not None:
            raise ConflictError(
                gettext("There is a campaign {name} already. Choose another name.", name=name)
            )
        protocol = with_overrides(
            stored_protocol(row.protocol),
            {
                "requires": None,
                "quality": QualityPart().model_dump(),
                "pilot": PilotPart().model_dump(),
            },
        )
        records = connection.execute(
            select(Task.record).where(Task.campaign_id == row.id).order_by(Task.position)
        ).scalars()
        tasks = [
            read_task(record)
            for record in records
            if RETAKE_OF not in record and is_usable_as_gold(protocol, record)
        ]
        if not tasks:
            raise ConflictError(
                gettext("No task of {name} has gold. There is nothing to copy.", name=row.name)
            )
        new_campaign = create_campaign(connection, name, protocol, row.seed, row.guidelines, clock)
        store_tasks(connection, new_campaign.id, split_into_batches(tasks, protocol.batch_size))
        connection.execute(
            update(Campaign).where(Campaign.id == new_campaign.id).values(status=CLOSED)
        )
        detail = f"{row.name}: {len(tasks)} tasks to {name}"
        audit_in(connection, by, "gold_copied", detail, clock=clock)
    return len(tasks)

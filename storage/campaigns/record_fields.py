"""The fields that a campaign's task records have."""

from __future__ import annotations

from sqlalchemy import Text, cast, select

from pagetrail.storage.campaigns.lookup import known_campaign
from pagetrail.storage.database.portable_sql import json_entries
from pagetrail.storage.database.tables import Task
from pagetrail.storage.database.workspace import Workspace

_EMPTY = ("", "null", '""', "[]", "{}")


def record_fields(workspace: Workspace, campaign: str) -> list[str]:
    """The fields that have a value in any task record, in alphabetical order.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        row = known_campaign(connection, campaign)
        entries = json_entries(Task.record, "entries")
        names = (
            select(entries.c.key)
            .select_from(Task)
            .join(entries, onclause=cast(entries.c.value, Text).not_in(_EMPTY))
            .where(Task.campaign_id == row.id)
            .distinct()
        )
        return sorted(connection.execute(names).scalars())

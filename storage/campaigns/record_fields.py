"""The fields that a campaign's task records have."""

from __future__ import annotations

from sqlalchemy import Text, case, cast, func, select

from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.portable_sql import json_entries
from pagetrail.storage.database.tables import Task
from pagetrail.storage.database.workspace import Workspace

_EMPTY = ("", "null", '""', "[]", "{}")
_NUMBERS = ("integer", "real", "number")
"""The types of numbers in JSON, by SQLite's names and PostgreSQL's."""


def record_fields(workspace: Workspace, campaign: str) -> list[str]:
    """The fields that have a value in any task record, in alphabetical order.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        entries = json_entries(Task.record, "entries")
        names = (
            select(entries.c.key)
            .select_from(Task)
            .join(entries, onclause=cast(entries.c.value, Text).not_in(_EMPTY))
            .where(Task.campaign_id == row.id)
            .distinct()
        )
        return sorted(connection.execute(names).scalars())


def number_fields(workspace: Workspace, campaign: str) -> list[str]:
    """The fields whose values are numbers in all task records that have one, in that order.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        entries = json_entries(Task.record, "entries")
        is_other = case((entries.c.type.in_(_NUMBERS), 0), else_=1)
        names = (
            select(entries.c.key)
            .select_from(Task)
            .join(entries, onclause=cast(entries.c.value, Text).not_in(_EMPTY))
            .where(Task.campaign_id == row.id)
            .group_by(entries.c.key)
            .having(func.sum(is_other) == 0)
        )
        return sorted(connection.execute(names).scalars())

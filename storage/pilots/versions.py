"""Versions of pilot data: results with equal versions are equal."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, Engine, func, select

from pagetrail.storage.campaigns.lookup import known_campaign
from pagetrail.storage.database.json_cache import as_text
from pagetrail.storage.database.tables import Campaign, QualificationRow, User
from pagetrail.storage.progress.dashboard import count_events, last_event, setting_of


def pilot_version(engine: Engine, campaign: str) -> tuple[object, ...]:
    """Changes with a pilot's work, tasks, batches, assignments and decisions.

    Raises:
        NotFoundError: no such campaign.
    """
    with engine.connect() as connection:
        id_ = known_campaign(connection, campaign).id
        decided = connection.execute(select(func.max(QualificationRow.id))).scalar()
        setting = setting_of(connection, id_)
        campaigns = _campaigns(connection)
    event_count = count_events(engine, id_)
    return (event_count.events, event_count.of_gold), decided, setting, campaigns


def production_version(engine: Engine) -> tuple[object, ...]:
    """Changes with any work and any account."""
    with engine.connect() as connection:
        people = [tuple(row) for row in connection.execute(select(User.id, User.name))]
    return last_event(engine), hashlib.sha256(repr(people).encode()).hexdigest()


def _campaigns(connection: Connection) -> str:
    """A digest of all campaigns: others may require the pilot."""
    rows = connection.execute(
        select(Campaign.name, Campaign.status, as_text(Campaign.protocol)).order_by(Campaign.id)
    )
    return hashlib.sha256(repr([tuple(row) for row in rows]).encode()).hexdigest()

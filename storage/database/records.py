"""Rows of tables as typed records, for those that more than one module reads.

Made where the query is: ``CampaignRecord._make(row)`` of ``select(CAMPAIGNS)``. Fields are the
columns in the table's order, which a test holds them to.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class CampaignRecord(NamedTuple):
    """A row of ``CAMPAIGNS``; ``protocol`` is a ``Protocol`` as JSON."""

    id: int
    name: str
    protocol: dict[str, Any]
    guidelines: str
    seed: int
    status: str
    created_at: str
    claims: dict[str, Any]
    checks_of: int | None
    check_kind: str | None


class BatchRecord(NamedTuple):
    """A row of ``BATCHES``."""

    id: int
    campaign_id: int
    position: int
    code_name: str
    priority: int
    due_on: str | None


class EventRecord(NamedTuple):
    """A row of ``EVENTS``; ``payload`` is the event's own fields as JSON text."""

    id: int
    attempt_id: str
    seq: int
    type: str
    version: int
    server_ts: str
    client_ts: str | None
    elapsed_ms: int
    actor: str
    client_event_id: str
    payload: str

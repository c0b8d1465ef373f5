"""The audit log as people read it."""

from __future__ import annotations

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import audit_entries


def audited(workspace: Workspace, action: str = "") -> list[tuple[str, str, str]]:
    """Actor, action and detail of all entries, or of one action's, the oldest first."""
    entries = audit_entries(workspace, actions=[action] if action else (), limit=None)
    return [(entry.actor, entry.action, entry.detail) for entry in reversed(entries)]

"""The small workspace for tests that share a server: an account and copies of tasks for each."""

from __future__ import annotations

from pathlib import Path

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support import small_workspace as small
from tests.e2e.support.reused_tab import add_person, import_copies
from tests.e2e.support.shared_server import ACCOUNTS, add_accounts


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``; nobody has worked."""
    workspace = small.collection(root)
    add_person(workspace)
    for campaign, (keys, settings) in small.CAMPAIGNS.items():
        rows = small.rows_of(keys)
        guidelines = small.GUIDELINES
        import_copies(workspace, root, campaign, "search", settings, rows, guidelines=guidelines)
    add_accounts(workspace)
    small.import_campaigns(workspace, root, overlap=len(ACCOUNTS))
    return workspace

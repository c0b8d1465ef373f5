"""The tests of this package share a server."""

from __future__ import annotations

from tests.e2e.support import preset_workspace
from tests.e2e.support.reused_tab import reused_tab, task_of
from tests.e2e.support.shared_server import (
    account_of,
    server,
    shared_server,
    template_of,
    unused_accounts,
    workspace,
)

__all__ = [
    "account_of",
    "reused_tab",
    "server",
    "shared_server",
    "task_of",
    "template",
    "unused_accounts",
    "workspace",
]

template = template_of("task_modes", preset_workspace.build)
"""The workspace of the presets that verify, write and train."""

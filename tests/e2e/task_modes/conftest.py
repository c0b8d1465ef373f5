"""The tests of this package share a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.support import preset_workspace
from tests.e2e.support.shared_server import (
    account_of,
    server,
    shared_server,
    unused_accounts,
    workspace,
)

__all__ = ["account_of", "server", "shared_server", "unused_accounts", "workspace"]


@pytest.fixture(scope="package")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace of the presets that verify, write and train."""
    made = preset_workspace.build(tmp_path_factory.mktemp("task_modes"))
    made.engine.dispose()
    return made.root

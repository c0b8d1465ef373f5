"""The tests of this package share a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.support import grading_workspace
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
    """A workspace of campaigns that grade, review and judge."""
    made = grading_workspace.build(tmp_path_factory.mktemp("fields"))
    made.engine.dispose()
    return made.root

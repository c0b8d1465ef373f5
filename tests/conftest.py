"""Fixtures that more than one package's tests use."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from pagetrail.storage.database.workspace import Workspace
from tests.support.shortcuts import take_shortcuts

take_shortcuts()

# No deadline: a slow machine is not a failed test. A function-scoped fixture holds a folder that
# every example overwrites. `ci` draws the same examples in every run; `scripts/test --random`
# draws others under a seed that it prints.
settings.register_profile(
    "random",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("ci", settings.get_profile("random"), derandomize=True, database=None)
settings.load_profile("ci")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A new, empty workspace."""
    return Workspace.create(tmp_path / "ws")

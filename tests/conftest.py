"""Fixtures that more than one package's tests use."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from storage.workspace import Workspace

# Tests do not time: what a loaded machine takes longer for is not wrong.
settings.register_profile("pagetrail", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pagetrail")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A new, empty workspace."""
    return Workspace.create(tmp_path / "ws")

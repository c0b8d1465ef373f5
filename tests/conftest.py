"""Fixtures that more than one package's tests use."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.storage.database.workspace import Workspace
from tests.support.randomness import register_profiles
from tests.support.shortcuts import take_shortcuts

register_profiles()
take_shortcuts()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A new, empty workspace."""
    return Workspace.create(tmp_path / "ws")

"""Fixtures that more than one package's tests use."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A new, empty workspace."""
    return Workspace.create(tmp_path / "ws")

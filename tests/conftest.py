"""Fixtures that more than one package's tests use."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from pagetrail.storage.database.workspace import Workspace
from tests.support.randomness import register_profiles
from tests.support.shortcuts import take_shortcuts

UNMEASURED = ("browser", "hypothesis")
"""Marks of tests without which coverage is measured, since measuring takes longer than they do."""

register_profiles()
take_shortcuts()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A new, empty workspace."""
    return Workspace.create(tmp_path / "ws")


def pytest_collection_finish() -> None:
    """What is imported and collected stays: looking at it again and again takes time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Coverage says what the examples written by hand run; the browser's server is not here."""
    coverage = sys.modules.get("coverage")
    measuring = coverage.Coverage.current() if coverage else None
    if measuring is None or not any(map(item.get_closest_marker, UNMEASURED)):
        return (yield)
    measuring.stop()
    try:
        return (yield)
    finally:
        measuring.start()

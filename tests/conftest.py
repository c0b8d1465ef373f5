"""Fixtures that more than one package's tests use."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from pagetrail.storage.database.location import DATABASE_URL, address_wanted
from pagetrail.storage.database.workspace import Workspace
from tests.support.postgresql import new_database
from tests.support.randomness import register_profiles
from tests.support.shortcuts import take_shortcuts

register_profiles()
take_shortcuts()


@pytest.fixture
def workspace(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Workspace:
    """A new, empty workspace; a test with the parameter ``postgresql`` has one there."""
    if getattr(request, "param", "sqlite") == "postgresql":
        monkeypatch.setenv(DATABASE_URL, new_database())
    return Workspace.create(tmp_path / "ws", address_wanted())


_LONG = Path(__file__).with_name("long_tests.txt")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the listed tests as long: folders, modules, or tests without their parameters."""
    listed = [
        line
        for line in _LONG.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    for item in items:
        test = item.nodeid.partition("[")[0]
        if any(test == entry or test.startswith((f"{entry}/", f"{entry}::")) for entry in listed):
            item.add_marker("long")


def pytest_collection_finish() -> None:
    """What is imported and collected stays: looking at it again and again takes time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)  # a twelfth of the time went into looking for cycles

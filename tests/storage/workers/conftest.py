"""What starts and ends worker processes is tested with processes that start as installed."""

from __future__ import annotations

import pytest

from pagetrail.storage.workers import process
from tests.support.forked_workers import LAUNCH


@pytest.fixture(autouse=True)
def started_as_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is forked."""
    monkeypatch.setattr(process, "_launch", LAUNCH)

"""Two servers and processes of PostgreSQL are killed while people work (``scripts/kill9.py``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.storage.database.location import DATABASE_URL
from scripts.kill9 import run
from tests.deploy.chosen import on_demand


@on_demand
def test_nothing_is_lost_with_two_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both write to the same attempts and decide the same tasks."""
    monkeypatch.setenv(DATABASE_URL, "")  # put back in the end
    report = run(20, tmp_path, seed=1, replicas=2)
    assert report.wrong == []
    assert report.kills == 20
    assert report.database_kills > 0
    assert report.acknowledged == report.stored > 200
    assert report.decisions > 0

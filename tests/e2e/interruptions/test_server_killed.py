"""The server is killed while people work; ``scripts/kill9.py`` does it 200 times."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.storage.database.location import DATABASE_URL
from scripts.kill9 import run


def test_no_acknowledged_event_is_lost_or_doubled(tmp_path: Path) -> None:
    """Five kills at random moments: the log holds exactly what was acknowledged, each once.

    That holds for annotators' events, also in texts and tables, and for what supervisors do.
    """
    report = run(5, tmp_path, seed=1)
    assert report.wrong == []
    assert report.kills == 5
    assert report.acknowledged == report.log.stored > 50
    assert report.log.edits > 10, "of texts and tables"
    assert report.acts > 10
    assert report.log.decisions > 0
    assert report.requests_broken > 0, "the kills must have been felt"


def test_nothing_is_lost_with_two_servers_on_postgresql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten kills of a server or of PostgreSQL's processes, while both servers write the same."""
    monkeypatch.setenv(DATABASE_URL, "")  # put back in the end
    report = run(10, tmp_path, seed=1, replicas=2)
    assert report.wrong == []
    assert report.kills == 10
    assert 0 < report.database_kills < 10
    assert report.acknowledged == report.log.stored > 100
    assert report.log.decisions > 0

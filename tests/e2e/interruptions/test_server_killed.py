"""The server is killed while people work; ``scripts/kill9.py`` does it 200 times."""

from __future__ import annotations

from pathlib import Path

from scripts.kill9 import run


def test_no_acknowledged_event_is_lost_or_doubled(tmp_path: Path) -> None:
    """Five kills at random moments: the log holds exactly what was acknowledged, each once.

    That holds for annotators' events and for what supervisors do.
    """
    report = run(5, tmp_path, seed=1)
    assert report.wrong == []
    assert report.kills == 5
    assert report.acknowledged == report.stored > 50
    assert report.acts > 10
    assert report.decisions > 0
    assert report.requests_broken > 0, "the kills must have been felt"

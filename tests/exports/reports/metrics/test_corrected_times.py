"""The note on attempts during which the server's clock was set."""

from __future__ import annotations

import pytest

from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.metrics.effort import times
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.resampling import Resampling
from tests.annotation.metrics.made_rows import make_row


@pytest.mark.parametrize(
    ("corrected", "notes"),
    [
        (0, []),
        (1, ["During 1 attempt the server"]),
        (2, ["During 2 attempts the server"]),
    ],
)
def test_times_count_corrected_attempts(corrected: int, notes: list[str]) -> None:
    """Below the times, and only where there are such attempts."""
    rows = [
        MeasuredAttempt.from_row(make_row(f"q{n}", time_corrected=n < corrected)) for n in range(3)
    ]
    people = Participant("Humans", "humans", rows, [])
    _, *others = times([people], Options("first", 60, Resampling(20, 7))).notes
    assert len(others) == len(notes)
    assert all(note in other for note, other in zip(notes, others, strict=True))

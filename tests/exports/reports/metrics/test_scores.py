"""The table of scores, one row per attempt."""

from __future__ import annotations

import pandas as pd

from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.metrics.scores import score_values
from tests.annotation.metrics.made_rows import make_row


def test_the_mean_of_correct_leaves_out_unanswerable_tasks() -> None:
    """Those have ``recognised``, so that a mean by annotator is accuracy on answerable tasks."""
    attempts = [
        make_row("q1", True),
        make_row("q2", False),
        make_row("q3", True, unanswerable=True),
        make_row("q4", True, unanswerable=True),
    ]
    frame = pd.DataFrame([score_values(MeasuredAttempt.from_row(row)) for row in attempts])
    assert frame.groupby("annotator").correct.mean().to_dict() == {"Ada": 0.5}
    assert frame.recognised.tolist() == [None, None, True, True]


def test_confidence_and_the_mark_of_guesses_are_the_last_columns() -> None:
    """Confidence is empty where the system stated none."""
    attempts = [make_row("q1", True, confidence=0.75), make_row("q2", True)]
    frame = pd.DataFrame([score_values(MeasuredAttempt.from_row(row)) for row in attempts])
    assert [*frame.columns[-2:]] == ["confidence", "without_documents"]
    assert frame.confidence.isna().tolist() == [False, True] and frame.confidence[0] == 0.75

"""The overlap of boxes beside a page in review, against the agreement report."""

from __future__ import annotations

import pytest

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.review import Submission
from pagetrail.app.reviewing.page_comparison import zone_overlaps
from tests.exports.reports.agreement.people import (
    DOC,
    GOOD,
    POOR,
    SIZE,
    People,
    drew,
    graded,
    lines,
)


def test_whoever_ended_early_is_in_no_overlap() -> None:
    """Ada and Bo overlap by a third; Cy drew, too, and then found the query poor. Review shows the
    report's numbers, of Ada and Bo alone.
    """
    people = People(preset("relevance"))
    people.task("q1", pages=(1, 2))
    left, right = drew(1, 0, 0, 20, 10), drew(1, 10, 0, 30, 10)
    for person, box in (("ada", left), ("bo", right)):
        people.did("q1", person, GOOD, graded(1, 2), box, graded(2, 0), outcome="answered")
    people.did("q1", "cy", GOOD, graded(2, 2), drew(2, 0, 0, 9, 9), graded(1, 2), left, POOR)
    submissions = [
        Submission(
            Form(people.protocol, fold(attempt.events), [(DOC, 1), (DOC, 2)]),
            attempt.head.user,
            attempt.head.user,
        )
        for attempt in people.source().database.attempts(1)
    ]
    (overlap,) = zone_overlaps(submissions, lambda _document, _page: SIZE)
    assert [(pair["a"], pair["b"]) for pair in overlap["pairs"]] == [("ada", "bo")]
    assert (overlap["page"], overlap["iou"], overlap["dice"]) == (1, pytest.approx(1 / 3), 0.5)
    assert overlap["iou"] == lines(people.report(), "boxes")["Pooled"]["iou"].value

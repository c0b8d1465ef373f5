"""The error cascade."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.metrics.attribution import F1
from pagetrail.annotation.metrics.cascade import error_cascade, stage, stage_of
from tests.annotation.metrics.made_rows import make_row


@pytest.mark.parametrize(
    ("answered", "doc", "page", "correct", "expected"),
    [
        (False, 0.0, 0.0, False, "no_answer"),
        (False, None, None, False, "no_answer"),
        (False, None, None, None, None),
        (True, 0.0, 0.0, False, "retrieval"),
        (True, 0.0, 0.0, True, "correct"),
        (True, 0.5, 0.0, False, "navigation"),
        (True, 1.0, 0.0, True, "correct"),
        (True, 1.0, 0.1, False, "comprehension"),
        (True, 1.0, 0.1, True, "correct"),
        (True, None, None, False, None),
        (True, 1.0, 0.1, None, None),
        (True, 0.5, 0.0, None, None),
    ],
)
def test_the_stage_of_an_attempt(
    answered: bool, doc: float | None, page: float | None, correct: bool | None, expected: str
) -> None:
    """MADQA H.3: correct whatever was cited; only what is incorrect failed somewhere."""
    assert stage(answered=answered, doc_f1=doc, page_f1=page, correct=correct) == expected


def test_a_cascade_by_hand() -> None:
    """One row without an answer, one each in retrieval, navigation and comprehension; of the two
    correct ones one cites no right document.
    """
    cascade = error_cascade(
        [
            make_row("q1", False, answered=False, page=0.0, doc=0.0),
            make_row("q2", False, page=0.0, doc=0.0),
            make_row("q3", True, page=0.0, doc=0.0),
            make_row("q4", False, page=0.0, doc=0.5),
            make_row("q5", False, page=0.5),
            make_row("q6", True, page=0.5),
        ]
    )
    assert cascade.n == 6
    assert {name: stage.counts["part"] for name, stage in cascade.stages.items()} == {
        "no_answer": 1,
        "retrieval": 1,
        "navigation": 1,
        "comprehension": 1,
        "correct": 2,
    }
    assert cascade.stages["retrieval"].value == pytest.approx(1 / 6)
    assert cascade.stages["correct"].value == pytest.approx(2 / 6)


def test_people_of_a_task_share_its_weight() -> None:
    """q1: one of three people is correct, one fails in retrieval, one gives no answer; q2: one
    person fails in navigation. Each of q1's stages has 1/3 of 1 of 2 tasks.
    """
    cascade = error_cascade(
        [
            make_row("q1", True, system="Ada", page=0.0, doc=0.0),
            make_row("q1", False, system="Bo", page=0.0, doc=0.0),
            make_row("q1", False, system="Cy", answered=False, page=0.0, doc=0.0),
            make_row("q2", False, system="Ada", page=0.0, doc=0.5),
        ]
    )
    sixth = pytest.approx(1 / 6)
    assert {name: stage.value for name, stage in cascade.stages.items()} == {
        "no_answer": sixth,
        "retrieval": sixth,
        "navigation": pytest.approx(1 / 2),
        "comprehension": 0,
        "correct": sixth,
    }
    assert cascade.n == 4


def test_rows_in_no_stage_are_counted() -> None:
    """Unanswerable, without gold, without citations asked for, and undecided, failed or not."""
    not_asked = F1(value=None, reason="no_citations_asked", precision=None, recall=None)
    cascade = error_cascade(
        [
            make_row("q1", unanswerable=True),
            make_row("q2", page=None, doc=None),
            make_row("q3", None),
            make_row("q4", page_f1=not_asked, doc_f1=not_asked),
            make_row("q5", None, answered=False, page=0.0, doc=0.0),
        ]
    )
    assert cascade.left_out == {
        "no_citations_asked": 1,
        "no_gold_evidence": 1,
        "unanswerable": 1,
        "undecided": 2,
    }
    assert (cascade.n, cascade.stages["correct"].value) == (0, None)
    assert cascade.stages["correct"].reason == "no_rows"


F1_VALUES = st.sampled_from([None, 0.0, 0.4, 1.0])
ROWS = st.lists(
    st.builds(
        make_row,
        correct=st.sampled_from([True, False, None]),
        page=F1_VALUES,
        doc=F1_VALUES,
        answered=st.booleans(),
        unanswerable=st.booleans(),
    ).filter(lambda row: (row.page_f1.value is None) == (row.doc_f1.value is None)),
    max_size=20,
)


@given(ROWS)
def test_a_cascade_partitions_its_rows(rows: list[Any]) -> None:
    """Every row is in exactly one stage or left out for one reason, and the shares sum to 1."""
    cascade = error_cascade(rows)
    assert sum(stage.counts["part"] for stage in cascade.stages.values()) == cascade.n
    assert cascade.n + sum(cascade.left_out.values()) == len(rows)
    if cascade.n:
        assert sum(stage.value or 0 for stage in cascade.stages.values()) == pytest.approx(1)
    for row in rows:
        if (found_stage := stage_of(row)) is not None:
            assert (found_stage == "correct") == row.correct

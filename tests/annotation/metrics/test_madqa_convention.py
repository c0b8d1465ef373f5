"""MADQA's evaluator: its rules, row by row, and means that were worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from anls_star import anls_score

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.madqa_convention import (
    Evaluator,
    ScoredRow,
    Scores,
    differing_parts,
    gold_task,
    scores,
)

TASKS: list[dict[str, Any]] = [
    {
        "id": "q1",
        "question": " How many? ",
        "answer_variants": [["42"], ["forty-two otters", "many"]],
        "evidence": [{"document": "a.pdf", "page": 4}, {"document": "a.pdf", "page": 5}],
    },
    {
        "id": "q2",
        "question": "Who?",
        "answer_variants": [["Ada Lovelace"]],
        "evidence": [{"document": "b.pdf", "page": 1}],
        "evidence_left_out": [{"document": "a.pdf", "page": 0}],
    },
    {"id": "q3", "question": "None?", "unanswerable": True, "answer_variants": None},
]
RIGHT = {"id": "q1", "question": "How many?", "answer": "42"}


@pytest.fixture
def evaluator() -> Evaluator:
    """Over the three tasks."""
    return Evaluator(map(gold_task, TASKS))


@pytest.mark.parametrize(
    ("citations", "page_f1", "doc_f1"),
    [
        ([{"file": "a.pdf", "page": 4}, {"document": "a.pdf", "page": 5}], 1, 1),
        ([{"file": "a.pdf", "page": "4"}], 0, 1),
        ([{"file": "a.pdf", "page": 4.0}], 2 / 3, 1),
        ([{"file": "a.pdf"}, {"file": "a.pdf", "page": 4}], 2 / 3, 1),
        ([{"file": "a.pdf", "page": 0}, {"file": "a.pdf", "page": 4}], 1 / 2, 1),
        ([{"file": "", "document": "a.pdf", "page": 4}], 2 / 3, 1),
        ([{"file": "", "page": 4}], 0, 0),
        ([{"page": 4}], 0, 0),
        ([{"file": "c.pdf", "document": "a.pdf", "page": 4}], 0, 0),
        ([], 0, 0),
        (None, 0, 0),
    ],
)
def test_citations_as_they_are(
    evaluator: Evaluator, citations: Any, page_f1: float, doc_f1: float
) -> None:
    """Pages of another type, page 0 and citations without a page or name are what they are."""
    row = evaluator.row(RIGHT | {"citations": citations})
    assert row is not None
    assert (row.page_f1, row.doc_f1) == (pytest.approx(page_f1), pytest.approx(doc_f1))
    assert row.hop == "cross_page"


@pytest.mark.parametrize(
    "answer",
    ["42", ["42"], [42], ["", "42"], [""], "", ["many", "Forty-two  otters"], [None], {"42": 1}],
)
def test_answers_as_they_are(evaluator: Evaluator, answer: Any) -> None:
    """Against the package that the evaluator scores with, in lower case, the best variant."""
    answer_parts = [answer] if isinstance(answer, str) else list(answer)
    expected = max(
        anls_score([str(part).lower() for part in answer_parts], [part.lower() for part in variant])
        for variant in TASKS[0]["answer_variants"]
    )
    row = evaluator.row(RIGHT | {"answer": answer})
    assert row is not None and row.anls == pytest.approx(expected, abs=1e-12)


def test_rows_that_say_little(evaluator: Evaluator) -> None:
    """No answer, no id, an unanswerable task, unknown rows; by question before id."""
    for row in ({"question": "Who?"}, {"id": "q2", "answer": None}, {"id": "q2", "answer": 0}):
        scored_row = evaluator.row(row)
        assert scored_row == ScoredRow("cross_doc", 0.0, 0.0, 0.0, 0.0)
    assert evaluator.row({"id": "q3", "answer": "x"}) == ScoredRow("single", 0.0, 0.0, 0.0, 0.0)
    assert evaluator.row({"id": "q9", "question": "?"}) is None
    by_question = evaluator.row({"id": "q1", "question": "Who? ", "answer": "ada lovelace"})
    assert by_question is not None and by_question.anls == 1
    page_0 = evaluator.row({"id": "q2", "citations": [{"file": "a.pdf", "page": 0}]})
    assert page_0 is not None and page_0.page_f1 == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "row",
    [
        [],
        {"question": None},
        RIGHT | {"answer": 7},
        RIGHT | {"citations": ["a.pdf"]},
        RIGHT | {"citations": [{"document": []}]},
        RIGHT | {"iterations": 10**400},
    ],
)
def test_rows_at_which_the_evaluator_ends(evaluator: Evaluator, row: Any) -> None:
    """They are an error here too, and no score is made up for them."""
    with pytest.raises(MeasureError):
        evaluator.row(row)


@pytest.mark.parametrize(
    ("effort", "steps"),
    [
        ({"search_history": [1, 2, 3], "iterations": 9}, 3),
        ({"search_history": [], "iterations": 9}, 9),
        ({"iterations": "4"}, 4),
        ({"iterations": -1}, 0),
        ({"iterations": None}, 0),
    ],
)
def test_effort(evaluator: Evaluator, effort: dict[str, Any], steps: float) -> None:
    """Searches, else iterations; what is no positive number is no effort."""
    row = evaluator.row(RIGHT | effort)
    assert row is not None and row.steps == steps


def test_means() -> None:
    """Every row counts in the means; rows without effort are in neither Kuiper nor waste."""

    def row(steps: float, anls: float) -> ScoredRow:
        return ScoredRow("single", anls, 0.5, 1.0, steps)

    # In the order of effort, ties as they come: right, wrong, right, wrong; the mean is 1/2.
    rows = [row(2, 0.0), row(1, 1.0), row(2, 0.5), row(9, 0.4), row(0, 1.0)]
    run_scores = scores(rows)
    assert run_scores == Scores(
        n=5,
        accuracy=3 / 5,
        anls=pytest.approx(2.9 / 5),
        page_f1=0.5,
        doc_f1=1.0,
        kuiper=pytest.approx(0.5),
        wasted_effort=pytest.approx((2 + 9) / 2 / 1.5),
    )
    assert scores([]) is None
    wrong = scores([row(1, 0.0)])
    assert wrong is not None and (wrong.kuiper, wrong.wasted_effort) == (None, None)
    right = scores([row(1, 1.0)])
    assert right is not None and (right.kuiper, right.wasted_effort) == (None, 0.0)


def test_adversarial_rows_score_as_in_the_evaluator() -> None:
    """261 generated rows; expected: OxRML/MADQA eval/evaluate.py at 59f58c0, anls-star 1.0.1."""
    lines = (Path(__file__).parent / "madqa_rows.jsonl").read_text(encoding="ascii").splitlines()
    assert len(lines) == 261
    for line in lines:
        case = json.loads(line)
        assert _scores_of(case["tasks"], case["row"]) == case["expected"], case


def _scores_of(tasks: list[dict[str, Any]], row: Any) -> Any:
    try:
        scored = Evaluator(map(gold_task, tasks)).row(row)
    except MeasureError:
        return "error"
    if scored is None:
        return None
    return {
        "anls": scored.anls,
        "correct": scored.correct,
        "doc_f1": scored.doc_f1,
        "page_f1": scored.page_f1,
        "steps": "inf" if scored.steps == float("inf") else scored.steps,
        "hop_type": scored.hop,
    }


@pytest.mark.parametrize(
    "left_out", [None, "a.pdf", [{"page": 0}], [{"document": "", "page": 0}], [{"page": 7}], [3]]
)
def test_left_out_evidence_without_a_document_is_no_gold(left_out: Any) -> None:
    """A reference that names no document is no page to find."""
    task = TASKS[0] | {"evidence_left_out": left_out}
    assert gold_task(task) == gold_task(TASKS[0])


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({}, ()),
        ({"answer": " 42 "}, ()),
        ({"answer": ["42", ""]}, ("answer",)),
        ({"answer": 42}, ("answer",)),
        ({"citations": [{"document": "a.pdf", "page": 4.0}] * 2}, ()),
        ({"citations": [{"file": "a.pdf", "page": "4"}]}, ("citations",)),
        ({"citations": [{"file": "a.pdf", "page_number": 4}]}, ("citations",)),
        ({"citations": None, "iterations": 2}, ("citations", "effort")),
        ({"search_history": ["q"], "iterations": 9}, ()),
    ],
)
def test_parts_that_the_evaluator_reads_differently(
    change: dict[str, Any], parts: tuple[str, ...]
) -> None:
    """By what is compared, not by spelling: white space, repetitions and 4.0 for 4 are the same."""
    stored = {
        "answer": ["42"],
        "citations": [{"file": "a.pdf", "page": 4}],
        "search_history": [],
        "iterations": 1,
    }
    assert differing_parts(stored | change, stored) == parts

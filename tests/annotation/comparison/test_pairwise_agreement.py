"""Agreement of one person with gold and with others, against results worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.agreement import coefficients
from pagetrail.annotation.attempts.boxes import Boxes, PageBox
from pagetrail.annotation.attempts.form_state import FieldValue
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.page_state import Citation
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import gold_submission
from pagetrail.annotation.comparison.pairwise_agreement import (
    LEAST,
    Compared,
    IntervalEstimate,
    Similarity,
    mean_estimate,
)
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides

DOC = "report.pdf"
SEARCH = preset("search")
REVIEW = preset("qa_review")


def answered(text: str, *pages: int, protocol: Protocol = SEARCH) -> Form:
    """A submitted answer with these pages cited."""
    cited = tuple(Citation(document=DOC, page=page, seq=1) for page in pages)
    outcome = "answered" if text else "not_found"
    state = AttemptState(status="submitted", outcome=outcome, answer_text=text, citations=cited)
    return Form(protocol, state)


def record(answer: str, *pages: int) -> dict[str, Any]:
    """A task with gold."""
    return {
        "question": "?",
        "answer_variants": [[answer]],
        "evidence": [{"document": DOC, "page": page} for page in pages],
    }


def reviewed(**values: str) -> Form:
    """A submitted review of a pair."""
    fields = tuple(FieldValue(field=name, value=value, seq=1) for name, value in values.items())
    return Form(REVIEW, AttemptState(status="submitted", outcome="completed", fields=fields), [])


def with_gold(compared: Compared, task: str, form: Form, record: dict[str, Any]) -> None:
    """Take in a task beside its gold."""
    compared.add(task, Submission(form), gold_submission(form.protocol, record))


def with_other(compared: Compared, task: str, form: Form, other: Form) -> None:
    """Take in a task beside another's work."""
    compared.add(task, Submission(form), Submission(other))


def by_key(likeness: Similarity) -> dict[str, tuple[IntervalEstimate, IntervalEstimate]]:
    """Field → (percent agreement, AC1)."""
    return {field.key: (field.percent, field.ac1) for field in likeness.fields}


def test_with_gold_by_hand() -> None:
    """Five tasks: three answers right; pages F1 of 1, 1, 2/3, 0 and 1; outcomes 4 of 5."""
    compared = Compared()
    answers = [
        ("42", (1,)), ("42", (1,)), ("42", (1, 2)), ("otters", (9,)), ("", (1,)),
    ]  # fmt: skip
    for n, (text, pages) in enumerate(answers):
        with_gold(compared, f"t{n}", answered(text, *pages), record("42", 1))
    likeness = compared.similarity()
    assert likeness.tasks == 5
    assert likeness.anls.value == pytest.approx(3 / 5)
    assert likeness.page_f1.value == pytest.approx((1 + 1 + 2 / 3 + 0 + 1) / 5)
    assert likeness.iou == IntervalEstimate(n=0, reason="too_few")
    percent, ac1 = by_key(likeness)["task-outcome"]
    assert percent.value == pytest.approx(0.8) and percent.n == 5
    # π of "answered" is 9/10 and of "not found" 1/10: p_e of three outcomes by Gwet's formula.
    categories = 3 if SEARCH.answer.unanswerable else 2
    chance = (0.9 * 0.1 + 0.1 * 0.9) / (categories - 1)
    assert ac1.value == pytest.approx((0.8 - chance) / (1 - chance))


def test_too_few_tasks_give_a_reason_and_no_number() -> None:
    """Four tasks give no agreement, whatever their answers; their number is reported."""
    compared = Compared()
    for n in range(LEAST - 1):
        with_gold(compared, f"t{n}", answered("42", 1), record("42", 1))
    likeness = compared.similarity()
    for estimate in (likeness.anls, likeness.page_f1, *by_key(likeness)["task-outcome"]):
        assert estimate == IntervalEstimate(n=LEAST - 1, reason="too_few")


def test_answers_are_compared_as_plain_texts() -> None:
    """A soft hyphen that came along with a copied text does not lower the similarity."""
    compared = Compared()
    for n in range(LEAST):
        with_other(compared, f"t{n}", answered("budget"), answered("bud\u00adget"))
    assert compared.similarity().anls.value == 1


def test_what_the_gold_leaves_open_is_not_compared() -> None:
    """A gold of one field says nothing of the others, and an unanswerable task of no answer."""
    compared = Compared()
    for n in range(LEAST):
        task = {"question": "?", "gold": {"fields": {"complete": "yes" if n else "no"}}}
        with_gold(compared, f"t{n}", reviewed(complete="yes", human_like="no"), task)
    agreement_by_key = by_key(compared.similarity())
    assert set(agreement_by_key) == {"complete"}
    assert agreement_by_key["complete"][0].value == pytest.approx(0.8)
    unanswerable = Compared()
    with_gold(unanswerable, "t", answered("42", 1), {"question": "?", "unanswerable": True})
    assert unanswerable.similarity().anls.n == 0


def test_fields_of_pages_are_compared_page_by_page() -> None:
    """Only pages whose gold is stated; the task is the cluster."""
    compared = Compared()
    for n in range(LEAST):
        pages = [{"document": DOC, "page": 1, "fields": {"source_required": "required"}}]
        field_values = tuple(
            FieldValue(field="source_required", document=DOC, page=page, value=value, seq=1)
            for page, value in ((1, "required" if n else "not_required"), (2, "required"))
        )
        self_contained = FieldValue(field="self_contained", value="yes", seq=1)
        state = AttemptState(
            status="submitted", outcome="completed", fields=(*field_values, self_contained)
        )
        form = Form(REVIEW, state, [(DOC, 1), (DOC, 2)])
        with_gold(compared, f"t{n}", form, {"question": "?", "gold": {"pages": pages}})
    percent, _ = by_key(compared.similarity())["source_required"]
    assert (percent.value, percent.n) == (pytest.approx(0.8), 5)


def test_boxes_by_their_overlap() -> None:
    """Half of the union in common is an IoU of a half; nothing drawn is 0."""
    boxes = with_overrides(SEARCH, {"boxes.enabled": True, "boxes.labels": [{"name": "Text"}]})
    compared = Compared()
    gold = {"boxes": [{"document": DOC, "page": 1, "rect": [0, 0, 20, 10], "label": "Text"}]}
    for n in range(LEAST):
        box = PageBox(id="b1", document=DOC, page=1, rect=(0, 0, 10, 10), label="Text", seq=1)
        drawn_boxes = Boxes(boxes=(box,)) if n else Boxes()
        state = AttemptState(status="submitted", outcome="answered", boxes=drawn_boxes)
        with_gold(compared, f"t{n}", Form(boxes, state), {"question": "?", "gold": gold})
    assert compared.similarity().iou.value == pytest.approx(4 * 0.5 / 5)


def test_with_others_pair_by_pair() -> None:
    """Two others on each task are averaged first; AC1 is that of the pairs."""
    compared = Compared()
    rows = []
    for n in range(6):
        first_value = "yes" if n < 4 else "no"
        for second_value in ("yes", "no" if n == 0 else "yes"):
            with_other(
                compared, f"t{n}", reviewed(complete=first_value), reviewed(complete=second_value)
            )
            rows.append([first_value, second_value])
    percent, ac1 = by_key(compared.similarity())["complete"]
    spec = REVIEW.field("complete")
    assert spec is not None
    codes = sorted({option.code for option in spec.options if option.code is not None})
    scale = {"no": codes[0], "yes": codes[-1]} if codes else {"no": "no", "yes": "yes"}
    expected = coefficients(
        [[scale[a], scale[b]] for a, b in rows],
        categories=codes or [option.value for option in spec.options],
    )
    assert percent.value == pytest.approx(7 / 12) and percent.n == 12
    assert ac1.value == pytest.approx(expected["gwet_ac"].value)
    answers = Compared()
    for n in range(LEAST):
        with_other(answers, f"t{n}", answered("42", 1), answered("42", 1, 2))
        with_other(answers, f"t{n}", answered("42", 1), answered("", 3))
    likeness = answers.similarity()
    assert likeness.anls.value == pytest.approx(0.5)
    assert likeness.page_f1.value == pytest.approx((2 / 3 + 0) / 2)


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.floats(0, 1)), max_size=20))
def test_a_mean_lies_in_its_interval(scored: list[tuple[str, float]]) -> None:
    """From five tasks on there is a value within its interval; below, the number of tasks."""
    estimate = mean_estimate(scored)
    assert estimate.n == len({task for task, _ in scored})
    assert (estimate.value is None) == (estimate.n < LEAST)
    if estimate.value is not None and estimate.low is not None and estimate.high is not None:
        assert estimate.low - 1e-9 <= estimate.value <= estimate.high + 1e-9


def test_the_form_of_the_gold_has_no_more_than_the_gold() -> None:
    """Fields, pages and outcome as they are stated; without an answer the outcome is open."""
    task = {"question": "?", "gold": {"fields": {"complete": "no"}}}
    form = gold_submission(REVIEW, task).form
    assert [(v.field, v.value) for v in form.state.fields] == [("complete", "no")]
    assert form.state.outcome is None
    assert gold_submission(SEARCH, record("42", 1)).form.state.outcome == "answered"
    expected_outcome = "unanswerable" if SEARCH.answer.unanswerable else "not_found"
    assert gold_submission(SEARCH, {"unanswerable": True}).form.state.outcome == expected_outcome

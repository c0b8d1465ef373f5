"""Ties stay open, and nothing about the gold depends on the order of annotators."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.boxes import Boxes, PageBox
from pagetrail.annotation.attempts.form_state import FieldValue, RecordRow
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from pagetrail.annotation.review import Pick, Submission, compare, merge, proposal, status_of
from pagetrail.annotation.review.selections import tied_parts, ways_of
from pagetrail.annotation.review.status import TaskWorkSummary, agreeing_attempts
from tests.annotation.review.test_properties import size, submission_of
from tests.support.random_reviews import (
    PlainAttempt,
    Setup,
    attempts_at_one_task,
    protocol_of,
    setups,
)
from tests.support.randomness import examples

BY_HAND = ("side", "pick", "variants", "edited")
"""Ways that name people, or what the reviewer wrote."""


def content(merged: ev.GoldMerged) -> Any:
    """What the gold says and what it leaves open, whoever it comes from."""

    def of_box(box: ev.GoldElement) -> Any:
        values = [(v.field, v.value) for v in merged.fields if v.box == box.id]
        return (box.model_dump(exclude={"id", "source"}), sorted(values, key=repr))

    return (
        merged.outcome,
        merged.answer_text,
        merged.question_text,
        merged.evidence,
        sorted((v.model_dump() for v in merged.fields if v.box is None), key=repr),
        sorted((of_box(box) for box in merged.boxes), key=repr),
        [(row.field, row.document, row.page, row.values) for row in merged.rows],
        sorted(choice.part for choice in merged.choices if choice.tied),
    )


def gold(submissions: list[Submission], picks: dict[str, Pick] | None = None) -> ev.GoldMerged:
    rule = submissions[0].form.protocol.review
    return merge(
        submissions, picks or {}, rule, size, dict.fromkeys((s.attempt for s in submissions), 1)
    )


@examples(120)
@given(setup=setups(), attempts=attempts_at_one_task(3), data=st.data())
def test_who_did_which_work_changes_no_gold_and_no_status(
    setup: Setup, attempts: list[PlainAttempt], data: st.DataObject
) -> None:
    """Whatever way each part is merged in; and of what agrees only pages stay open."""
    submitted = [attempt for attempt in attempts if not attempt.skipped]
    if not submitted:
        return
    protocol = protocol_of(setup)
    submissions = [submission_of(setup, attempt, f"a{n}") for n, attempt in enumerate(submitted)]
    picks: dict[str, Pick] = {}
    for part in proposal(submissions):
        ways = [way for way in ways_of(protocol, part) if way not in BY_HAND]
        if ways:
            way = data.draw(st.sampled_from([None, *ways]), label=part)
            picks |= {part: Pick(way)} if way else {}

    def merge_outcome(submissions: list[Submission]) -> Any:
        difference = compare(submissions, protocol.review, size)
        attempt_ids = tuple(submission.attempt for submission in submissions)
        n_submissions = len(submissions)
        summary = TaskWorkSummary(
            overlap=2,
            n_expected=n_submissions,
            n_finished=n_submissions,
            n_submitted=n_submissions,
            n_returned=0,
            n_skipped=0,
            flagged=False,
            attempts=attempt_ids,
            sources={},
        )
        status = status_of(summary, difference, protocol.review, None, is_sampled=False)
        accepted = agreeing_attempts(attempt_ids, difference, protocol.review, n_submissions)
        accepted_submissions = [
            submission for submission in submissions if submission.attempt in accepted
        ] or submissions
        return (
            content(gold(accepted_submissions)),
            content(gold(submissions, picks)),
            status,
            len(accepted),
        )

    first = merge_outcome(submissions)
    if first[2] == "agreed":
        assert set(first[0][-1]) <= {"evidence", "relevance"}  # pages can be open all the same
    for order in permutations(range(len(submitted))):
        reordered = [submissions[n] for n in order]
        renamed = [Submission(s.form, f"a{n}", f"a{n}") for n, s in enumerate(reordered)]
        assert merge_outcome(reordered) == first
        assert merge_outcome(renamed) == first


def worker(name: str, protocol: Protocol, **state: Any) -> Submission:
    """Somebody who submitted this."""
    attempt_state = AttemptState.model_validate(
        {"status": "submitted", "outcome": "answered"} | state
    )
    return Submission(Form(protocol, attempt_state), name, name)


SEARCH = with_overrides(
    preset("search"),
    {
        "boxes": {"enabled": True, "labels": [{"name": "T"}]},
        "question": {"kind": "editable"},
        "fields": [
            {"name": "kind", "label": "Kind", "kind": "choice",
             "options": [{"value": v, "label": v} for v in "abc"]},
            {"name": "why", "label": "Why", "kind": "choice",
             "when": {"field": "kind", "values": ["a"]},
             "options": [{"value": v, "label": v} for v in "pq"]},
            {"name": "title", "label": "Title", "kind": "text", "required": True},
            {"name": "remark", "label": "Remark", "kind": "text"},
            {"name": "table", "label": "Table", "kind": "records",
             "columns": [{"name": "one", "label": "one"}]},
        ],
    },
)  # fmt: skip


def fields(**values: str) -> tuple[FieldValue, ...]:
    return tuple(FieldValue(field=name, value=value, seq=1) for name, value in values.items())


def box(x: float) -> Boxes:
    return Boxes(
        boxes=(
            PageBox(id="b0", document="b.pdf", page=1, rect=(x, 0, x + 30, 10), label="T", seq=1),
        )
    )


def table(cell: str) -> tuple[RecordRow, ...]:
    return (RecordRow(field="table", row="r", values={"one": cell}, seq=1),)


@pytest.mark.parametrize(
    ("part", "label", "left", "right"),
    [
        ("outcome", "Outcome", {}, {"outcome": "not_found"}),
        ("answer", "Answer", {"answer_text": "seal"}, {"answer_text": "whale"}),
        ("kind", "Kind", {"fields": fields(kind="a")}, {"fields": fields(kind="b")}),
        ("title", "Title", {"fields": fields(title="A")}, {"fields": fields(title="B")}),
        ("table", "Table", {"rows": table("x")}, {"rows": table("y")}),
        ("question", "Question", {"question_text": "Who?"}, {"question_text": "When?"}),
        ("boxes", "Boxes", {"boxes": box(0)}, {"boxes": box(200)}),
    ],
)
def test_of_two_people_who_differ_neither_wins(
    part: str, label: str, left: dict[str, Any], right: dict[str, Any]
) -> None:
    """The part is open, and says so; a third person, or the reviewer, decides it."""
    submissions = [worker("a", SEARCH, **left), worker("b", SEARCH, **right)]
    merged = gold(submissions)
    assert tied_parts(merged.choices, SEARCH) == [label]
    empty = content(gold([worker("a", SEARCH)]))
    if part == "outcome":
        assert merged.outcome is None
    else:
        assert content(merged)[:-1] == empty[:-1] or part == "question"
    assert not merged.question_text
    for attempt, state in zip("ab", (left, right), strict=True):
        picked_gold = gold(submissions, {part: Pick("side", attempt)})
        assert tied_parts(picked_gold.choices, SEARCH) == []
        by_most = gold([*submissions, worker("c", SEARCH, **state)])
        assert tied_parts(by_most.choices, SEARCH) == []
        assert content(by_most)[:-1] == content(picked_gold)[:-1]


def test_what_the_rule_counts_as_the_same_is_no_tie() -> None:
    """Spelling, and boxes within the threshold: one version, the same whoever gave it."""
    spelled = [{"answer_text": "Seal"}, {"answer_text": "seal"}]
    near_boxes = [{"boxes": box(0)}, {"boxes": box(5)}]
    for states in (spelled, near_boxes):
        submissions = [worker("a", SEARCH, **states[0]), worker("b", SEARCH, **states[1])]
        swapped = [worker("a", SEARCH, **states[1]), worker("b", SEARCH, **states[0])]
        merged = gold(submissions)
        assert not tied_parts(merged.choices, SEARCH)
        assert merged.answer_text or merged.boxes
        assert content(merged) == content(gold(swapped))


def test_what_is_not_asked_does_not_tie_and_remarks_never_do() -> None:
    """Two people against one say that “why” is not asked; and three remark on three things."""
    states = [
        {"fields": fields(kind="b", remark="x")},
        {"fields": fields(kind="b", remark="y")},
        {"fields": fields(kind="a", why="p", remark="z")},
        {"fields": fields(kind="b", remark="v")},
        {"fields": fields(kind="a", why="q")},
    ]
    submissions = [worker(f"a{n}", SEARCH, **state) for n, state in enumerate(states)]
    merged = gold(submissions)
    assert [(v.field, v.value) for v in merged.fields] == [("kind", "b")]
    assert tied_parts(merged.choices, SEARCH) == []
    picked_gold = gold(submissions, {"kind": Pick("side", "a4")})  # and the reason with it
    assert [(v.field, v.value) for v in picked_gold.fields] == [("kind", "a"), ("why", "q")]
    assert tied_parts(picked_gold.choices, SEARCH) == []


def test_deciding_an_outcome_settles_the_answer_where_only_one_gave_one() -> None:
    """Of an answer and none, the answer counts as soon as the outcome is that there is one."""
    submissions = [
        worker("a", SEARCH, answer_text="seal"),
        worker("b", SEARCH, outcome="not_found", answer_text="draft"),
    ]
    assert tied_parts(gold(submissions).choices, SEARCH) == ["Outcome", "Answer"]
    answered = gold(submissions, {"outcome": Pick("side", "a")})
    assert (answered.answer_text, tied_parts(answered.choices, SEARCH)) == ("seal", [])
    not_found = gold(submissions, {"outcome": Pick("side", "b")})
    assert (not_found.answer_text, tied_parts(not_found.choices, SEARCH)) == ("", [])


def test_boxes_in_one_place_with_other_labels_are_a_difference() -> None:
    """Three people each see another kind: nobody's label is gold before somebody decides, and the
    modality that is taken brings its boxes."""
    protocol = preset("relevance")

    def worker_on_page(name: str, kind: str) -> Submission:
        page_box = PageBox(
            id="b", document="b.pdf", page=1, rect=(1, 1, 9, 9), label=kind.capitalize(), seq=1
        )
        field_values = [("relevance", "2"), ("modalities", (kind,))]
        on_page = [
            FieldValue(field=field, document="b.pdf", page=1, value=value, seq=1)
            for field, value in field_values
        ]
        state = AttemptState.model_validate(
            {"status": "submitted", "outcome": "answered", "boxes": Boxes(boxes=(page_box,))}
            | {"fields": (*fields(query_quality="good"), *on_page)}
        )
        return Submission(Form(protocol, state, [("b.pdf", 1)]), name, name)

    submissions = [
        worker_on_page(name, kind) for name, kind in (("x", "text"), ("y", "table"), ("z", "chart"))
    ]
    parts_by_name = {part.part: part for part in compare(submissions, protocol.review, size).parts}
    assert (parts_by_name["boxes"].agreed, parts_by_name["boxes"].places) == (
        False,
        (("b.pdf", 1),),
    )
    assert not gold(submissions).boxes
    (merged_box,) = gold(submissions, {"modalities": Pick("side", "y")}).boxes
    assert merged_box.label == "Table"

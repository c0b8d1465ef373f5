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
from pagetrail.annotation.review.majority import agreeing_attempts
from pagetrail.annotation.review.selections import tied_parts, ways_of
from pagetrail.annotation.review.status import People
from tests.annotation.review.test_properties import side_pick, size
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


def gold(sides: list[Submission], picks: dict[str, Pick] | None = None) -> ev.GoldMerged:
    rule = sides[0].form.protocol.review
    return merge(sides, picks or {}, rule, size, dict.fromkeys((s.attempt for s in sides), 1))


@examples(120)
@given(setup=setups(), works=attempts_at_one_task(3), data=st.data())
def test_who_did_which_work_changes_no_gold_and_no_status(
    setup: Setup, works: list[PlainAttempt], data: st.DataObject
) -> None:
    """Whatever way each part is merged in; and of what agrees only pages stay open."""
    given_in = [work for work in works if not work.skipped]
    if not given_in:
        return
    protocol = protocol_of(setup)
    sides = [side_pick(setup, work, f"a{n}") for n, work in enumerate(given_in)]
    picks: dict[str, Pick] = {}
    for part in proposal(sides):
        ways = [way for way in ways_of(protocol, part) if way not in BY_HAND]
        if ways:
            how = data.draw(st.sampled_from([None, *ways]), label=part)
            picks |= {part: Pick(how)} if how else {}

    def made(sides: list[Submission]) -> Any:
        difference = compare(sides, protocol.review, size)
        attempts = tuple(each.attempt for each in sides)
        handed = len(sides)
        people = People(handed, handed, handed, 0, False, {}, attempts, 0, overlap=2)
        status = status_of(people, difference, protocol.review, None, is_drawn=False)
        accepted = agreeing_attempts(attempts, difference, protocol.review, handed)
        taken = [each for each in sides if each.attempt in accepted] or sides
        return content(gold(taken)), content(gold(sides, picks)), status, len(accepted)

    first = made(sides)
    if first[2] == "agreed":
        assert set(first[0][-1]) <= {"evidence", "relevance"}  # pages can be open all the same
    for order in permutations(range(len(given_in))):
        listed = [sides[n] for n in order]
        renamed = [Submission(s.form, f"a{n}", f"a{n}") for n, s in enumerate(listed)]
        assert made(listed) == first
        assert made(renamed) == first


def worker(name: str, protocol: Protocol, **state: Any) -> Submission:
    """Somebody who submitted this."""
    found = AttemptState.model_validate({"status": "submitted", "outcome": "answered"} | state)
    return Submission(Form(protocol, found), name, name)


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
    ("part", "label", "one", "other"),
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
    part: str, label: str, one: dict[str, Any], other: dict[str, Any]
) -> None:
    """The part is open, and says so; a third person, or the reviewer, decides it."""
    sides = [worker("a", SEARCH, **one), worker("b", SEARCH, **other)]
    merged = gold(sides)
    assert tied_parts(merged.choices, SEARCH) == [label]
    nothing = content(gold([worker("a", SEARCH)]))
    if part == "outcome":
        assert merged.outcome is None
    else:
        assert content(merged)[:-1] == nothing[:-1] or part == "question"
    assert not merged.question_text
    for attempt, work in zip("ab", (one, other), strict=True):
        chosen = gold(sides, {part: Pick("side", attempt)})
        assert tied_parts(chosen.choices, SEARCH) == []
        by_most = gold([*sides, worker("c", SEARCH, **work)])
        assert tied_parts(by_most.choices, SEARCH) == []
        assert content(by_most)[:-1] == content(chosen)[:-1]


def test_what_the_rule_counts_as_the_same_is_no_tie() -> None:
    """Spelling, and boxes within the threshold: one version, the same whoever gave it."""
    spelled = [{"answer_text": "Seal"}, {"answer_text": "seal"}]
    near = [{"boxes": box(0)}, {"boxes": box(5)}]
    for works in (spelled, near):
        sides = [worker("a", SEARCH, **works[0]), worker("b", SEARCH, **works[1])]
        back = [worker("a", SEARCH, **works[1]), worker("b", SEARCH, **works[0])]
        merged = gold(sides)
        assert not tied_parts(merged.choices, SEARCH)
        assert merged.answer_text or merged.boxes
        assert content(merged) == content(gold(back))


def test_what_is_not_asked_does_not_tie_and_remarks_never_do() -> None:
    """Two people against one say that “why” is not asked; and three remark on three things."""
    works = [
        {"fields": fields(kind="b", remark="x")},
        {"fields": fields(kind="b", remark="y")},
        {"fields": fields(kind="a", why="p", remark="z")},
        {"fields": fields(kind="b", remark="v")},
        {"fields": fields(kind="a", why="q")},
    ]
    sides = [worker(f"a{n}", SEARCH, **work) for n, work in enumerate(works)]
    merged = gold(sides)
    assert [(v.field, v.value) for v in merged.fields] == [("kind", "b")]
    assert tied_parts(merged.choices, SEARCH) == []
    taken = gold(sides, {"kind": Pick("side", "a4")})  # and the reason with it
    assert [(v.field, v.value) for v in taken.fields] == [("kind", "a"), ("why", "q")]
    assert tied_parts(taken.choices, SEARCH) == []


def test_deciding_an_outcome_settles_the_answer_where_only_one_gave_one() -> None:
    """Of an answer and none, the answer counts as soon as the outcome is that there is one."""
    sides = [
        worker("a", SEARCH, answer_text="seal"),
        worker("b", SEARCH, outcome="not_found", answer_text="draft"),
    ]
    assert tied_parts(gold(sides).choices, SEARCH) == ["Outcome", "Answer"]
    answered = gold(sides, {"outcome": Pick("side", "a")})
    assert (answered.answer_text, tied_parts(answered.choices, SEARCH)) == ("seal", [])
    without = gold(sides, {"outcome": Pick("side", "b")})
    assert (without.answer_text, tied_parts(without.choices, SEARCH)) == ("", [])


def test_boxes_in_one_place_with_other_labels_are_a_difference() -> None:
    """Three people each see another kind: nobody's label is gold before somebody decides, and the
    modality that is taken brings its boxes."""
    protocol = preset("relevance")

    def of(name: str, kind: str) -> Submission:
        drawn = PageBox(
            id="b", document="b.pdf", page=1, rect=(1, 1, 9, 9), label=kind.capitalize(), seq=1
        )
        asked = [("relevance", "2"), ("modalities", (kind,))]
        on_page = [
            FieldValue(field=field, document="b.pdf", page=1, value=value, seq=1)
            for field, value in asked
        ]
        state = AttemptState.model_validate(
            {"status": "submitted", "outcome": "answered", "boxes": Boxes(boxes=(drawn,))}
            | {"fields": (*fields(query_quality="good"), *on_page)}
        )
        return Submission(Form(protocol, state, [("b.pdf", 1)]), name, name)

    sides = [of(name, kind) for name, kind in (("x", "text"), ("y", "table"), ("z", "chart"))]
    found = {part.part: part for part in compare(sides, protocol.review, size).parts}
    assert (found["boxes"].agreed, found["boxes"].places) == (False, (("b.pdf", 1),))
    assert not gold(sides).boxes
    (kept,) = gold(sides, {"modalities": Pick("side", "y")}).boxes
    assert kept.label == "Table"

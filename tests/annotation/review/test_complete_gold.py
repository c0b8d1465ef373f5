"""Gold is complete: what is accepted passes the check that annotators' submissions go through."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.boxes import Boxes, PageBox
from pagetrail.annotation.attempts.completeness import gold_missing, missing
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.attempts.contradictions import contradiction
from pagetrail.annotation.attempts.form_state import Checks, Confirmation, FieldValue, RecordRow
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.page_state import Citation
from pagetrail.annotation.attempts.preannotations import seed_payloads, state_once_started
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.gold_submission import GoldSubmission, gold_submission
from pagetrail.annotation.events.review import DATASET
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol, preset, preset_names, with_overrides
from pagetrail.annotation.review import Pick, Submission, merge, proposal
from pagetrail.annotation.review.answer_merging import dataset_parts
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.selections import tied_parts, ways_of
from pagetrail.annotation.tasks.task import given_pages
from tests.support.factory import AttemptDriver
from tests.support.memory_log import MemoryEventLog
from tests.support.randomness import examples

PAGES = [{"document": "b.pdf", "page": page} for page in (1, 2, 3)]
RECORD: dict[str, Any] = {
    "id": "t",
    "question": "How many otters?",
    "candidates": PAGES,
    "evidence": PAGES[:2],
    "elements": [
        {"id": f"m{n}", "document": "b.pdf", "page": 1, "rect": [0, 20 * n, 90, 20 * n + 10],
         "label": "Text", "content": "x", "order": n + 1}
        for n in range(2)
    ],
    "data_points": [{"labels": "2020", "value": "4"}],
    "patches": [{"old": "a", "new": "b"}, {"old": "c", "new": "d"}],
    "transcript": "a cold otter",
}  # fmt: skip


def record_of(protocol: Protocol) -> dict[str, Any]:
    """The task's record; patches of a transcript have another form than rows of patches."""
    return {**RECORD, "patches": []} if protocol.transcript.enabled else RECORD


def size(_document: str, _page: int) -> tuple[float, float]:
    return 612.0, 792.0


def finished(data: st.DataObject, protocol: Protocol, name: str) -> Submission:
    """Somebody's work as it could be submitted, with everything that the protocol asks for."""
    pages = given_pages(protocol.pages, RECORD)
    state = state_once_started(AttemptState(), seed_payloads(protocol, record_of(protocol)))

    def update_state(**changes: Any) -> None:
        nonlocal state
        state = state.model_copy(update=changes)

    if protocol.evidence.enabled:
        cited = data.draw(st.sets(st.sampled_from((1, 2, 3)), min_size=1), label="cited")
        update_state(
            citations=tuple(Citation(document="b.pdf", page=p, seq=1) for p in sorted(cited))
        )
    for spec in protocol.fields:
        form = Form(protocol, state, pages)
        if spec.kind == "records":
            update_state(
                rows=tuple(_row(data, spec, row) for row in state.rows if row.field == spec.name)
            )
            continue
        values = []
        for target in form.targets(spec):
            option_values = [option.value for option in form.options(spec, target)]
            value: Any = 1.0
            if spec.kind != "number":
                value = data.draw(st.sampled_from(option_values), label=spec.name)
            value = (value,) if spec.kind == "multi" else value
            at = {"document": target.document, "page": target.page}
            values.append(FieldValue(field=spec.name, value=value, seq=1, **at))
        update_state(fields=(*state.fields, *values))
    if state.transcript is not None:
        text = data.draw(st.sampled_from(("b cold otter", "a dold otter", "")))
        corrected = state.transcript.model_copy(update={"text": text})
        update_state(transcript=corrected)
    form = Form(protocol, state, pages)
    boxes = [_checked(data, box) for box in state.boxes.boxes]
    for document, page in form.pages() if protocol.boxes.required else ():
        if form.may_have_boxes(document, page):
            x = data.draw(st.sampled_from((0, 5, 200)))
            label = data.draw(st.sampled_from([label.name for label in protocol.boxes.labels]))
            boxes.append(PageBox(id=f"b{page}", document=document, page=page,
                                 rect=(x, 0, x + 100, 50), label=label, seq=1))  # fmt: skip
    update_state(boxes=Boxes(boxes=tuple(boxes)))
    outcomes = ["answered"]
    outcomes += ["not_found"] if protocol.answer.not_found else []
    outcomes += ["unanswerable"] if protocol.answer.unanswerable else []
    ended = protocol.answer.kind == "off" or form.ended
    update_state(
        outcome="completed" if ended else data.draw(st.sampled_from(outcomes)), status="submitted"
    )
    if not ended:
        update_state(answer_text=data.draw(st.sampled_from(("42", "forty", "seal"))))
    if protocol.question.kind == "editable":
        update_state(question_text=data.draw(st.sampled_from(("How many?", "Which?"))))
        update_state(checks=Checks(at_seq=0, findings=()))
    if state.outcome == "unanswerable":
        update_state(citations=())
    update_state(confirmed=_confirmed(Form(protocol, state, pages)))
    final_form = Form(protocol, state, pages)
    assert state.outcome is not None
    assert missing(final_form, state.outcome) == {}
    return Submission(final_form, name, name)


def _confirmed(form: Form) -> tuple[Confirmation, ...]:
    """Wherever a page's field and its boxes differ, the annotator says that both are right."""
    return tuple(
        Confirmation(
            field=spec.name,
            document=target.document or "",
            page=target.page or 0,
            chosen=differs.chosen,
            drawn=differs.drawn,
            seq=1,
        )
        for spec in form.protocol.fields
        for target in form.targets(spec)
        if (differs := contradiction(form, spec, target)) is not None
    )


def _row(data: st.DataObject, spec: FieldSpec, row: RecordRow) -> RecordRow:
    values = dict(row.values)
    for column in spec.columns:
        if column.required and column.options:
            values[column.name] = data.draw(st.sampled_from(column.options), label=column.name)
        elif column.required:
            values.setdefault(column.name, "1")
    return row.model_copy(update={"values": values})


def _checked(data: st.DataObject, box: PageBox) -> PageBox:
    changes = data.draw(st.sampled_from(({"accepted": True}, {"deleted": True}, {"content": "y"})))
    return box.model_copy(update=changes)


def dataset(protocol: Protocol) -> GoldSubmission:
    """What the task came with, as a reviewer can take it."""
    record = RECORD | {"answer_variants": [["otter"], ["two", "seals"]]}
    return replace(gold_submission(protocol, record), attempt=DATASET)


def merged_by(submissions: list[Submission], picks: dict[str, Pick]) -> ev.GoldMerged:
    protocol = submissions[0].form.protocol
    seqs = dict.fromkeys((s.attempt for s in submissions), 1)
    return merge(submissions, picks, protocol.review, size, seqs, dataset(protocol))


def gold_form(submissions: list[Submission], picks: dict[str, Pick]) -> Form:
    """The gold that would be accepted."""
    form = submissions[0].form
    return Form(form.protocol, draft_state(merged_by(submissions, picks)), form.given)


@pytest.mark.parametrize("name", preset_names())
@examples(15)
@given(data=st.data())
def test_whatever_is_accepted_is_complete(name: str, data: st.DataObject) -> None:
    """Random people and random choices of the reviewer, in every preset.

    Gold that is missing something is refused and stays out of the log; one person's whole work is
    always complete, and so is what everybody submitted alike.
    """
    protocol = preset(name)
    submissions = [
        finished(data, protocol, annotator) for annotator in "abc"[: data.draw(st.integers(1, 3))]
    ]
    people = [submission.attempt for submission in submissions]
    picks: dict[str, Pick] = {}

    def versions(part: str) -> list[str]:
        return [*people, DATASET] if part in dataset_parts(dataset(protocol)) else people

    for part in proposal(submissions):
        way = data.draw(st.sampled_from([None, None, *ways_of(protocol, part)]), label=part)
        if way == "side":
            picks[part] = Pick("side", data.draw(st.sampled_from(versions(part))))
        elif way == "variants":
            variants = data.draw(st.lists(st.sampled_from(versions(part)), min_size=1))
            picks[part] = Pick(way, sides=tuple(dict.fromkeys(variants)))
        elif way == "edited":
            texts = data.draw(st.lists(st.sampled_from(("42", " ", "forty\ntwo")), max_size=3))
            picks[part] = Pick(way, texts=tuple(texts))
        elif way not in (None, "pick"):
            picks[part] = Pick(way)
    given_in = submissions[0].form.given
    context = AttemptContext(
        "gold",
        "Sofia",
        protocol,
        given=None if given_in is None else tuple(given_in),
        seeds=lambda: seed_payloads(protocol, record_of(protocol)),
        review=True,
    )
    driver = AttemptDriver(MemoryEventLog("gold"), context)
    assert not driver.do(merged_by(submissions, picks)).refusals
    decided = driver.do(ev.Adjudicated(version=1, sources=()))
    form = context.form(driver.state)
    review = driver.state.review
    assert review is not None
    if review.decided:
        assert driver.state.outcome is not None
        assert missing(form, driver.state.outcome) == {}
    else:
        (refusal,) = decided.refusals.values()
        assert refusal.code in ("incomplete", "no_draft")
        assert gold_missing(form)
    last_picks = {part: Pick("side", people[-1]) for part in proposal(submissions)}
    assert gold_missing(gold_form(submissions, last_picks)) == {}
    copies = [
        Submission(submissions[0].form, annotator, annotator)
        for annotator in "abc"[: max(2, len(submissions))]
    ]
    assert gold_missing(gold_form(copies, {})) == {}


@examples(40)
@given(data=st.data())
def test_a_grade_brings_its_modality_and_boxes(data: st.DataObject) -> None:
    """Taking what nothing else depends on from one person is enough, whatever others gave."""
    protocol = preset("relevance")
    submissions = [finished(data, protocol, annotator) for annotator in "ab"]
    picks = {part: Pick("side", "a") for part in ("query_quality", "answer", "relevance")}
    draft = merged_by(submissions, picks)
    assert tied_parts(draft.choices, protocol) == []
    assert gold_missing(gold_form(submissions, picks)) == {}
    own_boxes = {(b.document, b.page, b.rect, b.label) for b in submissions[0].boxes}
    assert {(b.document, b.page, b.rect, b.label) for b in draft.boxes} == own_boxes


def graded(name: str, grade: str, modality: str, *, box: bool) -> Submission:
    """Somebody who graded the one page."""
    values = {"query_quality": "good", "relevance": grade, "modalities": (modality,)}
    at = {"document": "b.pdf", "page": 1}
    page_box = PageBox(id="b", rect=(0, 0, 50, 50), label="Table", seq=1, **at)
    state = AttemptState(
        status="submitted",
        outcome="answered",
        answer_text="42",
        fields=tuple(
            FieldValue(field=field, value=value, seq=1, **({} if field[0] == "q" else at))
            for field, value in values.items()
        ),
        boxes=Boxes(boxes=(page_box,) if box else ()),
    )
    return Submission(Form(preset("relevance"), state, [("b.pdf", 1)]), name, name)


def test_one_page_of_somebody_is_taken_with_its_modality_and_boxes() -> None:
    """Two grades that differ, taken on that page alone, by ``at``; none for the others."""
    submissions = [graded("a", "2", "table", box=True), graded("b", "0", "na", box=False)]
    for picks in (
        {"relevance": Pick("side", "a")},
        {"relevance": Pick("retention", at={("b.pdf", 1): "a"})},
    ):
        form = gold_form(submissions, picks)
        assert gold_missing(form) == {}
        assert [box.label for box in form.state.boxes.boxes] == ["Table"]
        assert ("modalities", ("table",)) in [(v.field, v.value) for v in form.state.fields]
    other_form = gold_form(submissions, {"relevance": Pick("side", "b")})
    assert (gold_missing(other_form), other_form.state.boxes.boxes) == ({}, ())


def searched(name: str, answer: str, page: int) -> Submission:
    state = AttemptState(
        status="submitted",
        outcome="answered",
        answer_text=answer,
        citations=(Citation(document="b.pdf", page=page, seq=1),),
    )
    return Submission(Form(preset("search"), state), name, name)


def test_an_answer_brings_its_pages() -> None:
    """Untouched, nothing says which page the answer rests on: it is named, not accepted."""
    submissions = [searched("a", "42", 1), searched("b", "42", 2)]
    assert list(gold_missing(gold_form(submissions, {}))) == ["evidence"]
    for attempt, page in (("a", 1), ("b", 2)):
        draft = merged_by(submissions, {"answer": Pick("side", attempt)})
        assert [citation.page for citation in draft.evidence] == [page]
        assert all(citation.reviewer for citation in draft.evidence)
    third = [*submissions, searched("c", "seal", 1)]
    draft = merged_by(third, {"answer": Pick("side", "b")})
    # Not page 1, which two others cited.
    assert [citation.page for citation in draft.evidence] == [2]
    no_evidence = {"answer": Pick("side", "b"), "evidence": Pick("none")}
    assert list(gold_missing(gold_form(submissions, no_evidence))) == ["evidence"]


def test_a_grade_that_one_of_two_gave_is_open_until_the_reviewer_decides() -> None:
    """Not "Not relevant"; marked it has the grade of who marked it, rejected the lowest."""
    submissions = [graded("a", "2", "table", box=True), graded("b", "0", "na", box=False)]
    page = ("b.pdf", 1)

    def grade_of(people: list[Submission], pick: Pick | None = None) -> tuple[object, bool]:
        draft = merged_by(people, {"relevance": pick} if pick else {})
        choice = next(choice for choice in draft.choices if choice.part == "relevance")
        assert bool(choice.open_pages) == choice.tied
        return next((v.value for v in draft.fields if v.field == "relevance"), None), choice.tied

    assert grade_of(submissions) == (None, True)
    assert grade_of(submissions[:1]) == (None, True)  # overlap 1
    assert grade_of(submissions[1:]) == ("0", False)
    assert grade_of(submissions, Pick("retention", pages=(page,))) == ("2", False)
    assert grade_of(submissions, Pick("retention", rejected=(page,))) == ("0", False)
    lower = graded("c", "1", "table", box=True)
    assert grade_of([submissions[0], lower]) == (None, True)  # no majority
    assert grade_of([submissions[0], lower], Pick("retention", pages=(page,))) == (None, True)
    assert grade_of([submissions[0], lower, graded("d", "2", "table", box=True)]) == ("2", False)


def test_an_unanswerable_question_has_no_evidence() -> None:
    """Gold of it with a page is as incomplete as an annotator's submission would be."""
    protocol = with_overrides(preset("search"), {"answer.unanswerable": True})
    cited = (Citation(document="b.pdf", page=1, seq=1),)
    state = AttemptState(status="submitted", outcome="unanswerable", citations=cited)
    submissions = [Submission(Form(protocol, state), annotator, annotator) for annotator in "ab"]
    for form in (submissions[0].form, gold_form(submissions, {})):
        assert list(gold_missing(form)) == ["evidence"]
        assert "page 1 of b.pdf" in gold_missing(form)["evidence"]

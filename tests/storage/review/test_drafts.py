"""Models' drafts in review: taken, edited, rejected, hidden until decided, and never a vote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.errors import ConflictError, NotFoundError, Refusal
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from pagetrail.annotation.review import Pick
from pagetrail.annotation.review.drafts import is_hidden_at_first
from pagetrail.storage.attempts import queries
from pagetrail.storage.importers.drafts.importer import import_drafts
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review.bulk_acceptance import accept, propose
from tests.storage.task_data import write_jsonl
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

PAGES = [{"document": "b.pdf", "page": page} for page in (1, 2, 3)]
SEARCHED: Protocol = with_overrides(
    preset("search"),
    {"overlap": 2, "evidence.required": False, "review.check_share": 0.0, "review.people": 2},
)
GRADED: Protocol = with_overrides(preset("relevance"), {"overlap": 2, "boxes.required": False})
DRAFT = "draft:1"
Make = Callable[..., Reviewed]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a campaign of two tasks on which Ada and Bo differ, with a draft of the first."""

    def build(*rows: dict[str, Any], agreeing: bool = False, **settings: Any) -> Reviewed:
        protocol = with_overrides(SEARCHED, settings)
        records = [{"id": f"t{n}", "question": "How many otters?"} for n in (1, 2)]
        reviewed = campaign(tmp_path / "ws", protocol, records)
        for task in (1, 2):
            reviewed.answer(f"{task}-Ada", "42", 1)
            reviewed.answer(f"{task}-Bo", *(("42", 1) if agreeing else ("forty", 2)))
        drafted = {"task": "t1", "answer": "42 otters", "evidence": PAGES[1:], "reasons": "p. 2"}
        add_drafts(reviewed, *(rows or (drafted,)))
        return reviewed

    return build


def add_drafts(reviewed: Reviewed, *rows: dict[str, Any]) -> None:
    """Import drafts by the model ``merger``, version 1."""
    file = write_jsonl(reviewed.workspace.root / "drafts.jsonl", list(rows))
    report = import_drafts(reviewed.workspace, file, campaign="Random", model="merger", version="1")
    assert not report.left_out, report.left_out


def decide(reviewed: Reviewed, picks: dict[str, Pick] | None, id_: str, task: int = 1) -> None:
    """Sofia decides what she sees."""
    version = reviewed.current_version(task)
    reviewed.reviews.decide(task, "Sofia", picks, "", version, id_)


def decisions(reviewed: Reviewed, task: int = 1) -> list[ev.Adjudicated]:
    """All decisions on a task, in order."""
    gold = reviewed.reviews.streams.gold(task)
    payloads = [event.payload for event in reviewed.log.events(gold.attempt_id)]
    return [payload for payload in payloads if isinstance(payload, ev.Adjudicated)]


def uses(decision: ev.Adjudicated) -> list[tuple[str, int | None, str, bool]]:
    """(part, page, use, taken) of everything that the one draft proposed."""
    (draft,) = decision.drafts
    return [(item.part, item.page, item.use, item.taken) for item in draft.items]


def test_a_draft_taken_as_a_whole_brings_its_pages_and_is_unchanged(make: Make) -> None:
    """Of the gold's pages the one that nobody marked has no annotator's vote."""
    reviewed = make()
    decide(reviewed, {"answer": Pick("side", DRAFT)}, "d1")
    (decision,) = decisions(reviewed)
    assert uses(decision) == [
        ("answer", None, "unchanged", True),
        ("evidence", 2, "unchanged", True),
        ("evidence", 3, "unchanged", True),
    ]
    (draft,) = decision.drafts
    assert (draft.draft, draft.model, draft.version) == (DRAFT, "merger", "1")
    assert (draft.visibility, draft.rejected) == ("shown", False)
    gold = reviewed.reviews.streams.gold(1)
    state = reviewed.log.state(gold.attempt_id)
    assert (state.answer, state.outcome) == (["42 otters"], "answered")
    assert state.review is not None
    assert [(page.page, page.annotators) for page in state.review.evidence] == [(2, 1), (3, 0)]
    assert {choice.side for choice in state.review.choices} >= {DRAFT}
    assert [source.annotator for source in decision.sources] == ["Ada", "Bo"]
    assert fold(reviewed.log.events(gold.attempt_id)).review == state.review


def test_parts_are_taken_edited_and_left(make: Make) -> None:
    """An edited answer names the draft it was made of; a page that is left out is rejected."""
    reviewed = make()
    picks = {
        "answer": Pick("edited", side=DRAFT, texts=("42 otters and a seal",)),
        "evidence": Pick("pick", pages=(("b.pdf", 2), ("b.pdf", 1))),
    }
    decide(reviewed, picks, "d1")
    (decision,) = decisions(reviewed)
    assert uses(decision) == [
        ("answer", None, "edited", True),
        ("evidence", 2, "unchanged", False),
        ("evidence", 3, "rejected", False),
    ]


def test_gold_of_people_only_rejects_a_draft_or_agrees_with_it(make: Make) -> None:
    """Who says the same as a draft is not said to have taken it."""
    reviewed = make({"task": "t1", "answer": "  FORTY "})
    decide(reviewed, {"answer": Pick("side", "1-Bo")}, "d1")
    assert uses(decisions(reviewed)[0]) == [("answer", None, "unchanged", False)]
    reviewed.reviews.take_up(1, "Sofia", "again", "r1")
    decide(reviewed, {"answer": Pick("side", "1-Ada")}, "d2")
    assert uses(decisions(reviewed)[1]) == [("answer", None, "rejected", False)]


def test_variants_of_a_draft_and_a_person_are_both_accepted(make: Make) -> None:
    """The draft's answer is one of the gold's."""
    reviewed = make()
    decide(reviewed, {"answer": Pick("variants", sides=("1-Ada", DRAFT))}, "d1")
    assert uses(decisions(reviewed)[0])[0] == ("answer", None, "unchanged", True)
    state = reviewed.log.state(reviewed.reviews.streams.gold(1).attempt_id)
    assert state.review is not None
    assert (state.answer, state.review.variants) == (["42"], ("42 otters",))


def test_edits_in_the_workspace_count_as_edits_of_the_draft(make: Make) -> None:
    """The stored draft of gold was taken from the model's, then edited."""
    reviewed = make()
    reviewed.reviews.put_together(
        1, "Sofia", {"answer": Pick("side", DRAFT)}, reviewed.current_version(1), "m1"
    )
    gold = reviewed.reviews.streams.gold(1)
    row = queries.attempt(reviewed.workspace.engine, gold.attempt_id)
    context = row.context()
    edits = [
        Command("w1", ev.AnswerEdited(text="43 otters")),
        Command("w2", ev.CitationRemoved(document="b.pdf", page=3)),
    ]
    outcome = reviewed.recorder.record(context, edits)
    assert not outcome.refusals
    decide(reviewed, None, "d1")
    assert uses(decisions(reviewed)[0]) == [
        ("answer", None, "edited", True),
        ("evidence", 2, "unchanged", True),
        ("evidence", 3, "rejected", False),
    ]


def test_a_draft_is_no_vote(make: Make) -> None:
    """What is proposed, who agrees and which pages are retained is as without drafts."""
    reviewed = make({"task": "t2", "answer": "nine", "evidence": PAGES})
    before = reviewed.reviews.streams.merged_draft(2, {})
    with_draft = reviewed.reviews.streams.task_work(2)
    assert len(with_draft.submissions()) == 2
    add_drafts(reviewed, {"task": "t2", "answer": "42", "evidence": PAGES[:1], "model": "other"})
    assert reviewed.reviews.streams.merged_draft(2, {}) == before
    union = reviewed.reviews.streams.merged_draft(2, {"evidence": Pick("union")})
    assert [page.page for page in union.evidence] == [1, 2]
    for method in ("intersection", "majority", "retention"):
        merged = reviewed.reviews.streams.merged_draft(2, {"evidence": Pick(method)})
        assert merged.evidence == ()


def test_rejecting_a_draft_is_an_event_that_can_be_taken_back(make: Make) -> None:
    """Nothing is taken from a rejected draft; all that it proposed counts as rejected."""
    reviewed = make({"task": "t1", "answer": "42"})
    reviewed.reviews.reject_draft(1, "Sofia", DRAFT, "x1", reason="wrong page")
    with pytest.raises(Refusal, match="You rejected the draft of merger") as refused:
        decide(reviewed, {"answer": Pick("side", DRAFT)}, "d1")
    assert refused.value.code == "draft_rejected"
    decide(reviewed, {"answer": Pick("side", "1-Ada")}, "d2")
    (decision,) = decisions(reviewed)
    assert decision.drafts[0].rejected
    assert uses(decision) == [("answer", None, "rejected", False)]
    with pytest.raises(Refusal, match="Reopen it"):
        reviewed.reviews.reject_draft(1, "Sofia", DRAFT, "x2", rejected=False)
    reviewed.reviews.take_up(1, "Sofia", "again", "r1")
    with pytest.raises(ConflictError, match="taken this task over"):
        reviewed.reviews.reject_draft(1, "Sven", DRAFT, "x3", rejected=False)
    reviewed.reviews.reject_draft(1, "Sofia", DRAFT, "x3", rejected=False)
    picks = {"answer": Pick("side", DRAFT), "evidence": Pick("union")}
    decide(reviewed, picks, "d3")
    assert uses(decisions(reviewed)[1]) == [("answer", None, "unchanged", True)]
    with pytest.raises(NotFoundError, match="no such draft"):
        reviewed.reviews.reject_draft(2, "Sofia", DRAFT, "x4")


def test_hidden_drafts_are_shown_after_the_first_decision(make: Make) -> None:
    """Both decisions are recorded; undoing the first does not hide the draft again."""
    reviewed = make(**{"review.hide_drafts": 1.0})
    streams = reviewed.reviews.streams
    assert streams.drafts(streams.task_work(1)).visibility == "hidden"
    for picks in (
        {"answer": Pick("side", DRAFT)},
        {"evidence": Pick("pick", pages=(("b.pdf", 3),))},
        {"answer": Pick("edited", side=DRAFT, texts=("42",))},
    ):
        with pytest.raises(Refusal):
            decide(reviewed, picks, "d0")
    with pytest.raises(NotFoundError):
        reviewed.reviews.reject_draft(1, "Sofia", DRAFT, "x0")
    decide(reviewed, {"answer": Pick("side", "1-Ada")}, "d1")
    assert streams.drafts(streams.task_work(1)).visibility == "revealed"
    seq = reviewed.current_version(1).gold_seq
    reviewed.reviews.undo(1, "Sofia", seq, "u1")
    assert streams.drafts(streams.task_work(1)).visibility == "revealed"
    decide(reviewed, {"answer": Pick("side", DRAFT)}, "d2")
    first, second = decisions(reviewed)
    assert [decision.drafts[0].visibility for decision in (first, second)] == [
        "hidden", "revealed",
    ]  # fmt: skip
    assert uses(first)[0] == ("answer", None, "rejected", False)
    assert uses(second)[0] == ("answer", None, "unchanged", True)


def test_a_share_of_the_tasks_is_drawn_for_hiding(make: Make) -> None:
    """The draw depends on seed and task; a changed share only adds tasks."""
    reviewed = make()
    streams = reviewed.reviews.streams
    task = streams.task_work(1).task
    keys = [f"t{n}" for n in range(2_000)]
    half = {key for key in keys if is_hidden_at_first(task.seed, key, 0.5)}
    assert 900 < len(half) < 1_100
    assert half <= {key for key in keys if is_hidden_at_first(task.seed, key, 0.8)}
    assert not any(is_hidden_at_first(task.seed, key, 0.0) for key in keys)
    assert all(is_hidden_at_first(task.seed, key, 1.0) for key in keys)


def test_accepting_several_at_once_says_nothing_of_drafts(make: Make) -> None:
    """Nobody looked at them."""
    settings = {"review.accept": "off"}
    reviewed = make({"task": "t1", "answer": "42"}, agreeing=True, **settings)
    proposed = propose(reviewed.reviews, [1], "Sofia")
    (result,) = accept(reviewed.reviews, proposed, "Sofia", "", "run")
    assert result.refused == ""
    assert decisions(reviewed)[0].drafts == ()


def test_the_rule_accepts_without_drafts(make: Make) -> None:
    """A task on which people agree becomes gold, whatever a model says."""
    reviewed = make({"task": "t1", "answer": "nine"}, agreeing=True)
    assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 2
    (decision,) = decisions(reviewed)
    assert decision.automatic
    assert decision.drafts == ()


def test_grades_and_boxes_are_taken_page_by_page_and_box_by_box(tmp_path: Path) -> None:
    """A page that the draft does not grade is graded as people do; boxes keep their source."""
    records = [{"id": "t1", "question": "Otters?", "candidates": PAGES}]
    reviewed = campaign(tmp_path / "ws", GRADED, records)
    for name, grades in (("Ada", "210"), ("Bo", "110")):
        values = [
            ev.FieldSet(field="relevance", document="b.pdf", page=page, value=grade)
            for page, grade in enumerate(grades, start=1)
        ]
        modalities = [
            ev.FieldSet(field="modalities", document="b.pdf", page=page, value=("text",))
            for page in (1, 2)
        ]
        reviewed.do(
            f"1-{name}",
            ev.FieldSet(field="query_quality", value="good"),
            *values,
            *modalities,
            ev.AnswerEdited(text="42"),
            ev.Submitted(outcome="answered"),
        )
    box = {"document": "b.pdf", "rect": [10, 20, 110, 120], "label": "Text"}
    add_drafts(
        reviewed,
        {
            "task": "t1",
            "pages": [
                {**PAGES[0], "fields": {"relevance": 2}},
                {**PAGES[1], "fields": {"relevance": 2}},
            ],
            "boxes": [{**box, "page": 1}, {**box, "page": 2}],
        },
    )
    picks = {
        "relevance": Pick("majority", at={("b.pdf", 1): DRAFT}),
        "boxes": Pick("pick", boxes=((DRAFT, "d1-0"),)),
    }
    decide(reviewed, picks, "d1")
    assert uses(decisions(reviewed)[0]) == [
        ("relevance", 1, "unchanged", True),
        ("relevance", 2, "rejected", False),
        ("boxes", 1, "unchanged", True),
        ("boxes", 2, "rejected", False),
    ]
    gold = reviewed.reviews.streams.gold(1)
    merges = [event.payload for event in reviewed.log.events(gold.attempt_id)]
    merged = next(payload for payload in merges if isinstance(payload, ev.GoldMerged))
    assert [box.source for box in merged.boxes] == [DRAFT]
    values = {(v.field, v.page): v.value for v in merged.fields}
    assert values["relevance", 1] == "2"
    assert values["relevance", 3] == "0"
    merged_whole = reviewed.reviews.streams.merged_draft(1, {"relevance": Pick("side", DRAFT)})
    grades = {v.page: v.value for v in merged_whole.fields if v.field == "relevance"}
    assert grades == {1: "2", 2: "2", 3: "0"}
    kinds = {v.page: v.value for v in merged_whole.fields if v.field == "modalities"}
    assert kinds == {1: ("text",), 2: ("text",), 3: ("na",)}


def test_only_parts_that_a_draft_states_can_be_taken(make: Make) -> None:
    """A draft without pages, and one that does not exist."""
    reviewed = make({"task": "t1", "answer": "42"})
    for picks in (
        {"evidence": Pick("side", DRAFT)},
        {"answer": Pick("side", "draft:9")},
        {"boxes": Pick("pick", boxes=((DRAFT, "d1-0"),))},
    ):
        with pytest.raises(Refusal):
            reviewed.reviews.streams.merged_draft(1, picks)
    merged = reviewed.reviews.streams.merged_draft(1, {"answer": Pick("side", DRAFT)})
    people = reviewed.reviews.streams.merged_draft(1, {})
    assert merged.answer_text == "42"
    assert merged.evidence == people.evidence


def test_a_superseded_draft_that_gold_was_taken_from_is_in_the_decision(make: Make) -> None:
    """The stored draft of gold follows it; the model's new one is decided on as well."""
    reviewed = make()
    reviewed.reviews.put_together(
        1, "Sofia", {"answer": Pick("side", DRAFT)}, reviewed.current_version(1), "m1"
    )
    add_drafts(reviewed, {"task": "t1", "answer": "43"})
    decide(reviewed, None, "d1")
    (decision,) = decisions(reviewed)
    assert [draft.draft for draft in decision.drafts] == ["draft:2", DRAFT]
    assert [draft.items[0].use for draft in decision.drafts] == ["rejected", "unchanged"]


def test_stored_states_are_rebuilt_from_the_events(make: Make) -> None:
    """Rejections and drafts in decisions are in the log."""
    reviewed = make()
    reviewed.reviews.reject_draft(1, "Sofia", DRAFT, "x1", reason="no")
    decide(reviewed, {"answer": Pick("side", "1-Ada")}, "d1")
    assert rebuild(reviewed.workspace.engine).differed == []
    state = reviewed.log.state(reviewed.reviews.streams.gold(1).attempt_id)
    assert state.review is not None
    assert state.review.rejected_drafts == {DRAFT: "no"}

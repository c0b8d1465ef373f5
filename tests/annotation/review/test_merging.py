"""Gold put together from what people submitted: cases worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.boxes import Boxes, PageBox
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.attempts.form_state import FieldValue
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.page_state import Citation
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review import Pick, Submission, merge
from pagetrail.annotation.review.merging import draft_state
from tests.annotation.events.merged_gold import SOURCES, merged
from tests.support.factory import AttemptDriver
from tests.support.memory_log import MemoryEventLog

SEARCH = preset("search")
PAGES = (("b.pdf", 1), ("b.pdf", 2), ("b.pdf", 3))


def size(_document: str, _page: int) -> tuple[float, float]:
    return 612.0, 792.0


def person(name: str, answer: str = "42", pages: Sequence[int] = (), **more: object) -> Submission:
    """Somebody who submitted this."""
    state = AttemptState.model_validate(
        {
            "status": "submitted",
            "outcome": "answered",
            "answer_text": answer,
            "citations": [Citation(document="b.pdf", page=page, seq=1) for page in pages],
            **more,
        }
    )
    return Submission(Form(SEARCH, state), name, name)


def gold(
    submissions: Sequence[Submission], picks: dict[str, Pick] | None = None, **rule: object
) -> ev.GoldMerged:
    """What they make together."""
    seqs = {submission.attempt: 5 for submission in submissions}
    return merge(submissions, picks or {}, ReviewPart.model_validate(rule), size, seqs)


def kept_pages(draft: ev.GoldMerged) -> list[tuple[int, int]]:
    """(page, annotators) of the evidence."""
    return [(page.page, page.annotators) for page in draft.evidence]


@pytest.mark.parametrize(
    ("way", "keep", "pages"),
    [
        ("retention", 2, [1, 2]),
        ("retention", 3, [1]),
        ("retention", 1, [1, 2, 3]),
        ("retention", 9, []),
        ("union", 2, [1, 2, 3]),
        ("intersection", 2, [1]),
        ("majority", 1, [1, 2]),
        ("none", 2, []),
    ],
)
def test_which_pages_stay(way: str, keep: int, pages: list[int]) -> None:
    """Three people cite 1 2, 1 2 3 and 1; what fewer than ``keep`` marked is open, not dropped."""
    submissions = [person("a", pages=(1, 2)), person("b", pages=(2, 1, 3)), person("c", pages=(1,))]
    draft = gold(submissions, {"evidence": Pick(way)}, keep=keep)  # type: ignore[arg-type]
    counts = {1: 3, 2: 2, 3: 1}
    assert kept_pages(draft) == [(page, counts[page]) for page in pages]
    choice = next(choice for choice in draft.choices if choice.part == "evidence")
    left = sorted({1, 2, 3} - set(pages)) if way == "retention" else []
    assert [page.page for page in choice.open_pages] == left
    assert choice.tied == bool(left)


def test_one_annotator_and_one_reviewer_keep_a_page() -> None:
    """A page that one person cited stays where the reviewer picks it; others' pages cannot be."""
    submissions = [person("a", pages=(1, 2)), person("b", pages=(1,))]
    draft = gold(submissions, {"evidence": Pick("pick", pages=(PAGES[1],))})
    assert [(p.page, p.annotators, p.reviewer) for p in draft.evidence] == [(2, 1, True)]
    with pytest.raises(Refusal, match="Nobody cited page 3"):
        gold(submissions, {"evidence": Pick("pick", pages=(PAGES[2],))})


def test_the_answer_nearest_to_the_others_is_proposed() -> None:
    """Of "blue whale", "blue wale" and "seal" the first two are near, and differ all the same."""
    submissions = [person("a", "seal"), person("b", "blue whale"), person("c", "blue wale")]
    assert gold(submissions).answer_text == ""
    assert gold(submissions, answer=0.8).answer_text == "blue wale"
    assert gold([*submissions, person("d", "blue whale")]).answer_text == "blue whale"
    assert gold(submissions, {"answer": Pick("side", "a")}).answer_text == "seal"
    assert gold(submissions, {"answer": Pick("none")}).answer_text == ""


def test_the_outcome_that_most_gave_is_proposed() -> None:
    """Two of three found no answer, whose text does not count; of two who differ, nobody's."""
    not_found = {"outcome": "not_found"}
    submissions = [
        person("a", "seal"),
        person("b", "x", **not_found),
        person("c", "y", **not_found),
    ]
    assert gold(submissions).outcome == "not_found"
    assert gold(submissions[:2]).outcome is None


def test_fields_go_with_most_people() -> None:
    """A field of three options given as b, a, b is b; None is no vote."""
    protocol = with_overrides(
        SEARCH,
        {
            "fields": [
                {"name": "kind", "label": "Kind", "kind": "choice",
                 "options": [{"value": v, "label": v} for v in ("a", "b")]},
            ]
        },
    )  # fmt: skip

    def voter(name: str, value: str | None) -> Submission:
        fields = (FieldValue(field="kind", value=value, seq=1),)
        return Submission(Form(protocol, person(name, fields=fields).form.state), name, name)

    votes = [voter("a", "b"), voter("b", "a"), voter("c", "b")]
    assert [value.value for value in gold(votes).fields] == ["b"]
    assert [value.value for value in gold([voter("a", None), voter("b", "a")]).fields] == ["a"]
    assert gold(votes, {"kind": Pick("none")}).fields == ()
    assert [value.value for value in gold(votes, {"kind": Pick("side", "b")}).fields] == ["a"]


def boxed(name: str, *rects: tuple[float, float, float, float]) -> Submission:
    """Somebody who drew these, all under the ids b0, b1, …"""
    protocol = with_overrides(SEARCH, {"boxes": {"enabled": True, "labels": [{"name": "T"}]}})
    boxes = tuple(
        PageBox(id=f"b{n}", document="b.pdf", page=1, rect=rect, label="T", seq=1)
        for n, rect in enumerate(rects)
    )
    state = person(name).form.state.model_copy(update={"boxes": Boxes(boxes=boxes)})
    return Submission(Form(protocol, state), name, name)


def test_boxes_of_several_people() -> None:
    """Half-overlapping ones are one from IoU 0.5: union, intersection, medoid, and one by one."""
    left, shifted, distant = (0, 0, 30, 10), (10, 0, 40, 10), (100, 100, 120, 120)
    submissions = [boxed("a", left), boxed("b", shifted, distant), boxed("c", left)]

    def rects(pick: Pick) -> list[tuple[float, ...]]:
        return [box.rect for box in gold(submissions, {"boxes": pick}).boxes]

    assert rects(Pick("union")) == [left, distant]  # 20 of 40 squares is just enough
    assert rects(Pick("intersection")) == [left]
    assert rects(Pick("medoid")) == [left]
    assert rects(Pick("none")) == []
    assert rects(Pick("side", "b")) == [shifted, distant]
    picked_boxes = gold(
        submissions, {"boxes": Pick("pick", boxes=(("b", "b1"), ("c", "b0")))}
    ).boxes
    assert [(box.rect, box.source) for box in picked_boxes] == [(distant, "b"), (left, "c")]
    assert len({box.id for box in picked_boxes}) == 2
    with pytest.raises(Refusal, match="no longer exists"):
        gold(submissions, {"boxes": Pick("pick", boxes=(("a", "b9"),))})


def test_nobody_gave_anything() -> None:
    """The draft of a task that everybody skipped is empty, and no gold."""
    assert gold([]).outcome is None
    assert draft_state(gold([])).answer == []


def reviewer() -> AttemptDriver:
    """A gold stream."""
    return AttemptDriver(
        MemoryEventLog("gold"), AttemptContext("gold", "Sofia", SEARCH, None, review=True)
    )


def test_gold_is_the_fold_of_its_stream() -> None:
    """Taken, merged, decided, reopened, merged and decided: two versions, in order."""
    driver = reviewer()
    driver.do(ev.ReviewTaken())
    driver.do(merged(fields=(), boxes=(), rows=()))
    state = driver.do(ev.Adjudicated(version=1, sources=SOURCES, reason="clear")).state
    assert state.review is not None
    assert (state.status, state.answer) == ("submitted", ["42", "forty-two"])
    assert (state.review.version, state.review.decided_by, state.review.holder) == (
        1,
        "Sofia",
        None,
    )
    assert state.review.decided_seq == state.last_seq == 3
    state = driver.do(ev.GoldReopened(reason="slip")).state
    assert state.review is not None
    assert (state.review.decided, state.review.version, state.review.holder) == (False, 1, "Sofia")
    page = ev.KeptPage(document="b.pdf", page=3)
    driver.do(merged(fields=(), boxes=(), rows=(), answer_text="43", evidence=(page,)))
    state = driver.do(ev.Adjudicated(version=2, sources=SOURCES)).state
    assert state.review is not None
    assert (state.review.version, state.answer) == (2, ["43"])
    assert [cited.page for cited in state.citations] == [3]


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (ev.ReviewTaken(), "gold_decided"),
        (merged(), "gold_decided"),
        (ev.Adjudicated(version=2, sources=()), "gold_decided"),
        (ev.AnswerEdited(text="x"), "gold_decided"),
        (ev.GoldReopened(reason=" "), "blank"),
        (ev.ReviewReleased(), "not_held"),
        (ev.Returned(comment="x"), "not_returnable"),
    ],
)
def test_what_decided_gold_refuses(payload: ev.Payload, code: str) -> None:
    """It has to be reopened, with a reason; gold is not sent back to anybody."""
    driver = reviewer()
    driver.do(merged(fields=(), boxes=(), rows=()))
    driver.do(ev.Adjudicated(version=1, sources=SOURCES))
    before = driver.state
    assert [refusal.code for refusal in driver.do(payload).refusals.values()] == [code]
    assert driver.state == before


@pytest.mark.parametrize(
    "payload", [ev.ReviewTaken(), ev.ReviewReleased(), merged(), ev.GoldReopened(reason="x")]
)
def test_annotators_work_takes_no_gold_events(payload: ev.Payload) -> None:
    """Whatever a request says, a person's attempt is never gold."""
    driver = AttemptDriver(MemoryEventLog("a1"), AttemptContext("a1", "Ada", SEARCH, None))
    assert [refusal.code for refusal in driver.do(payload).refusals.values()] == ["not_gold"]


def test_a_version_is_not_skipped() -> None:
    """The first decision is version 1."""
    driver = reviewer()
    driver.do(merged(fields=(), boxes=(), rows=()))
    outcome = driver.do(ev.Adjudicated(version=3, sources=SOURCES))
    assert [refusal.code for refusal in outcome.refusals.values()] == ["wrong_version"]

"""What was submitted: the one definition, rule by rule."""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import gold_submission
from pagetrail.annotation.comparison.measures import page_overlap, value_pairs
from pagetrail.annotation.protocols.protocol import Protocol, override, preset
from tests.support.factory import cited, events_at

REPORT = "annual report.pdf"
RELEVANCE = preset("relevance")
GRADED = override(
    preset("search"),
    {
        "fields": [
            {"name": "clear", "label": "Clear", "kind": "choice", "scope": "page",
             "options": [{"value": v, "label": v} for v in ("yes", "no")]},
        ]
    },
)  # fmt: skip


def submitted(
    protocol: Protocol, *payloads: ev.AnyPayload, given: list[tuple[str, int]] | None = None
) -> Submission:
    """What comes of these events."""
    state = fold(events_at(*((n, payload) for n, payload in enumerate(payloads))))
    return Submission(Form(protocol, state, given))


def test_answers() -> None:
    """One per line; prose is one; a draft beside another outcome is none."""
    lines = ev.AnswerEdited(text=" otters \n\nbeavers ")
    answered = ev.Submitted(outcome="answered")
    assert submitted(preset("search"), lines, answered).answer == ("otters", "beavers")
    assert submitted(RELEVANCE, lines, answered).answer == ("otters \n\nbeavers",)
    assert submitted(preset("search"), lines, ev.Submitted(outcome="not_found")).answer == ()


def test_the_value_of_a_page_counts_while_the_page_is_cited() -> None:
    """A page that was taken out of the evidence has no values any more."""
    value = ev.FieldSet(field="clear", document=REPORT, page=3, value="yes")
    spec = GRADED.field("clear")
    assert spec is not None
    page = Target(REPORT, 3)
    there = submitted(GRADED, cited(3), value)
    assert (there.targets(spec), there.value(spec, page)) == ([page], "yes")
    gone = submitted(GRADED, cited(3), value, ev.CitationRemoved(document=REPORT, page=3))
    assert (gone.targets(spec), gone.value(spec, page), gone.pages) == ([], None, ())


def test_boxes_count_on_pages_that_take_them() -> None:
    """Not once the page is graded so that it takes none, and not once they are deleted."""
    box = ev.BoxDrawn(box="b1", document=REPORT, page=3, rect=(0, 0, 9, 9), label="Text")

    def grade(value: str) -> ev.FieldSet:
        return ev.FieldSet(field="relevance", document=REPORT, page=3, value=value)

    given = [(REPORT, 3)]
    assert len(submitted(RELEVANCE, grade("1"), box, given=given).boxes_on(given[0])) == 1
    assert submitted(RELEVANCE, grade("1"), box, grade("0"), given=given).boxes == ()
    assert submitted(RELEVANCE, grade("1"), box, ev.BoxDeleted(box="b1"), given=given).boxes == ()


def test_a_task_that_was_ended_keeps_what_ended_it_alone() -> None:
    """No grades and no boxes of its pages."""
    found = submitted(
        RELEVANCE,
        ev.FieldSet(field="relevance", document=REPORT, page=3, value="1"),
        ev.BoxDrawn(box="b1", document=REPORT, page=3, rect=(0, 0, 9, 9), label="Text"),
        ev.FieldSet(field="query_quality", value="poor"),
        ev.Submitted(outcome="completed"),
        given=[(REPORT, 3)],
    )
    quality, relevance = RELEVANCE.field("query_quality"), RELEVANCE.field("relevance")
    assert quality is not None and relevance is not None
    assert found.value(quality, TASK) == "poor"
    assert (found.targets(relevance), found.boxes) == ([], ())
    assert found.value(relevance, Target(REPORT, 3)) is None


def test_gold_is_compared_in_what_it_states() -> None:
    """Evidence that it leaves open is compared with nothing; so is that of no answer at all."""
    mine = submitted(preset("search"), cited(3), ev.Submitted(outcome="answered"))
    evidence = [{"document": REPORT, "page": 3}, {"document": REPORT, "page": 4}]
    found = page_overlap(mine, gold_submission(preset("search"), {"evidence": evidence}))
    assert found is not None and found.f1 == 2 / 3
    assert page_overlap(mine, gold_submission(preset("search"), {})) is None
    none = {"evidence": evidence, "unanswerable": True}
    assert page_overlap(mine, gold_submission(preset("search"), none)) is None
    review = preset("qa_review")
    gold = gold_submission(review, {"gold": {"fields": {"complete": "yes"}}})
    pairs = [pair for spec in review.fields for pair in value_pairs(spec, gold, gold)]
    assert [(pair.mine, pair.apart) for pair in pairs] == [("yes", 0)]

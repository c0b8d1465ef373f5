"""What was submitted: the one definition, rule by rule."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.attempts.submission import (
    SUBMISSION_VERSIONS,
    Submission,
    as_of,
    later_change,
)
from pagetrail.annotation.comparison.gold_submission import gold_submission
from pagetrail.annotation.comparison.measures import page_overlap, value_pairs
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from tests.support.factory import cited, events_at

REPORT = "annual report.pdf"
RELEVANCE = preset("relevance")
GRADED = with_overrides(
    preset("search"),
    {
        "fields": [
            {"name": "clear", "label": "Clear", "kind": "choice", "scope": "page",
             "options": [{"value": v, "label": v} for v in ("yes", "no")]},
        ]
    },
)  # fmt: skip


def submitted(
    protocol: Protocol, *payloads: ev.Payload, pages: list[tuple[str, int]] | None = None
) -> Submission:
    """What comes of these events."""
    state = fold(events_at(*((n, payload) for n, payload in enumerate(payloads))))
    return Submission(Form(protocol, state, pages))


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
    with_citation = submitted(GRADED, cited(3), value)
    assert (with_citation.targets(spec), with_citation.value(spec, page)) == ([page], "yes")
    without_citation = submitted(
        GRADED, cited(3), value, ev.CitationRemoved(document=REPORT, page=3)
    )
    assert (
        without_citation.targets(spec),
        without_citation.value(spec, page),
        without_citation.pages,
    ) == ([], None, ())


def test_boxes_count_on_pages_that_take_them() -> None:
    """Not once the page is graded so that it takes none, and not once they are deleted."""
    box = ev.BoxDrawn(box="b1", document=REPORT, page=3, rect=(0, 0, 9, 9), label="Text")

    def grade(value: str) -> ev.FieldSet:
        return ev.FieldSet(field="relevance", document=REPORT, page=3, value=value)

    pages = [(REPORT, 3)]
    assert len(submitted(RELEVANCE, grade("1"), box, pages=pages).boxes_on(pages[0])) == 1
    assert submitted(RELEVANCE, grade("1"), box, grade("0"), pages=pages).boxes == ()
    assert submitted(RELEVANCE, grade("1"), box, ev.BoxDeleted(box="b1"), pages=pages).boxes == ()


def test_a_task_that_was_ended_keeps_what_ended_it_alone() -> None:
    """No grades and no boxes of its pages."""
    submission = submitted(
        RELEVANCE,
        ev.FieldSet(field="relevance", document=REPORT, page=3, value="1"),
        ev.BoxDrawn(box="b1", document=REPORT, page=3, rect=(0, 0, 9, 9), label="Text"),
        ev.FieldSet(field="query_quality", value="poor"),
        ev.Submitted(outcome="completed"),
        pages=[(REPORT, 3)],
    )
    quality, relevance = RELEVANCE.field("query_quality"), RELEVANCE.field("relevance")
    assert quality is not None and relevance is not None
    assert submission.value(quality, TASK) == "poor"
    assert (submission.targets(relevance), submission.boxes) == ([], ())
    assert submission.value(relevance, Target(REPORT, 3)) is None


def test_only_parts_stated_in_the_gold_are_compared() -> None:
    """Without gold evidence, or with an unanswerable question, pages are not compared."""
    submission = submitted(preset("search"), cited(3), ev.Submitted(outcome="answered"))
    evidence = [{"document": REPORT, "page": 3}, {"document": REPORT, "page": 4}]
    page_pairs = page_overlap(submission, gold_submission(preset("search"), {"evidence": evidence}))
    assert page_pairs is not None and page_pairs.f1 == 2 / 3
    assert page_overlap(submission, gold_submission(preset("search"), {})) is None
    unanswerable = {"evidence": evidence, "unanswerable": True}
    assert page_overlap(submission, gold_submission(preset("search"), unanswerable)) is None
    review = preset("qa_review")
    gold = gold_submission(review, {"gold": {"fields": {"complete": "yes"}}})
    pairs = [pair for spec in review.fields for pair in value_pairs(spec, gold, gold)]
    assert [(pair.mine, pair.distance) for pair in pairs] == [("yes", 0)]


SEARCH = preset("search")
WRONG, RIGHT = ev.AnswerEdited(text="seals"), ev.AnswerEdited(text="otters")
SUBMIT = ev.Submitted(outcome="answered")
SENT_BACK = ev.Returned(comment="Look at page 4.")
SKIPPED = ev.Skipped(reason="unreadable")
COMMENT = ev.Commented(text="Did you see page 4?")
FEEDBACK = ev.FeedbackGiven(right=False, score=0, parts=())


def log_of(*steps: ev.Payload | tuple[str, ev.Payload]) -> list[ev.Event]:
    """One step per second; by the annotator unless an actor is named."""
    payloads = [step[1] if isinstance(step, tuple) else step for step in steps]
    log = events_at(*((n, payload) for n, payload in enumerate(payloads)))
    return [
        event.model_copy(update={"actor": step[0]}) if isinstance(step, tuple) else event
        for event, step in zip(log, steps, strict=True)
    ]


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([("Vera", SENT_BACK)], "sent_back"),
        ([ev.Reopened()], "reopened_by_the_annotator"),
        ([("Vera", COMMENT), ev.Reopened()], "after_a_comment"),
        ([COMMENT, ev.Reopened()], "reopened_by_the_annotator"),
        ([("Vera", ev.Reopened())], "reopened_by_a_supervisor"),
        ([FEEDBACK, ev.Reopened()], "after_feedback"),
        ([ev.Reopened(), SUBMIT, ("Vera", SENT_BACK)], "sent_back"),
    ],
)
def test_the_first_submission_is_what_people_did_by_themselves(
    steps: list[ev.Payload | tuple[str, ev.Payload]], reason: str
) -> None:
    """Whatever led to another one; what led to it is told where the answer changed."""
    log = log_of(ev.Opened(session="t"), WRONG, SUBMIT, *steps, RIGHT, SUBMIT)
    first, final = (fold(as_of(log, version)) for version in SUBMISSION_VERSIONS)
    assert (first.status, first.answer, first.last_seq) == ("submitted", ["seals"], 3)
    assert final.answer == ["otters"]
    assert later_change(log, SEARCH, None) == reason
    unchanged = log_of(ev.Opened(session="t"), WRONG, SUBMIT, *steps, SUBMIT)
    assert later_change(unchanged, SEARCH, None) is None


def test_a_skipped_task_that_was_sent_back_was_not_submitted_alone() -> None:
    """It counts as skipped; one that its annotator reopened unasked counts as submitted."""
    opened = ev.Opened(session="t")
    helped = log_of(opened, SKIPPED, ("Vera", SENT_BACK), RIGHT, SUBMIT)
    assert fold(as_of(helped, "first")).status == "skipped"
    assert later_change(helped, SEARCH, None) == "sent_back"
    unaided = log_of(opened, SKIPPED, ev.Reopened(), RIGHT, SUBMIT)
    assert as_of(unaided, "first") == unaided
    assert later_change(unaided, SEARCH, None) is None


def test_an_attempt_that_is_back_with_its_annotator_counts_as_submitted() -> None:
    """Its first submission does, and there is no later one yet."""
    log = log_of(ev.Opened(session="t"), WRONG, SUBMIT, ("Vera", SENT_BACK), RIGHT)
    assert fold(as_of(log, "first")).status == "submitted"
    assert fold(as_of(log, "final")).status == "open"
    assert later_change(log, SEARCH, None) is None


def test_an_attempt_that_nobody_reopened_is_whole() -> None:
    """The closing of its batch and the feedback on it are no later work."""
    log = log_of(ev.Opened(session="t"), WRONG, SUBMIT, FEEDBACK, ev.BatchClosed())
    assert as_of(log, "first") == log

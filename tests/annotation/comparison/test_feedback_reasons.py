"""What pilots tolerate in answers, and what feedback gives as the reason."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.answers.question import Question
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.comparison.feedback_reasons import reasons
from pagetrail.annotation.comparison.gold_answers import decide_texts
from pagetrail.annotation.protocols.protocol import preset
from tests.annotation.comparison.test_against_gold import REPORT, answered
from tests.support.factory import cited, events_at


@pytest.mark.parametrize(
    ("answer", "gold", "question", "verdict"),
    [
        ("12.5 %", "12.5", "What percentage?", "correct"),
        ("12.5 %", "12.5", "How much?", "undecided"),
        ("EUR 4,500 million", "4500", "How much, in EUR millions?", "correct"),
        ("3 million tonnes", "3", "How many million tonnes?", "correct"),
        ("140 m²", "140", "How many m²?", "correct"),
        ("13 %", "12", "What percentage?", "incorrect"),
        ("12 of 30", "12", "How many?", "undecided"),
        ("about 12 of the people", "12", "How many people?", "correct"),
        ("about 12 of the guests that were there", "12", "How many people?", "undecided"),
        ("12 million euros", "12", "How much?", "undecided"),
    ],
)
def test_a_bare_number_accepts_what_the_question_states(
    answer: str, gold: str, question: str, verdict: str
) -> None:
    """A unit or scale that neither gold nor question states could be another one."""
    assert decide_texts(answer, gold, Question(question)).verdict == verdict


def judge(record: dict[str, Any], *steps: ev.Payload) -> tuple[bool, dict[str, str]]:
    """Whether a submitted search task is right, and the reasons."""
    form = Form(preset("search"), fold(events_at(*enumerate(steps))))
    feedback = compare(form, record)
    assert feedback is not None
    return feedback.right, reasons(form, record)


GOLD = {
    "question": "How many million euros?",
    "answer_variants": [["12"]],
    "evidence": [{"document": REPORT, "page": 3}],
}


def test_a_number_with_its_unit_is_right_with_a_reason() -> None:
    """It was wrong before, though the guidelines ask for the unit."""
    right, reasons = judge(GOLD, cited(3), *answered("12 million euros"))
    assert right
    assert reasons == {"answer": "It is the gold’s quantity, written in another way."}


def test_each_wrong_part_says_what_is_wrong() -> None:
    """Another number; a page too many and one that is missing; a list with an item missing."""
    right, reasons = judge(GOLD, cited(4), *answered("13 million euros"))
    assert not right
    assert "differ in a number" in reasons["answer"]
    assert reasons["evidence"].endswith("1 page is missing and 1 page is not needed.")
    list_record = {**GOLD, "answer_variants": [["Rhine", "Danube"]]}
    _, reasons = judge(list_record, cited(3), *answered("Rhine"))
    assert reasons == {"answer": "Missing: “Danube”."}
    _, reasons = judge(GOLD, cited(3), ev.Submitted(outcome="not_found"))
    assert reasons == {"answer": "No answer was submitted, and the gold has one."}


def test_a_skipped_task_and_one_that_is_right_in_every_letter() -> None:
    """The one says so for each part, the other needs no reason."""
    _, reasons = judge(GOLD, ev.Skipped(reason="torn"))
    assert set(reasons) == {"answer", "evidence"} and len(set(reasons.values())) == 1
    assert judge(GOLD, cited(3), *answered("12")) == (True, {})

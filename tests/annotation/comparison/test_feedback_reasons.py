"""What pilots tolerate in answers, and what feedback gives as the reason."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.comparison.feedback_reasons import reasons
from pagetrail.annotation.comparison.gold_answers import decide_texts
from pagetrail.annotation.protocols.protocol import preset
from tests.annotation.comparison.test_against_gold import REPORT, answered
from tests.support.factory import cited, events_at


@pytest.mark.parametrize(
    ("answer", "gold", "verdict"),
    [
        ("12.5 %", "12.5", "correct"),
        ("EUR 4,500 million", "4500", "correct"),
        ("3 million tonnes of CO2 equivalent", "3", "correct"),
        ("140 m²", "140", "correct"),
        ("12", "12", "correct"),
        ("13 %", "12", "incorrect"),
        ("12 of 30", "12", "undecided"),
        ("12", "12 %", "undecided"),
        ("about 12 of the many people that were there", "12", "correct"),
        ("twelve tonnes", "twelve", "correct"),
        ("12 million euros", "12", "correct"),
        ("12", "12 million euros", "undecided"),
        ("12 kg", "12 tonnes", "undecided"),
    ],
)
def test_a_bare_number_of_the_gold_accepts_a_unit(answer: str, gold: str, verdict: str) -> None:
    """A unit of the gold is asked for: the number alone says less, another unit something else."""
    assert decide_texts(answer, gold).verdict == verdict


def judge(record: dict[str, Any], *steps: ev.Payload) -> tuple[bool, dict[str, str]]:
    """Whether a submitted search task is right, and the reasons."""
    form = Form(preset("search"), fold(events_at(*enumerate(steps))))
    feedback = compare(form, record)
    assert feedback is not None
    return feedback.right, reasons(form, record)


GOLD = {"answer_variants": [["12"]], "evidence": [{"document": REPORT, "page": 3}]}


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

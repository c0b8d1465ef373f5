"""What pilots tolerate in answers, and what feedback gives as the reason."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.comparison.feedback_reasons import reasons
from pagetrail.annotation.comparison.gold_answers import adds_unit, says
from pagetrail.annotation.protocols.protocol import preset
from tests.annotation.comparison.test_against_gold import REPORT, answered
from tests.support.factory import cited, events_at


@pytest.mark.parametrize(
    ("answer", "gold", "right"),
    [
        ("12.5 %", "12.5", True),
        ("EUR 4,500 million", "4500", True),
        ("3 million tonnes of CO2 equivalent", "3", True),
        ("140 m²", "140", True),
        ("12", "12", False),  # no unit
        ("13 %", "12", False),
        ("12 of 30", "12", False),
        ("12", "12 %", False),
        ("about 12 of the many people that were there", "12", False),
        ("twelve tonnes", "twelve", False),
    ],
)
def test_a_bare_number_of_the_gold_accepts_a_unit(answer: str, gold: str, right: bool) -> None:
    """The same number, and a few words that are none."""
    assert adds_unit(answer, gold) == right


def test_a_unit_of_the_gold_is_asked_for() -> None:
    """The number alone says less, and another unit says something else."""
    assert says("12 million euros", "12")
    assert not says("12", "12 million euros")
    assert not says("12 kg", "12 tonnes")


def judged(record: dict[str, Any], *steps: ev.AnyPayload) -> tuple[bool, dict[str, str]]:
    """Whether a submitted search task is right, and the reasons."""
    form = Form(preset("search"), fold(events_at(*enumerate(steps))))
    feedback = compare(form, record)
    assert feedback is not None
    return feedback.right, reasons(form, record)


GOLD = {"answer_variants": [["12"]], "evidence": [{"document": REPORT, "page": 3}]}


def test_the_number_with_its_unit_is_right_and_it_is_said_why() -> None:
    """It was wrong before, though the guidelines ask for the unit."""
    right, why = judged(GOLD, cited(3), *answered("12 million euros"))
    assert right
    assert why == {
        "answer": "The gold gives the number without its unit; with the unit it is right too."
    }


def test_each_wrong_part_says_what_is_wrong() -> None:
    """Another number; a page too many and one that is missing; a list with an item missing."""
    right, why = judged(GOLD, cited(4), *answered("13 million euros"))
    assert not right
    assert "differ in a number" in why["answer"]
    assert why["evidence"].endswith("1 page is missing and 1 page is not needed.")
    several = {**GOLD, "answer_variants": [["Rhine", "Danube"]]}
    _, why = judged(several, cited(3), *answered("Rhine"))
    assert why == {"answer": "Missing: “Danube”."}
    _, why = judged(GOLD, cited(3), ev.Submitted(outcome="not_found"))
    assert why == {"answer": "No answer was submitted, and the gold has one."}


def test_a_skipped_task_and_one_that_is_right_in_every_letter() -> None:
    """The one says so for each part, the other needs no reason."""
    _, why = judged(GOLD, ev.Skipped(reason="torn"))
    assert set(why) == {"answer", "evidence"} and len(set(why.values())) == 1
    assert judged(GOLD, cited(3), *answered("12")) == (True, {})

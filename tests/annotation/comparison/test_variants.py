"""Answers that gold could accept side by side differ, but are no total conflict."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.differences import PartDifference, compare
from pagetrail.annotation.comparison.gold_answers import are_variants
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review import Submission


def answer_part(
    *texts: str, accepted: list[list[str]] | None = None, **rule: Any
) -> PartDifference:
    """How people differ who submitted these answers."""
    people = [
        Submission(
            Form(
                preset("search"),
                AttemptState(status="submitted", outcome="answered", answer_text=text),
            ),
            str(n),
            str(n),
        )
        for n, text in enumerate(texts)
    ]
    difference = compare(people, ReviewPart.model_validate(rule), lambda *_: (1, 1), accepted or [])
    return next(part for part in difference.parts if part.part == "answer")


@pytest.mark.parametrize(
    ("left", "right", "variants"),
    [
        ("Sir Aldous Fenhallow", "Fenhallow", True),
        ("Fenhallow", "the late Sir Aldous Fenhallow of Wick", True),
        ("Marguerite Vaulx", "Margerite Vaux", True),  # ANLS* of 0.5 or more
        ("Vaulx", "Fenhallow", False),
        ("42 otters", "57 otters", False),  # alike, but for the number
        ("42", "42 million", False),  # a number alone is no short form of a name
        ("otters", "42 otters", False),
        ("otter\nseal", "Seal\nthe otter", True),
        ("otter\nseal", "otter", False),
        ("", "Fenhallow", False),
    ],
)
def test_what_is_a_variant(left: str, right: str, variants: bool) -> None:
    """Spelling and shorter forms are, item by item; other numbers and other things are not."""
    for pair in ((left, right), (right, left)):
        part = answer_part(*pair)
        assert (part.agreed, part.variants) == (False, variants)
        assert part.score <= 0.5 if variants else part.score > 0


def test_two_answers_that_the_task_accepts_are_variants() -> None:
    """Metrics take either for right; a third that is not accepted is a conflict."""
    accepted = [["42"], ["all of them"]]
    part = answer_part("42.0", "All of them", accepted=accepted)
    assert (part.agreed, part.variants, part.score) == (False, True, 0.5)
    assert not answer_part("42", "all of them").variants
    assert not answer_part("42", "all of them", "7", accepted=accepted).variants
    assert are_variants(["42"], ["all of them"], accepted)


def test_numbers_agree_by_their_value_and_not_by_their_letters() -> None:
    """One quantity in two ways agrees; 0.61 and 0.63 do not, however near their letters are."""
    part = answer_part("$5.2 million", "5,200,000 USD")
    assert (part.agreed, part.score) == (True, 0)
    for rule in ({"answer": 0.7}, {"parts": {"answer": 0.3}}):
        assert not answer_part("0.61", "0.63", **rule).agreed
        assert not answer_part("a loss in 2018", "a loss in 2019", **rule).agreed
        assert answer_part("a loss in 2018", "a lost in 2018", **rule).agreed
    assert answer_part("0.61", "0.63", parts={"answer": 1}).agreed, "the part is left out"


def test_variants_are_for_a_reviewer_unless_the_rule_takes_them_for_the_same() -> None:
    """The rule's threshold is ANLS* as before; what meets it is no variant but agrees."""
    strict = answer_part("Marguerite Vaulx", "Marguerite Vaux")
    assert (strict.agreed, strict.variants) == (False, True)
    lenient = answer_part("Marguerite Vaulx", "Marguerite Vaux", answer=0.9)
    assert (lenient.agreed, lenient.variants) == (True, False)
    assert lenient.score == strict.score
    short = answer_part("Sir Aldous Fenhallow", "Fenhallow", answer=0.4)
    assert not short.agreed, "its ANLS* is 0"

"""Questions that exist already."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.authoring.duplicates import check
from tests.annotation.authoring.drafts import draft

QUESTION = "How many otters did the Lakeland survey count in 2019?"
EXISTING = [("q1", "Who led the survey?"), ("q2", QUESTION)]


@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        "how many OTTERS did the Lakeland survey count in 2019",
        "  How many otters did  the Lake\u00adland survey count in 2019 ?!",
    ],
)
def test_the_same_question_is_shown(question: str) -> None:
    """Case, spaces and marks do not make another question."""
    finding = check(draft(question), EXISTING)
    assert (finding.status, finding.other, finding.words) == ("warning", QUESTION, ())
    assert "exists already" in finding.message


def test_a_similar_question_is_shown_with_the_difference() -> None:
    """Another order, other small words, or one word of six changed: shown with what differs."""
    moved = check(draft("In 2019, how many otters were counted by the Lakeland survey?"), EXISTING)
    assert (moved.status, moved.other) == ("ok", None)  # "count" and "counted" are two words
    moved = check(draft("In 2019, did the Lakeland survey count many otters?"), EXISTING)
    assert (moved.status, moved.other, moved.words) == ("warning", QUESTION, ())
    spelt = check(draft("How many otter did the Lakeland surveys count in 2019?"), EXISTING)
    assert spelt.status == "warning"
    assert spelt.words == ("otter", "otters", "survey", "surveys")
    assert "similarity 0." in spelt.message


@pytest.mark.parametrize(
    "question",
    [
        "How many otters did the Lakeland survey count in 2018?",
        "How many otters did the Lakeland survey not count in 2019?",
        "How many otters didn't the Lakeland survey count in 2019?",
    ],
)
def test_another_number_or_a_negation_asks_for_something_else(question: str) -> None:
    """However much else the two share."""
    finding = check(draft(question), EXISTING)
    assert finding.status == "ok" and "2 other questions" in finding.message


def test_a_compound_is_the_same_in_any_spelling() -> None:
    """Written as a file would have it or with a space."""
    existing = [("q", "What is the cash ratio of Nike in FY2021?")]
    assert check(draft("What is the cash_ratio of Nike in FY2021?"), existing).status == "warning"
    assert check(draft("What is the cash ratio of Nike in FY 2021?"), existing).status == "warning"


def test_nothing_to_compare() -> None:
    """An empty question is to be written first; an empty collection makes any question new."""
    assert check(draft("?"), EXISTING).status == "skipped"
    assert check(draft("Who?"), [("q", ""), ("r", "?")]).status == "ok"


@given(st.text(max_size=60))
def test_a_question_repeats_itself(question: str) -> None:
    """Whatever it is, a question with a word in it is found again."""
    finding = check(draft(question), [("q", question)])
    assert finding.status in ("warning", "skipped")
    assert (finding.status == "skipped") == (finding.other is None)

"""A majority accepts a task only if it is one: more than half, and no other group like it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.comparison.differences import PartDifference, TaskDifference
from pagetrail.annotation.errors import ProtocolError
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review import compare, status_of
from pagetrail.annotation.review.status import NEEDS_REVIEWER, TaskWorkSummary, agreeing_attempts
from tests.annotation.review.test_properties import size
from tests.annotation.review.test_ties import worker
from tests.support.randomness import examples

MAJORITY = ReviewPart(accept="majority")


def difference(people: str, *differing: str) -> TaskDifference:
    """These people, and the pairs of them that differ in the answer, such as ``ab``."""
    pairs = tuple((a, b) for a, b in differing)
    part = PartDifference("answer", "Answer", 0.5, agreed=not pairs, apart=pairs)
    return TaskDifference(0.5, not pairs and len(people) > 1, (part,))


@pytest.mark.parametrize(
    ("people", "differing", "skipped", "agree"),
    [
        ("ab", (), 0, "ab"),
        ("ab", ("ab",), 0, ""),
        ("abc", ("ac", "bc"), 0, "ab"),
        ("abc", ("ac",), 0, ""),  # a and b, or b and c
        ("abcd", ("ac", "ad", "bc", "bd"), 0, ""),  # two against two
        ("abcd", ("ad", "bd", "cd"), 0, "abc"),
        ("abcd", ("cd",), 0, ""),
        ("abcde", ("ad", "ae", "bd", "be", "cd", "ce"), 0, "abc"),
        ("abc", ("ac", "bc"), 1, ""),  # two of four
        ("ab", (), 1, "ab"),
        ("ab", (), 2, ""),
    ],
)
def test_more_than_half_who_agree_with_each_other(
    people: str, differing: tuple[str, ...], skipped: int, agree: str
) -> None:
    """Whoever skipped counts as somebody who does not agree."""
    attempts = agreeing_attempts(
        list(people), difference(people, *differing), MAJORITY, len(people) + skipped
    )
    assert "".join(attempts) == agree


@examples(150)
@given(data=st.data())
def test_names_and_order_choose_nobody(data: st.DataObject) -> None:
    """The same people, whatever they are called and in whichever order they come."""
    people = "abcdef"[: data.draw(st.integers(2, 6))]
    pairs = ["".join(pair) for pair in combinations(people, 2)]
    differing = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    new_names = dict(zip(people, data.draw(st.permutations(people)), strict=True))
    renamed_pairs = [
        "".join(sorted(new_names[p] for p in pair))
        for pair in data.draw(st.permutations(differing))
    ]
    first = agreeing_attempts(list(people), difference(people, *differing), MAJORITY, len(people))
    second = agreeing_attempts(
        list(new_names.values()), difference(people, *renamed_pairs), MAJORITY, len(people)
    )
    assert {new_names[person] for person in first} == set(second)
    assert not first or len(first) > len(people) / 2
    assert all("".join(sorted(pair)) not in differing for pair in combinations(first, 2))


def test_work_that_could_not_be_compared_has_no_majority() -> None:
    """Nobody knows who agrees with whom."""
    unknown = PartDifference("comparison", "Not compared", 1.0, agreed=False)
    assert (
        agreeing_attempts(["a", "b", "c"], TaskDifference(1.0, False, (unknown,)), MAJORITY, 3)
        == ()
    )


def _protocol(**review: Any) -> Protocol:
    return with_overrides(
        preset("search"),
        {"evidence.required": False, **{f"review.{key}": value for key, value in review.items()}},
    )


def _work_summary(
    count: int, *, flagged: bool = False, finished: int | None = None
) -> TaskWorkSummary:
    attempts = tuple("abcdef"[:count])
    n_finished = finished or count
    return TaskWorkSummary(
        overlap=1,
        n_expected=1,
        n_finished=n_finished,
        n_submitted=count,
        n_returned=0,
        n_skipped=n_finished - count,
        flagged=flagged,
        attempts=attempts,
        sources={},
    )


def test_a_part_may_have_a_threshold_of_its_own() -> None:
    """Its largest difference replaces the threshold of its kind; 1 leaves it out."""
    for parts, agreed in (({}, False), ({"answer": 0.1}, False), ({"answer": 0.3}, True)):
        protocol = _protocol(parts=parts)
        pair = [worker(n, protocol, answer_text=t) for n, t in (("a", "whale"), ("b", "whales"))]
        assert compare(pair, protocol.review, size).agreed is agreed
    protocol = _protocol(parts={"outcome": 1})
    pair = [worker("a", protocol), worker("b", protocol, outcome="not_found")]
    assert compare(pair, protocol.review, size).agreed


def test_thresholds_are_of_parts_that_there_are() -> None:
    """An unknown part is refused with those that there are; None takes a threshold away."""
    with pytest.raises(ProtocolError, match="no part 'boxes'; parts: outcome, answer, evidence"):
        _protocol(parts={"boxes": 0.5})
    set_ = with_overrides(_protocol(), {"review.parts.answer": 0.2})
    assert set_.review.parts == {"answer": 0.2}
    assert with_overrides(set_, {"review.parts.answer": None}).review.parts == {}
    assert "relevance" in review_parts(preset("relevance"))


@pytest.mark.parametrize(
    ("accept", "flagged", "finished", "status"),
    [
        ("agreed", False, 1, "alone"),
        ("majority", False, 1, "alone"),
        ("off", False, 1, "single"),
        ("agreed", True, 1, "single"),
        ("agreed", False, 2, "single"),  # somebody else skipped it
    ],
)
def test_one_annotator_where_one_is_wanted_needs_no_reviewer(
    accept: str, flagged: bool, finished: int, status: str
) -> None:
    """Unless it is flagged or skipped, or the campaign has every task looked at."""
    rule = ReviewPart.model_validate({"accept": accept})
    counts = _work_summary(1, flagged=flagged, finished=finished)
    actual_status = status_of(counts, TaskDifference(0, False, ()), rule, None, is_sampled=False)
    assert actual_status == status
    assert (actual_status in NEEDS_REVIEWER) is (actual_status == "single")

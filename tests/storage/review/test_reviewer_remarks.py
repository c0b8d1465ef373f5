"""Kinds of error and confidence are stored with a decision, where the campaign asks for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.review.actions import ReviewerRemarks
from tests.support.review_campaign import Reviewed, campaign


@pytest.fixture
def case(tmp_path: Path) -> Reviewed:
    """Two people differ; a decision may name two kinds of error, and how sure it is."""
    protocol = with_overrides(
        preset("search"),
        {
            "overlap": 2,
            "evidence.required": False,
            "review.errors": ["misread", "wrong page"],
            "review.confidence": True,
        },
    )
    case = campaign(tmp_path / "ws", protocol, [{"id": "t/1", "question": "Who?"}], people=3)
    for name, answer in (("Ada", "seal"), ("Bo", "seal"), ("Cy", "whale")):
        case.answer(f"1-{name}", answer)
    return case


def review(case: Reviewed) -> Any:
    """The decision as it is now."""
    gold = case.reviews.streams.task_work(1).gold
    assert gold is not None and gold.state.review is not None
    return gold.state.review


def test_they_are_stored_with_the_decision_and_undone_with_it(case: Reviewed) -> None:
    """The next decision says what it says; undoing it brings the earlier one back."""
    remarks = ReviewerRemarks(("misread",), "low")
    case.reviews.decide(1, "Sofia", {}, "", case.current_version(1), "e1", remarks)
    assert (review(case).errors, review(case).confidence) == (("misread",), "low")
    case.reviews.take_up(1, "Sofia", "again", "e2")
    case.reviews.decide(1, "Sofia", {}, "", case.current_version(1), "e3")
    assert (review(case).errors, review(case).confidence) == ((), None)
    case.reviews.undo(1, "Sofia", review(case).decided_seq, "e4")
    assert (review(case).errors, review(case).confidence) == (("misread",), "low")


def test_only_what_the_campaign_asks_for(case: Reviewed) -> None:
    """An unknown kind of error is refused, and a confidence that nobody asks for any more."""
    with pytest.raises(Refusal, match="no kind of error 'typo'"):
        case.reviews.decide(
            1, "Sofia", {}, "", case.current_version(1), "e1", ReviewerRemarks(("typo",))
        )
    change_settings(case.workspace, None, "Random", {"review.confidence": False})
    with pytest.raises(Refusal, match="no confidence to give"):
        case.reviews.decide(
            1, "Sofia", {}, "", case.current_version(1), "e2", ReviewerRemarks((), "high")
        )
    assert case.reviews.streams.task_work(1).gold is None

"""Flags and skips are marked as handled; a task then waits for nobody because of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import NotFoundError, Refusal
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.progress.flagged_attempts import flagged_attempts
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import count
from tests.storage.review.test_actions import status
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign


@pytest.fixture
def flagged(tmp_path: Path) -> Reviewed:
    """Two people agree on a task, and one of them has flagged it."""
    protocol = with_overrides(
        preset("search"), {"overlap": 2, "evidence.required": False, "review.check_share": 0.0}
    )
    case = campaign(tmp_path / "ws", protocol, [{"id": "t/1", "question": "Who?"}])
    case.do("1-Ada", ev.Flagged(comment="page 2 is blurred"))
    case.answer("1-Ada", "seal")
    case.answer("1-Bo", "seal")
    return case


def open_flags(case: Reviewed) -> list[str]:
    """The attempts that still wait for a supervisor."""
    rows, total = flagged_attempts(case.workspace.engine, CAMPAIGN, handled="open")
    assert total == len(rows)
    return [row.attempt_id for row in rows]


def test_a_handled_flag_waits_for_nobody_and_a_new_one_asks_again(flagged: Reviewed) -> None:
    """The task is accepted once its flag is handled; the next flag is another matter."""
    assert status(flagged, 1) == "conflict"
    assert count(flagged.workspace.engine, [CAMPAIGN], Filters(flagged=True)) == 1
    assert open_flags(flagged) == ["1-Ada"]
    for _ in range(2):  # sent again after a lost answer
        flagged.reviews.handle(1, "Sofia", "1-Ada", "e1")
    assert open_flags(flagged) == []
    assert status(flagged, 1) == "accepted"
    rows, _ = flagged_attempts(flagged.workspace.engine, CAMPAIGN, handled="handled")
    assert [(row.attempt_id, row.handled) for row in rows] == [("1-Ada", True)]
    gold = flagged.reviews.streams.gold(1)
    assert [event.type for event in flagged.log.events(gold.attempt_id)] == [
        "problem_handled", "gold_merged", "adjudicated"
    ]  # fmt: skip
    flagged.do("1-Ada", ev.Reopened(), ev.Flagged(comment="page 3 too"))
    flagged.answer("1-Ada", "seal")
    assert status(flagged, 1) == "changed"
    assert open_flags(flagged) == ["1-Ada"]
    assert rebuild(flagged.workspace.engine, check=True).clean


def test_what_was_marked_by_mistake_asks_again(flagged: Reviewed) -> None:
    """Not handled after all; decided by a reviewer, it is handled."""
    flagged.reviews.handle(1, "Sofia", "1-Ada", "e1")
    flagged.reviews.handle(1, "Sven", "1-Ada", "e2", handled=False)
    assert open_flags(flagged) == ["1-Ada"]
    assert status(flagged, 1) == "conflict"
    flagged.reviews.decide(1, "Sofia", {}, "", flagged.current_version(1), "e3")
    assert open_flags(flagged) == []


def test_only_what_was_raised_can_be_handled(flagged: Reviewed) -> None:
    """Neither flagged nor skipped, or not of this task: refused."""
    with pytest.raises(Refusal, match="neither flagged nor skipped"):
        flagged.reviews.handle(1, "Sofia", "1-Bo", "e1")
    with pytest.raises(NotFoundError):
        flagged.reviews.handle(1, "Sofia", "2-Ada", "e2")
    assert open_flags(flagged) == ["1-Ada"]

"""Two reviewers, or two tabs, at one task whose tables are merged difference by difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import ConflictError, PagetrailError
from pagetrail.annotation.events.review import TextDecision
from pagetrail.annotation.review import Pick
from tests.storage.review.test_transcription_drafts import PAGE, gold_state, tabulated
from tests.support.review_campaign import Reviewed


def merged_by(reviewed: Reviewed, decision: str) -> dict[str, Pick]:
    """The one difference between Ada's and Bo's tables, decided."""
    decided = TextDecision.model_validate(
        {"number": 0, "left": "1 0", "right": "1O", "decision": decision}
    )
    return {"tables": Pick("pick", sides=("1-Ada", "1-Bo"), text_decisions=(decided,))}


def gold_events(reviewed: Reviewed) -> list[str]:
    """The types of what was stored of the gold."""
    gold = reviewed.reviews.streams.gold(1)
    return [event.type for event in reviewed.log.events(gold.attempt_id)]


def test_the_second_decision_is_told_of_the_first(tmp_path: Path) -> None:
    """Nothing of it is stored, and the first one's tables stay."""
    reviewed = tabulated(tmp_path)
    version = reviewed.current_version(1)
    reviewed.reviews.decide(1, "Sofia", merged_by(reviewed, "left"), "", version, "e1")
    with pytest.raises(ConflictError, match="Sofia has decided this task"):
        reviewed.reviews.decide(1, "Sven", merged_by(reviewed, "right"), "", version, "e2")
    assert gold_events(reviewed) == ["tables_given", "gold_merged", "adjudicated"]
    assert gold_state(reviewed).tables.tables[0].grid.records() == [
        {"River": "Saale", "2003": "1 0"}
    ]


def test_a_draft_that_another_reviewer_stored_is_not_replaced_unseen(tmp_path: Path) -> None:
    reviewed = tabulated(tmp_path)
    version = reviewed.current_version(1)
    reviewed.reviews.put_together(1, "Sofia", merged_by(reviewed, "left"), version, "e1")
    with pytest.raises(PagetrailError):
        reviewed.reviews.decide(1, "Sven", merged_by(reviewed, "right"), "", version, "e2")
    assert "adjudicated" not in gold_events(reviewed)
    assert gold_state(reviewed).tables.tables[0].grid.records() == [
        {"River": "Saale", "2003": "1 0"}
    ]


def test_a_table_that_was_corrected_meanwhile_is_looked_at_again(tmp_path: Path) -> None:
    reviewed = tabulated(tmp_path)
    version = reviewed.current_version(1)
    picks = merged_by(reviewed, "left")
    change = {"kind": "text", "row": 1, "column": 1, "was": "1O", "text": "10"}
    edit = {**PAGE, "table": "counts", "structure": 0, "change": change}
    reviewed.do(
        "1-Bo",
        ev.Reopened(),
        ev.TableEdited.model_validate(edit),
        ev.Submitted(outcome="completed"),
    )
    with pytest.raises(ConflictError, match="Bo has resubmitted this task"):
        reviewed.reviews.decide(1, "Sofia", picks, "", version, "e1")
    with pytest.raises(PagetrailError, match="no longer there"):
        reviewed.reviews.decide(1, "Sofia", picks, "", reviewed.current_version(1), "e2")
    assert gold_events(reviewed) == []

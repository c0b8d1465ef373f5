"""Decisions on pilots: what they open and withhold, what is stored with them, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from pagetrail.annotation.comparison.pilot_estimates import StoredResult
from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.my_batches import claimable_campaigns, pilot_status
from pagetrail.storage.database.tables import QualificationRow
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.pilots.decisions import ReviewedResult, decide
from pagetrail.storage.pilots.overview import pilot_overview
from pagetrail.storage.qualification.gate import pilot_results
from pagetrail.storage.qualification.records import Qualification, qualification_history
from tests.storage.qualification.test_gate import make_pilot, ready, submit_answers, work_one
from tests.storage.task_data import add_people
from tests.support.audit_log import audited

__all__ = ["ready"]


def take(workspace: Workspace, answers: list[str | None]) -> int:
    """Ada takes the next pilot batch and submits these."""
    assignment = claim_next_batch(workspace, "Pilot", 1)
    assert assignment is not None
    submit_answers(workspace, assignment, answers)
    return assignment


def rows(workspace: Workspace) -> list[Qualification]:
    """Everything that is stored of decisions on the pilot."""
    with workspace.engine.connect() as connection:
        return qualification_history(connection, 1)


def opened(workspace: Workspace) -> bool:
    """Whether Ada may take production batches."""
    return "Work" in claimable_campaigns(workspace.engine, 1)


def test_admitting_opens_what_the_mark_would_not(ready: Workspace) -> None:
    """One of two right: closed; admitted: open; reset: closed again. Nothing is overwritten."""
    take(ready, ["=", "99"])
    assert not opened(ready)
    decide(ready, "Pilot", "ada", "admit", " knows \n the field ", by="Sven")
    assert opened(ready)
    assert pilot_status(ready.engine, 1).closed == {}
    (result,) = pilot_results(ready.engine, "Pilot")
    assert (result.passed, result.decision, result.admitted) == (False, "admit", True)
    with pytest.raises(ConflictError, match="was admitted by a supervisor"):
        claim_next_batch(ready, "Pilot", 1)
    decide(ready, "Pilot", "Ada", "reset", "after all not", by="Sven")
    assert not opened(ready)
    assert pilot_results(ready.engine, "Pilot")[0].decision is None
    assert [(r.decision, r.reason, r.by, r.user_name) for r in rows(ready)] == [
        ("admit", "knows the field", "Sven", "Ada"),
        ("reset", "after all not", "Sven", "Ada"),
    ]


def test_a_person_without_a_batch_can_be_admitted(ready: Workspace) -> None:
    """Somebody known from elsewhere needs no pilot; there are no results to store."""
    decide(ready, "Pilot", "Ada", "admit", "did the last campaign", by="Sven")
    assert claim_next_batch(ready, "Work", 1) is not None
    assert rows(ready)[0].baseline == {}
    assert "was admitted by a supervisor" in assign(ready, "Pilot").passed_over["Ada"]


def test_retraining_withholds_what_was_earned(ready: Workspace, tmp_path: Path) -> None:
    """All right, yet retrained: closed until the batch that the decision gave is passed."""
    take(ready, ["=", "="])
    assert opened(ready)
    make_pilot(ready, tmp_path, first=20)
    decided = decide(ready, "Pilot", "Ada", "retrain", "copied the first hit", by="Sven")
    assert (decided.gave, decided.remark) == ("Orion", "")
    assert decided.row.set_aside == ("Aquarius",)
    assert not opened(ready)
    with pytest.raises(ConflictError, match="Opens when you have passed"):
        claim_next_batch(ready, "Work", 1)
    submit_answers(ready, 2, ["=", "99"])
    assert not opened(ready)
    decide(ready, "Pilot", "Ada", "reset", "the first one was fine", by="Sven")
    assert opened(ready)


def test_a_retrained_person_is_admitted_by_the_new_batch(ready: Workspace, tmp_path: Path) -> None:
    """What is right after the decision counts, what was before does not."""
    make_pilot(ready, tmp_path, first=20)
    take(ready, ["=", "="])
    decide(ready, "Pilot", "Ada", "retrain", "too quick", by="Sven")
    (result,) = pilot_results(ready.engine, "Pilot")
    assert (result.code_name, result.passed, result.set_aside) == ("Orion", None, False)
    submit_answers(ready, 2, ["=", "="])
    (result,) = pilot_results(ready.engine, "Pilot")
    assert (result.decision, result.admitted) == ("retrain", True)
    assert opened(ready)


def test_a_retake_needs_no_new_tasks(ready: Workspace) -> None:
    """Who has taken every batch gets the same tasks again, as tasks of their own; then it counts.

    What was submitted before stays as it was, and others are assigned the originals first.
    """
    take(ready, ["=", "99"])
    decided = decide(ready, "Pilot", "Ada", "retrain", "too quick", by="Sven")
    assert (decided.gave, decided.remark) == ("Orion", "")
    (result,) = pilot_results(ready.engine, "Pilot")
    assert result.code_name == "Orion" and not result.admitted
    overview = pilot_overview(ready.engine, "Pilot")
    first, retake = ([t for t in overview.tasks if t.batch == b] for b in ("Aquarius", "Orion"))
    assert [t.key for t in retake] == [f"{t.key} (retake 1)" for t in first]
    assert [t.judged for t in first] == [1, 1]
    submit_answers(ready, 2, ["=", "="])
    assert opened(ready)
    decide(ready, "Pilot", "Ada", "retrain", "once more", by="Sven")
    third = [t.key for t in pilot_overview(ready.engine, "Pilot").tasks if t.batch == "Phoenix"]
    assert third == [f"{t.key} (retake 2)" for t in first]
    add_people(ready, ["Eve"])
    assert ("Aquarius", "Eve") in assign(ready, "Pilot").created


def test_retraining_in_the_middle_of_a_batch_lets_that_one_count(ready: Workspace) -> None:
    """What is not finished was not decided on."""
    assignment = take(ready, ["="])
    decided = decide(ready, "Pilot", "Ada", "retrain", "slow down", by="Sven")
    assert decided.row.set_aside == ()
    assert "still working on batch Aquarius" in decided.remark
    last = queries.batch_tasks(ready.engine, assignment)[1]
    work_one(ready, queries.attempt(ready.engine, last.attempt_id))
    assert opened(ready)


def test_a_decision_on_results_that_changed_is_refused(ready: Workspace) -> None:
    """The person went on, or a colleague was quicker: what changed is said, nothing is stored."""
    assignment = take(ready, ["99"])
    reviewed_result = ReviewedResult(judged=1, right=0, decision=None)
    last = queries.batch_tasks(ready.engine, assignment)[1]
    work_one(ready, queries.attempt(ready.engine, last.attempt_id))
    with pytest.raises(ConflictError, match="1 of 2 judged tasks are now right, not 0 of 1"):
        decide(ready, "Pilot", "Ada", "admit", "fine", by="Sven", reviewed=reviewed_result)
    assert rows(ready) == []
    reviewed_result = ReviewedResult(judged=2, right=1, decision=None)
    first = decide(ready, "Pilot", "Ada", "admit", "fine", by="Sven", reviewed=reviewed_result)
    with pytest.raises(ConflictError, match="Sven chose “admit”: fine"):
        decide(ready, "Pilot", "Ada", "retrain", "no", by="Olga", reviewed=reviewed_result)
    now = ReviewedResult(judged=2, right=1, decision=first.row.id)
    decide(ready, "Pilot", "Ada", "retrain", "no", by="Olga", reviewed=now)
    assert [row.by for row in rows(ready)] == ["Sven", "Olga"]


@pytest.mark.parametrize(
    ("name", "decision", "reason", "error", "message"),
    [
        ("Ada", "admit", "  ", PagetrailError, "needs a reason"),
        ("Ada", "expel", "why", PagetrailError, "no decision 'expel'"),
        ("Ada", "reset", "why", ConflictError, "There is no decision on Ada to reset"),
        ("Ada", "retrain", "why", ConflictError, "no batch of the pilot “Pilot” yet"),
        ("Sven", "admit", "why", ConflictError, "has the role supervisor"),
        ("Nobody", "admit", "why", NotFoundError, "no user 'Nobody'"),
    ],
)
def test_what_makes_no_sense_is_refused(
    ready: Workspace, name: str, decision: str, reason: str, error: type[Exception], message: str
) -> None:
    """Each with the offending value, and nothing stored."""
    add_people(ready, ["Sven"], role="supervisor")
    with pytest.raises(error, match=message):
        decide(ready, "Pilot", name, decision, reason, by="Sven")
    with ready.engine.connect() as connection:
        assert connection.execute(select(QualificationRow.id)).all() == []
    with pytest.raises(ConflictError, match="Campaign Work is not a pilot"):
        decide(ready, "Work", "Ada", "admit", "why", by="Sven")


def test_figures_are_stored_with_the_decision(ready: Workspace) -> None:
    """Share, parts and times are those on the screen that day."""
    take(ready, ["=", "99"])
    decide(ready, "Pilot", "Ada", "admit", "fine", by="Sven")
    (row,) = rows(ready)
    stored = StoredResult.model_validate(row.baseline)
    assert (stored.tasks, stored.judged, stored.right, stored.passed) == (2, 2, 1, False)
    assert stored.share.value == 0.5
    assert (stored.share.low, stored.share.high) == pytest.approx((0.0945, 0.9055), abs=1e-4)
    assert {p.part: (p.right, p.n, p.score) for p in stored.parts} == {
        "answer": (1, 2, 0.5),
        "evidence": (2, 2, 1.0),
    }
    assert (stored.protocol, stored.batch, stored.times.n) == ("search", "Aquarius", 2)
    assert set(row.baseline) == set(StoredResult.model_fields)
    assert ("Sven", "pilot_admit", "Pilot: Ada: fine") in audited(ready)

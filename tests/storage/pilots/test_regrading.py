"""Verdicts that are replaced: judged by a supervisor, compared again, or with corrected gold."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select, update

from pagetrail.annotation.errors import ConflictError, InputFileError, NotFoundError, PagetrailError
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.my_batches import claimable_campaigns
from pagetrail.storage.batches.open_close import close_assignment
from pagetrail.storage.campaigns.task_list import list_tasks
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.pilot_gold import CorrectedGold, correct_gold
from pagetrail.storage.importers.tasks.task_changes import task_details
from pagetrail.storage.pilots.decisions import decide
from pagetrail.storage.pilots.person_tasks import person_tasks
from pagetrail.storage.pilots.regrading import judge_answer, regrade
from pagetrail.storage.qualification.gate import PilotResult, pilot_results
from pagetrail.storage.qualification.records import insert_qualification
from tests.storage.qualification.test_gate import (
    make_pilot,
    make_production,
    ready,
    recorder,
    submit_answers,
)
from tests.storage.task_data import add_people, register_documents
from tests.support.audit_log import audited

__all__ = ["ready"]


def result_of(workspace: Workspace, name: str = "Ada") -> PilotResult:
    """A person's result in the pilot."""
    return next(r for r in pilot_results(workspace.engine, "Pilot") if r.user_name == name)


def is_open(workspace: Workspace) -> bool:
    """Whether Ada may take production batches."""
    return "Work" in claimable_campaigns(workspace.engine, 1)


def attempts_with(workspace: Workspace, *, undecided: bool) -> list[str]:
    """Ada's work that is undecided, or that is not."""
    return [
        task.attempt_id
        for task in person_tasks(workspace.engine, "Pilot", 1)
        if task.verdict is not None and task.verdict.is_undecided is undecided
    ]


def correct(workspace: Workspace, key: str, *answers: str, reason: str = "units") -> CorrectedGold:
    """Replace a task's accepted answers."""
    return correct_gold(
        workspace,
        "Pilot",
        key,
        {"answer_variants": [[answer] for answer in answers]},
        reason,
        edited_record=task_details(workspace, "Pilot", key).record,
        by="Sven",
    )


def replace_gold(workspace: Workspace, key: str, answer: str) -> None:
    """Change what a verdict would be now, as a newer rule would."""
    record = task_details(workspace, "Pilot", key).record
    with write_transaction(workspace.engine) as connection:
        changed = {**record, "answer_variants": [[answer]]}
        connection.execute(update(Task).where(Task.key == key).values(record=changed))


def regradings(workspace: Workspace) -> list[tuple[str, str]]:
    """The actions of the audit log that replaced verdicts, with who did them."""
    return [(action, actor) for actor, action, _ in audited(workspace) if "pilot_" in action]


def test_judging_the_undecided_answers_settles_a_pilot_that_waits(ready: Workspace) -> None:
    """Right opens production, wrong closes it again; rows and audit say who judged what."""
    assignment = claim_next_batch(ready, "Pilot", 1)
    assert assignment is not None
    submit_answers(ready, assignment, ["=", "?"])
    (attempt,) = attempts_with(ready, undecided=True)
    assert result_of(ready).is_waiting and not is_open(ready)
    judged = judge_answer(ready, "Pilot", attempt, is_right=True, by="Sven")
    assert (judged.before.passed, judged.after.passed, judged.name) == (None, True, "Ada")
    assert is_open(ready) and not attempts_with(ready, undecided=True)
    judge_answer(ready, "Pilot", attempt, is_right=False, by="Olga")
    result = result_of(ready)
    assert (result.passed, result.right, result.undecided) == (False, 1, 0)
    assert regradings(ready) == [("pilot_judged", "Sven"), ("pilot_judged", "Olga")]
    types = [event.type for event in SqlEventLog(ready.engine).events(attempt)]
    assert types.count("feedback_given") == 1


def test_only_undecided_work_with_a_verdict_is_judged(ready: Workspace, tmp_path: Path) -> None:
    """What the rule decides, and what is not there, is no supervisor's to judge one by one."""
    assignment = claim_next_batch(ready, "Pilot", 1)
    assert assignment is not None
    submit_answers(ready, assignment, ["99", "?"])
    (decided,) = attempts_with(ready, undecided=False)
    with pytest.raises(ConflictError, match="Nothing is undecided"):
        judge_answer(ready, "Pilot", decided, is_right=True, by="Sven")
    with pytest.raises(NotFoundError):
        judge_answer(ready, "Pilot", "nothing", is_right=True, by="Sven")
    assert regradings(ready) == []


@pytest.mark.parametrize("feedback", [True, False])
def test_corrected_gold_regrades_those_who_failed_by_it(
    workspace: Workspace, tmp_path: Path, feedback: bool
) -> None:
    """A right answer in other units was wrong for everybody; the people concerned are listed."""
    register_documents(workspace)
    make_pilot(workspace, tmp_path, pilot__feedback=feedback)
    make_production(workspace, tmp_path)
    add_people(workspace, ["Ada", "Bob"])
    assign(workspace, "Pilot")
    for assignment, answers in ((1, ["=", "7000"]), (2, ["8000", "8000"])):
        submit_answers(workspace, assignment, [*answers], feedback=feedback)
        close_assignment(workspace.engine, recorder(workspace), assignment)
    keys = [row.key for row in queries.batch_tasks(workspace.engine, 1)]
    assert not is_open(workspace)
    outcomes = [
        (person.name, person.before.passed, person.after.passed)
        for person in correct(workspace, keys[1], "7000", reason="in metres").people
    ]
    assert outcomes == [("Ada", False, True)]
    assert is_open(workspace) and result_of(workspace, "Bob").passed is False
    ((_, _, detail),) = audited(workspace, "pilot_gold_corrected")
    assert '["7000"]' in detail and "in metres; results changed of: Ada" in detail


@pytest.mark.parametrize("feedback", [True, False])
def test_who_fails_by_corrected_gold_stays_admitted_until_somebody_decides(
    workspace: Workspace, tmp_path: Path, feedback: bool
) -> None:
    """A supervisor is told; a decision settles it, and only then production closes."""
    register_documents(workspace)
    make_pilot(workspace, tmp_path, pilot__feedback=feedback)
    make_pilot(workspace, tmp_path, first=20)
    make_production(workspace, tmp_path)
    add_people(workspace, ["Ada"])
    claim_next_batch(workspace, "Pilot", 1)
    submit_answers(workspace, 1, ["=", "="], feedback=feedback)
    close_assignment(workspace.engine, recorder(workspace), 1)
    key = queries.batch_tasks(workspace.engine, 1)[0].key
    assert is_open(workspace)
    (person,) = correct(workspace, key, "4711").people
    assert (person.before.passed, person.after.passed) == (True, False)
    result = result_of(workspace)
    assert (result.admitted, result.is_kept, result.needs_decision) == (True, True, True)
    assert is_open(workspace)
    with pytest.raises(ConflictError, match="Decide on the person under Pilots first"):
        claim_next_batch(workspace, "Pilot", 1)
    decide(workspace, "Pilot", "Ada", "retrain", "the gold was right in the end", by="Sven")
    assert not result_of(workspace).admitted and not is_open(workspace)


def test_a_correction_reaches_the_copies_for_people_who_retake(ready: Workspace) -> None:
    """They have the same gold, so they would be wrong in the same way."""
    claim_next_batch(ready, "Pilot", 1)
    submit_answers(ready, 1, ["=", "99"])
    decide(ready, "Pilot", "Ada", "retrain", "too quick", by="Sven")
    key = queries.batch_tasks(ready.engine, 1)[1].key
    corrected = correct(ready, f"{key} (retake 1)", "99")
    assert corrected.tasks == (key, f"{key} (retake 1)")
    with ready.engine.connect() as connection:
        rows = connection.execute(select(Task.record).where(Task.key.in_(corrected.tasks)))
        assert [row.record["answer_variants"] for row in rows] == [[["99"]], [["99"]]]


def test_a_judgement_stands_when_work_is_compared_again_but_not_against_other_gold(
    ready: Workspace,
) -> None:
    """What was judged against gold that is replaced has to be judged again."""
    claim_next_batch(ready, "Pilot", 1)
    submit_answers(ready, 1, ["=", "?"])
    (attempt,) = attempts_with(ready, undecided=True)
    judge_answer(ready, "Pilot", attempt, is_right=True, by="Sven")
    assert regrade(ready, "Pilot", by="Sven") == []
    assert result_of(ready).passed is True
    key = queries.batch_tasks(ready.engine, 1)[1].key
    answer = task_details(ready, "Pilot", key).record["answer_variants"][0][0]
    (person,) = correct(ready, key, f"{answer}.0", reason="one decimal").people
    assert person.after.passed is None and person.after.is_kept
    assert attempts_with(ready, undecided=True) == [attempt]
    assert is_open(ready)


def test_results_stand_until_they_are_compared_again(ready: Workspace) -> None:
    """A verdict of an earlier rule counts as it was given; comparing again lists who changes."""
    claim_next_batch(ready, "Pilot", 1)
    submit_answers(ready, 1, ["=", "99"])
    second = queries.batch_tasks(ready.engine, 1)[1]
    replace_gold(ready, second.key, "99")
    assert result_of(ready).passed is False
    (person,) = regrade(ready, "Pilot", by="Sven")
    assert (person.name, person.after.passed) == ("Ada", True)
    assert regradings(ready) == [("pilot_regraded", "Sven")]


def test_a_stored_result_of_a_silent_pilot_stands_whatever_the_rule_says_later(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Its verdicts are computed when they are read; who passed by results that an earlier version
    stored stays admitted.
    """
    register_documents(workspace)
    make_pilot(workspace, tmp_path, pilot__feedback=False)
    make_production(workspace, tmp_path)
    add_people(workspace, ["Ada"])
    claim_next_batch(workspace, "Pilot", 1)
    submit_answers(workspace, 1, ["=", "="], feedback=False)
    close_assignment(workspace.engine, recorder(workspace), 1)
    with workspace.engine.begin() as connection:
        insert_qualification(
            connection, 1, 1, decision="baseline", reason="Stored.", by="Sven", at="2026",
            baseline={"passed": True},
        )  # fmt: skip
    replace_gold(workspace, queries.batch_tasks(workspace.engine, 1)[0].key, "4711")
    result = result_of(workspace)
    assert (result.passed, result.admitted, result.needs_decision) == (False, True, True)
    assert is_open(workspace)


def test_a_correction_is_checked_like_an_import(ready: Workspace) -> None:
    """Nothing is stored without a reason, without a change, of stale tasks, or of no gold."""
    key = list_tasks(ready, "Pilot", limit=1)[1][0].key
    record = task_details(ready, "Pilot", key).record
    with pytest.raises(PagetrailError, match="needs a reason"):
        correct(ready, key, "5", reason=" ")
    with pytest.raises(PagetrailError, match="Nothing differs"):
        correct(ready, key, record["answer_variants"][0][0])
    with pytest.raises(InputFileError, match="cannot be saved"):
        correct_gold(
            ready, "Pilot", key, {"answer_variants": None, "evidence": []}, "none",
            edited_record=record, by="Sven",
        )  # fmt: skip
    with pytest.raises(ConflictError, match="Somebody else has changed"):
        correct_gold(
            ready, "Pilot", key, {"answer_variants": [["5"]]}, "five",
            edited_record={**record, "question": "?"}, by="Sven",
        )  # fmt: skip
    assert task_details(ready, "Pilot", key).record == record

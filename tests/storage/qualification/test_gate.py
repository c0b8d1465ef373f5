"""Pilots in the database: who has passed, and what stays closed to those who have not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.geometry.box import PageSize
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.my_batches import claimable_campaigns, pilot_status
from pagetrail.storage.batches.open_close import close_assignment, ensure_attempts
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Assignment, Campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.qualification.gate import pilot_results
from pagetrail.storage.qualification.submissions import feedback_command
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

PILOT = {"pilot.enabled": True}


class AnyPage:
    """A ``DocumentSource`` in which every document has nine pages; the tests have no files."""

    def document(self, name: str, version: int | None = None) -> DocumentInfo | None:
        return DocumentInfo(name=name, sha256="0" * 64, pages=(PageSize(width=9, height=9),) * 9)

    def document_names(self) -> DocumentNames:
        return DocumentNames({})


def recorder(workspace: Workspace) -> Recorder:
    """The real recorder over the workspace's log."""
    return Recorder(SqlEventLog(workspace.engine), AnyPage(), SystemClock())


def make_pilot(
    workspace: Workspace, folder: Path, first: int = 0, n: int = 2, **settings: Any
) -> None:
    """Import ``n`` tasks as one batch into the campaign "Pilot", which is made if need be."""
    changes = {**PILOT, **{key.replace("__", "."): value for key, value in settings.items()}}
    file = write_jsonl(folder / f"pilot-{first}.jsonl", [task(first + k) for k in range(n)])
    import_tasks(
        workspace,
        file,
        campaign="Pilot",
        settings=None if first else changes,
        batch_size=n,
        assign=False,
    )


def make_production(workspace: Workspace, folder: Path) -> None:
    """Two batches of one task each, which wait for the pilot."""
    file = write_jsonl(folder / "work.jsonl", [task(n) for n in (50, 51)])
    import_tasks(
        workspace, file, campaign="Work", settings={"requires": "Pilot"}, batch_size=1, assign=False
    )


@pytest.fixture
def ready(workspace: Workspace, tmp_path: Path) -> Workspace:
    """A pilot of two tasks, a campaign that requires it, and Ada."""
    register_documents(workspace)
    make_pilot(workspace, tmp_path)
    make_production(workspace, tmp_path)
    add_people(workspace, ["Ada"])
    return workspace


def submit_answers(
    workspace: Workspace, assignment: int, answers: list[str | None], *, feedback: bool = True
) -> None:
    """Submit the batch's tasks with these answers in order.

    "=" is the correct one, "?" one that the rule leaves undecided, and None skips.
    """
    engine = workspace.engine
    ensure_attempts(engine, assignment, SystemClock())
    for row, answer in zip(queries.batch_tasks(engine, assignment), answers, strict=False):
        attempt = queries.attempt(engine, row.attempt_id)
        (page,) = attempt.record["evidence"]
        gold = attempt.record["answer_variants"][0][0]
        text = {"=": gold, "?": f"{gold} or 99"}.get(answer or "", answer or "")
        payloads: list[ev.Payload] = [
            ev.CitationAdded(document=page["document"], page=page["page"]),
            ev.AnswerEdited(text=text),
            ev.Submitted(outcome="answered"),
        ]
        if answer is None:
            payloads = [ev.Skipped(reason="cannot")]
        commands = [Command(str(n), payload) for n, payload in enumerate(payloads)]
        outcome = recorder(workspace).record(attempt.context(), commands)
        assert outcome.refusals == {}
        if feedback:
            command = feedback_command(attempt, outcome.state)
            assert command is not None
            assert recorder(workspace).record(attempt.context(), [command]).refusals == {}


def pilot_result(workspace: Workspace, name: str = "Ada") -> tuple[int, int, int, int, bool | None]:
    """total, done, judged, right, passed of a person in the pilot."""
    result = next(r for r in pilot_results(workspace.engine, "Pilot") if r.user_name == name)
    return result.total, result.done, result.judged, result.right, result.passed


def test_a_pilot_is_passed_with_all_tasks_right(ready: Workspace) -> None:
    """Nothing is decided half-way; the last task opens the campaign that waits."""
    assignment = claim_next_batch(ready, "Pilot", 1)
    assert assignment is not None
    assert pilot_result(ready) == (2, 0, 0, 0, None)
    submit_answers(ready, assignment, ["="])
    assert pilot_result(ready) == (2, 1, 1, 1, None)
    assert "Work" not in claimable_campaigns(ready.engine, 1)
    remaining = queries.batch_tasks(ready.engine, assignment)[1:]
    finish = queries.attempt(ready.engine, remaining[0].attempt_id)
    work_one(ready, finish)
    assert pilot_result(ready) == (2, 2, 2, 2, True)
    assert claimable_campaigns(ready.engine, 1) == {"Work": 2}
    assert claim_next_batch(ready, "Work", 1) is not None


def work_one(workspace: Workspace, attempt: queries.AttemptRow) -> None:
    """Submit one task right, with feedback."""
    (page,) = attempt.record["evidence"]
    answer = attempt.record["answer_variants"][0][0]
    payloads: list[ev.Payload] = [
        ev.CitationAdded(document=page["document"], page=page["page"]),
        ev.AnswerEdited(text=answer),
        ev.Submitted(outcome="answered"),
    ]
    commands = [Command(str(n), payload) for n, payload in enumerate(payloads)]
    outcome = recorder(workspace).record(attempt.context(), commands)
    command = feedback_command(attempt, outcome.state)
    assert command is not None
    recorder(workspace).record(attempt.context(), [command])


def test_a_gated_campaign_gives_no_batch_by_any_way(ready: Workspace) -> None:
    """Claiming is refused with the way out; assigning passes over and says who and why."""
    add_people(ready, ["Bob"])
    with pytest.raises(ConflictError, match="Opens when you have passed the pilot “Pilot”"):
        claim_next_batch(ready, "Work", 1)
    assignment = claim_next_batch(ready, "Pilot", 1)
    assert assignment is not None
    submit_answers(ready, assignment, ["=", "="])
    report = assign(ready, "Work", ["Ada", "Bob"])
    assert {name for _, name in report.created} == {"Ada"}
    assert report.passed_over == {"Bob": "Opens when you have passed the pilot “Pilot”."}
    assert report.loads == {"Ada": 2, "Bob": 0}
    assert report.shortfall == {}


def test_a_failed_pilot_closes_the_campaign_until_new_tasks_are_right(
    ready: Workspace, tmp_path: Path
) -> None:
    """One wrong and one skipped: not passed, no second try on the same tasks, but on new ones."""
    assignment = claim_next_batch(ready, "Pilot", 1)
    assert assignment is not None
    submit_answers(ready, assignment, ["99", None])
    assert pilot_result(ready) == (2, 2, 2, 0, False)
    closed = pilot_status(ready.engine, 1).closed["Work"]
    assert "0 of 2 were right and 100 % is needed" in closed
    with pytest.raises(ConflictError, match="To have it taken again"):
        claim_next_batch(ready, "Pilot", 1)
    assert claimable_campaigns(ready.engine, 1) == {}
    make_pilot(ready, tmp_path, first=20)
    assert claimable_campaigns(ready.engine, 1) == {"Pilot": 1}
    second = claim_next_batch(ready, "Pilot", 1)
    assert second is not None and second != assignment
    assert pilot_result(ready) == (2, 0, 0, 0, None)
    submit_answers(ready, second, ["=", "="])
    assert pilot_result(ready)[-1] is True


def test_a_pilot_batch_goes_to_everybody_and_to_each_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Overlap does not limit a pilot; a batch in work or a pass keeps the next one away."""
    register_documents(workspace)
    make_pilot(workspace, tmp_path)
    make_pilot(workspace, tmp_path, first=20)
    add_people(workspace, ["Ada", "Bob", "Cy"])
    report = assign(workspace, "Pilot")
    assert report.created == [("Aquarius", name) for name in ("Ada", "Bob", "Cy")]
    second_report = assign(workspace, "Pilot")
    assert second_report.created == []
    assert "still working on batch Aquarius" in second_report.passed_over["Bob"]
    with pytest.raises(ConflictError, match="still working on batch Aquarius"):
        claim_next_batch(workspace, "Pilot", 2)
    submit_answers(workspace, 1, ["=", "="])
    submit_answers(workspace, 2, ["=", "99"])
    last = assign(workspace, "Pilot")
    assert last.created == [("Orion", "Bob")]
    assert "has already passed the pilot" in last.passed_over["Ada"]
    assert "still working on" in last.passed_over["Cy"]


@pytest.mark.parametrize(
    ("mark", "answers", "passes"),
    [
        (1.0, ["=", "=", "99"], False),
        (2 / 3, ["=", "=", "99"], True),
        (0.67, ["=", "=", "99"], False),
        (0.0, ["99", "99", "99"], True),
    ],
)
def test_the_pass_mark_is_the_share_of_right_tasks(
    workspace: Workspace, tmp_path: Path, mark: float, answers: list[str | None], passes: bool
) -> None:
    """Reached exactly is passed; 2 of 3 is not 67 %."""
    register_documents(workspace)
    make_pilot(workspace, tmp_path, n=3, pilot__pass_mark=mark)
    add_people(workspace, ["Ada"])
    assign(workspace, "Pilot")
    submit_answers(workspace, 1, answers)
    assert pilot_result(workspace)[-1] is passes


@pytest.mark.parametrize(
    ("mark", "answers", "passes"),
    [
        (0.5, ["=", "?", "99"], None),
        (0.3, ["=", "?", "99"], True),
        (0.9, ["=", "?", "99"], False),
        (0.9, ["=", "?", "?"], None),
        (0.9, ["=", "?"], None),
    ],
)
def test_undecided_answers_pass_and_fail_nobody(
    workspace: Workspace, tmp_path: Path, mark: float, answers: list[str | None], passes: bool
) -> None:
    """Passed with all of them wrong, failed with all of them right, else a supervisor decides."""
    register_documents(workspace)
    make_pilot(workspace, tmp_path, n=3, pilot__pass_mark=mark)
    make_production(workspace, tmp_path)
    add_people(workspace, ["Ada"])
    assign(workspace, "Pilot")
    submit_answers(workspace, 1, answers)
    (result,) = pilot_results(workspace.engine, "Pilot")
    assert result.passed is passes
    assert result.undecided == answers.count("?")
    is_done = len(answers) == 3
    assert result.is_waiting is result.needs_decision is (is_done and passes is None)
    reason = pilot_status(workspace.engine, 1).closed.get("Work", "")
    assert ("waits for review" in reason) is result.is_waiting
    if result.is_waiting:
        with pytest.raises(ConflictError, match="judge the undecided answers under Pilots"):
            claim_next_batch(workspace, "Pilot", 1)


def test_without_feedback_nothing_is_said_before_the_batch_is_closed(
    workspace: Workspace, tmp_path: Path
) -> None:
    """A count of right tasks that moves with each change would be a way to guess the gold."""
    register_documents(workspace)
    make_pilot(workspace, tmp_path, pilot__feedback=False)
    add_people(workspace, ["Ada"])
    assign(workspace, "Pilot")
    submit_answers(workspace, 1, ["=", "="], feedback=False)
    assert pilot_result(workspace) == (2, 2, 0, 0, None)
    close_assignment(workspace.engine, recorder(workspace), 1)
    assert pilot_result(workspace) == (2, 2, 2, 2, True)
    types = [e.type for row in queries.batch_tasks(workspace.engine, 1)
             for e in SqlEventLog(workspace.engine).events(row.attempt_id)]  # fmt: skip
    assert "feedback_given" not in types


def test_closing_a_batch_settles_what_was_not_looked_at(ready: Workspace) -> None:
    """A task whose feedback never came on screen counts, once, and the log holds it."""
    assignment = claim_next_batch(ready, "Pilot", 1)
    assert assignment is not None
    submit_answers(ready, assignment, ["="])
    second = queries.batch_tasks(ready.engine, assignment)[1]
    row = queries.attempt(ready.engine, second.attempt_id)
    skip = Command("s", ev.Skipped(reason="cannot"))
    recorder(ready).record(row.context(), [skip])
    assert pilot_result(ready) == (2, 2, 1, 1, None)
    close_assignment(ready.engine, recorder(ready), assignment)
    assert pilot_result(ready) == (2, 2, 2, 1, False)
    types = [e.type for e in SqlEventLog(ready.engine).events(second.attempt_id)]
    assert types == ["skipped", "feedback_given", "batch_closed"]


def test_what_was_assigned_before_the_gate_can_be_worked_on(ready: Workspace) -> None:
    """An assignment made earlier stays open to a person who has not passed."""
    with write_transaction(ready.engine) as connection:
        row = connection.execute(select(Campaign).where(Campaign.name == "Work")).one()
        free = Protocol.model_validate(row.protocol).model_copy(update={"requires": None})
        connection.execute(
            update(Campaign)
            .where(Campaign.id == row.id)
            .values(protocol=free.model_dump(mode="json"))
        )
    assignment = claim_next_batch(ready, "Work", 1)
    assert assignment is not None
    with write_transaction(ready.engine) as connection:
        connection.execute(
            update(Campaign).where(Campaign.id == row.id).values(protocol=row.protocol)
        )
    ensure_attempts(ready.engine, assignment, SystemClock())
    (task,) = queries.batch_tasks(ready.engine, assignment)
    context = queries.attempt(ready.engine, task.attempt_id).context()
    opened = recorder(ready).record(context, [Command("1", ev.Opened(session="s"))])
    assert opened.refusals == {}
    with pytest.raises(ConflictError, match="Opens when"):
        claim_next_batch(ready, "Work", 1)


def test_a_pilot_that_is_gone_or_none_is_said(ready: Workspace) -> None:
    """Unknown campaigns and campaigns without a pilot are named; nobody slips through."""
    with pytest.raises(NotFoundError, match="no campaign 'Nothing'"):
        pilot_results(ready.engine, "Nothing")
    with pytest.raises(ConflictError, match="Campaign Work is not a pilot"):
        pilot_results(ready.engine, "Work")
    with write_transaction(ready.engine) as connection:
        connection.execute(update(Campaign).where(Campaign.name == "Pilot").values(name="Renamed"))
    with pytest.raises(ConflictError, match="no longer exists"):
        claim_next_batch(ready, "Work", 1)
    with ready.engine.connect() as connection:
        assert connection.execute(select(Assignment.id)).all() == []

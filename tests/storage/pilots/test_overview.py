"""Results of a pilot: equal to the folds of the log, in a bounded number of statements."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.timing.durations import timing
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.open_close import close_assignment, ensure_attempts
from pagetrail.storage.database.tables import Assignment, Campaign, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.pilots.overview import PilotOverview, pilot_overview, pilots
from pagetrail.storage.pilots.person_tasks import person_tasks, task_works
from pagetrail.storage.qualification.gate import pilot_results
from pagetrail.storage.qualification.submissions import FEEDBACK_EVENT
from tests.storage.qualification.test_gate import (
    PILOT,
    make_pilot,
    make_production,
    ready,
    recorder,
    submit_answers,
)
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

__all__ = ["ready"]


def statements(engine: Engine) -> list[str]:
    """The list that every statement from now on is added to."""
    sql: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *args: sql.append(args[2]))
    return sql


def crowd(workspace: Workspace, folder: Path, people: int, *, feedback: bool) -> None:
    """A pilot of three tasks that so many people are at, each differently far."""
    register_documents(workspace)
    make_pilot(workspace, folder, n=3, pilot__feedback=feedback)
    make_production(workspace, folder)
    add_people(workspace, [f"P{k}" for k in range(people)])
    assign(workspace, "Pilot")
    draw = random.Random(people)
    for assignment in range(1, people + 1):
        answers = [draw.choice(["=", "99", None]) for _ in range(draw.randint(0, 3))]
        submit_answers(workspace, assignment, answers, feedback=feedback)
        if len(answers) == 3 and draw.random() < 0.7:
            close_assignment(workspace.engine, recorder(workspace), assignment)


@pytest.mark.parametrize("feedback", [True, False])
def test_figures_are_those_of_the_folded_log(
    workspace: Workspace, tmp_path: Path, feedback: bool
) -> None:
    """Each person's and each task's counts against a fold of every event, compared again."""
    crowd(workspace, tmp_path, 9, feedback=feedback)
    log, engine = SqlEventLog(workspace.engine), workspace.engine
    by_person: dict[str, list[bool]] = {}
    by_task: dict[str, list[bool]] = {}
    active: dict[str, list[int]] = {}
    with engine.connect() as connection:
        ids = connection.execute(select(Assignment.id)).scalars().all()
    for assignment in ids:
        for row in queries.batch_tasks(engine, assignment):
            attempt = queries.attempt(engine, row.attempt_id)
            state = log.state(row.attempt_id)
            if state.status in ("submitted", "skipped"):
                times = timing(log.events(row.attempt_id))
                active.setdefault(attempt.user_name, []).append(times.active_ms[60])
            verdict = state.feedback
            if verdict is None and state.closed:
                verdict = compare(attempt.context().form(state), attempt.record)
            if verdict is not None:
                by_person.setdefault(attempt.user_name, []).append(verdict.right)
                by_task.setdefault(attempt.key, []).append(verdict.right)
    overview = pilot_overview(engine, "Pilot")
    results_by_person = {
        p.result.user_name: (p.result.judged, p.result.right) for p in overview.people
    }
    assert results_by_person == {
        name: (len(by_person.get(name, [])), sum(by_person.get(name, [])))
        for name in results_by_person
    }
    assert len(results_by_person) == 9 and any(
        n_judged for n_judged, _ in results_by_person.values()
    )
    assert {t.key: (t.judged, t.right) for t in overview.tasks} == {
        key: (len(by_task.get(key, [])), sum(by_task.get(key, []))) for key in ("q0", "q1", "q2")
    }
    assert {p.result.user_name: p.times.n for p in overview.people} == {
        name: len(active.get(name, [])) for name in results_by_person
    }
    assert {
        r.user_name: (r.judged, r.right) for r in pilot_results(engine, "Pilot")
    } == results_by_person


def count(workspace: Workspace) -> int:
    """Statements that the results take."""
    sql = statements(workspace.engine)
    pilot_overview(workspace.engine, "Pilot")
    return len(sql)


def test_the_number_of_statements_does_not_grow_with_people(tmp_path: Path) -> None:
    """Four people or ten: the same statements, so that a hundred are read at once too."""
    needed = []
    for people in (4, 10):
        folder = tmp_path / str(people)
        folder.mkdir()
        workspace = Workspace.create(folder / "ws")
        crowd(workspace, folder, people, feedback=True)
        needed.append(count(workspace))
        workspace.engine.dispose()
    assert needed[0] == needed[1] < 15


def overview_of(workspace: Workspace) -> PilotOverview:
    """The results of the pilot."""
    return pilot_overview(workspace.engine, "Pilot")


@pytest.mark.parametrize("feedback", [True, False])
def test_answers_that_the_rule_leaves_undecided_are_counted(
    workspace: Workspace, tmp_path: Path, feedback: bool
) -> None:
    """0.45 for 45 % is neither right nor wrong: counted by person and task, and in no share."""
    register_documents(workspace)
    percent = task(0) | {"answer_variants": [["45 %"]]}
    settings = {**PILOT, "pilot.feedback": feedback}
    file = write_jsonl(tmp_path / "pilot.jsonl", [percent, task(1)])
    import_tasks(workspace, file, campaign="Pilot", settings=settings, batch_size=2, assign=False)
    add_people(workspace, ["Ada", "Bob"])
    assign(workspace, "Pilot")
    for assignment, answer in ((1, "0.45"), (2, "45 %")):
        ensure_attempts(workspace.engine, assignment, SystemClock())
        order = [row.key for row in queries.batch_tasks(workspace.engine, assignment)]
        submit_answers(
            workspace,
            assignment,
            [answer if key == percent["id"] else "99" for key in order],
            feedback=feedback,
        )
        close_assignment(workspace.engine, recorder(workspace), assignment)
    overview = overview_of(workspace)
    results = sorted(
        (person.result.right, person.result.undecided, person.share.n, person.result.score)
        for person in overview.people
    )
    # An undecided answer leaves the evidence, which is right.
    assert results == [(0, 1, 1, 0.75), (1, 0, 2, 0.75)]
    assert not any(row.suspicious for row in overview.tasks if row.undecided)
    assert {row.key: (row.right, row.undecided) for row in overview.tasks} == {
        percent["id"]: (1, 1),
        task(1)["id"]: (0, 0),
    }


def test_a_task_that_everybody_has_wrong_is_suspected(ready: Workspace) -> None:
    """From two people on; one who is wrong is nobody's evidence against the gold."""
    add_people(ready, ["Bob"])
    assign(ready, "Pilot")
    submit_answers(ready, 1, ["99", "="])
    assert not any(task.suspicious for task in overview_of(ready).tasks)
    wrong = [task.key for task in overview_of(ready).tasks if task.judged and not task.right]
    order = [row.key for row in queries.batch_tasks(ready.engine, 1)]
    assert wrong == order[:1]
    ensure_attempts(ready.engine, 2, SystemClock())
    bob_keys = [row.key for row in queries.batch_tasks(ready.engine, 2)]
    submit_answers(ready, 2, ["99" if key == wrong[0] else "=" for key in bob_keys])
    suspected = [task for task in overview_of(ready).tasks if task.suspicious]
    assert [task.key for task in suspected] == wrong and suspected[0].everybody_wrong
    submissions = task_works(ready.engine, "Pilot", suspected[0].task_id)
    assert [(w.user_name, w.task.answer) for w in submissions] == [("Ada", ["99"]), ("Bob", ["99"])]


def test_one_person_beside_the_gold(ready: Workspace) -> None:
    """What was submitted, the verdict, the gold, and how long it took."""
    assignment = claim_next_batch(ready, "Pilot", 1)
    assert assignment is not None
    submit_answers(ready, assignment, ["99", None])
    tasks = person_tasks(ready.engine, "Pilot", 1)
    assert sorted((t.status, t.answer, t.verdict and t.verdict.right) for t in tasks) == [
        ("skipped", [], False),
        ("submitted", ["99"], False),
    ]
    for row in tasks:
        assert row.gold["answers"] == [row.key.removeprefix("q")]
        assert row.times is not None and row.batch == "Aquarius"
    with pytest.raises(ConflictError, match="is not a pilot"):
        person_tasks(ready.engine, "Work", 1)


def test_only_pilots_are_listed(ready: Workspace) -> None:
    """The campaign that waits is none, and the pilot knows it."""
    assert pilots(ready.engine) == ["Pilot"]
    assert overview_of(ready).opens == ("Work",)


def test_feedback_is_stored_under_the_one_id_that_verdicts_are_read_by(ready: Workspace) -> None:
    """A verdict of any other id would be overlooked: the command that stores it has this one."""
    assignment = claim_next_batch(ready, "Pilot", 1)
    assert assignment is not None
    submit_answers(ready, assignment, ["="])
    first = queries.batch_tasks(ready.engine, assignment)[0]
    feedback_events = [
        e for e in SqlEventLog(ready.engine).events(first.attempt_id)
        if isinstance(e.payload, ev.FeedbackGiven)
    ]  # fmt: skip
    assert [e.client_event_id for e in feedback_events] == [FEEDBACK_EVENT]


def test_gold_that_is_changed_changes_a_verdict_that_was_not_shown(
    ready: Workspace, tmp_path: Path
) -> None:
    """Without feedback the comparison is made when somebody looks, with the gold of that day."""
    with ready.engine.begin() as connection:
        row = connection.execute(select(Campaign).where(Campaign.name == "Pilot")).one()
        quiet = {**row.protocol, "pilot": {**row.protocol["pilot"], "feedback": False}}
        connection.execute(update(Campaign).where(Campaign.id == row.id).values(protocol=quiet))
    assign(ready, "Pilot")
    submit_answers(ready, 1, ["=", "="], feedback=False)
    close_assignment(ready.engine, recorder(ready), 1)
    assert [r.right for r in pilot_results(ready.engine, "Pilot")] == [2]
    with ready.engine.begin() as connection:
        task = connection.execute(select(Task).where(Task.key == "q0")).one()
        changed = {**task.record, "answer_variants": [["other"]]}
        connection.execute(update(Task).where(Task.id == task.id).values(record=changed))
    assert [r.right for r in pilot_results(ready.engine, "Pilot")] == [1]

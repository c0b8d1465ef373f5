"""Studies: tasks in turn, no going back, hidden progress, and conditions, by the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.events import Returned
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.input_rows import measure_attempts
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.quality.report import quality
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.people.accounts import find_person
from tests.app.conftest import TASKS
from tests.app.screens import as_person
from tests.app.signed_in import attempts_of, boot, send, sign_in
from tests.support.campaigns import add_campaign

NAME = "Study"
CONDITIONS = {"plain": {"search.snippets": False}, "aided": {"search.snippets": True}}


@pytest.fixture
def study(services: Services) -> Services:
    """A campaign of three tasks that are done in turn, without going back or any count."""
    tasks = [*TASKS, {**TASKS[0], "id": "q3", "question": "And the third?"}]
    settings: dict[str, Any] = {
        "study.order": "batch",
        "study.in_turn": True,
        "study.go_back": False,
        "study.progress": False,
        "study.conditions": CONDITIONS,
        "evidence.required": False,
    }
    add_campaign(services.workspace, NAME, tasks, settings=settings, overlap=2)
    return services


def finish(client: TestClient, attempt: str) -> None:
    """Submit “No answer found”."""
    token = boot(client, attempt)["token"]
    reply = send(client, attempt, token, (f"s-{attempt}", "submitted", {"outcome": "not_found"}))
    assert reply.json()["refusals"] == []


def refused(client: TestClient, attempt: str) -> str:
    """Why the attempt is not shown."""
    reply = client.get(f"/pagetrail/attempts/{attempt}")
    assert reply.status_code == 409, reply.text
    return str(reply.json()["error"]["code"])


def test_tasks_are_done_in_order_and_once(study: Services, client: TestClient) -> None:
    """Neither an address, nor an event, nor a reopened task leads around it."""
    first, second, third = attempts_of(study, "alma", NAME)
    sign_in(client, "alma")
    assert refused(client, second) == refused(client, third) == "not_in_turn"
    token = boot(client, first)["token"]
    # What goes through Streamlit's own channel needs no token: the server asks there as well.
    early = send(
        client,
        third,
        study.tokens.make(find_person(study.workspace, "alma").id, third),
        ("e", "opened", {"session": "s"}),
    )
    assert early.json()["error"]["code"] == "not_in_turn"
    assert study.log.state(third).last_seq == 0
    finish(client, first)
    assert refused(client, first) == "no_going_back"
    reopening_reply = send(client, first, token, ("again", "reopened", {})).json()
    assert [refusal["code"] for refusal in reopening_reply["refusals"]] == ["no_going_back"]
    assert boot(client, second)["attempt"] == second
    assert refused(client, third) == "not_in_turn"


def test_returned_task_opens_again(study: Services, client: TestClient) -> None:
    """A supervisor's word goes before the rule."""
    first = attempts_of(study, "alma", NAME)[0]
    sign_in(client, "alma")
    finish(client, first)
    assert refused(client, first) == "no_going_back"
    row = queries.attempt(study.workspace.engine, first)
    returned = Command("back", Returned(comment="Look again."))
    assert not study.recorder.record(row.context(), [returned]).refusals
    assert boot(client, first)["state"]["returned"]


def test_progress_is_hidden(
    study: Services, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the task and the one that follows; no number, no later question, no condition."""
    first, second, third = attempts_of(study, "alma", NAME)
    sign_in(client, "alma")
    data = boot(client, first)
    batch = data["batch"]
    assert (batch["size"], batch["position"]) == (None, None)
    assert [task["attempt"] for task in batch["tasks"]] == [first, second]
    assert batch["tasks"][1] == {
        "attempt": second,
        "position": None,
        "status": "new",
        "flagged": False,
        "returned": False,
        "has_question": False,
        "round": 1,
        "question": "",
        "locked": True,
    }
    data_text = json.dumps(data)
    assert "third" not in data_text and "plain" not in data_text and "aided" not in data_text
    at = as_person(study, "alma", monkeypatch)
    cards = [m.value for m in at.markdown]
    assert not any("3 tasks" in card for card in cards)
    for attempt in (first, second, third):
        finish(client, attempt)
    at = as_person(study, "alma", monkeypatch)
    at.button_group(key="batch-group").set_value("finished").run()
    (close,) = (button for button in at.button if button.label == "Close")
    close.click().run()
    assert not at.exception
    person = find_person(study.workspace, "alma")
    rows = my_batches.assignments(study.workspace.engine, person.id)
    assert {row.status for row in rows if row.campaign == NAME} == {"closed"}


def test_each_person_works_under_one_condition(study: Services, client: TestClient) -> None:
    """In equal numbers; the screen has its settings, and results can be grouped by it."""
    snippets = {}
    for name in ("alma", "bruno"):
        attempt = attempts_of(study, name, NAME)[0]
        sign_in(client, name)
        snippets[name] = boot(client, attempt)["protocol"]["search"]["snippets"]
        finish(client, attempt)
    assert sorted(snippets.values()) == [False, True]
    with open_source(study.workspace, NAME) as source:
        measurements = measure_attempts(source)
    assert sorted(str(row.condition) for row in measurements.rows) == ["aided", "plain"]


def test_exports_and_reports_state_each_persons_condition(
    study: Services, client: TestClient, tmp_path: Path
) -> None:
    """Each manifest maps annotators, labels have a column, and every table can be grouped."""
    for name in ("alma", "bruno"):
        sign_in(client, name)
        finish(client, attempts_of(study, name, NAME)[0])
    manifest = export(study.workspace, NAME, "labels", tmp_path / "out")
    conditions = manifest.choices["conditions"]
    assert sorted(conditions.values()) == ["aided", "plain"]
    lines = (tmp_path / "out" / "attempts.jsonl").read_text(encoding="utf-8").splitlines()
    assert {r["annotator"]: r["condition"] for r in map(json.loads, lines)} == conditions
    with open_source(study.workspace, NAME) as source:
        report = metrics(source, MetricsOptions(by="condition", replicates=20))
        people = {row.cells["annotator"].value: row for row in quality(source).tables[0].rows}
    for key in ("results", "times", "by-condition"):
        (table,) = [table for table in report.tables if table.key == key]
        participants = {row.cells["side"].value for row in table.rows}
        condition_groups = {"Humans, aided", "Humans, plain"}
        assert participants == (
            {"Humans"} if key == "by-condition" else {"Humans", *condition_groups}
        ), key
    assert {name: people[name].cells["condition"].value for name in conditions} == conditions


def test_everybody_has_the_order_of_the_batch(study: Services) -> None:
    """Where the campaign says so; otherwise each has an order of their own."""
    for name in ("alma", "bruno"):
        person = find_person(study.workspace, name)
        (row,) = (
            row
            for row in my_batches.assignments(study.workspace.engine, person.id)
            if row.campaign == NAME
        )
        open_assignment(study, person, row.assignment_id)
        tasks = queries.batch_tasks(study.workspace.engine, row.assignment_id)
        assert [task.key for task in tasks] == ["q1", "q2", "q3"]

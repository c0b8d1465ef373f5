"""Judging is blind: nothing that reaches an annotator names the system behind an answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from pagetrail.app.services.composition import Services
from pagetrail.storage.database.tables import Task
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.app.route_sweep import every_answer
from tests.app.screens import at_screen, workspace_data
from tests.app.signed_in import attempts_of, boot, send, sign_in

SYSTEMS = ("zyxomega", "qqalpha", "wwhuman")


@pytest.fixture
def judging(services: Services, tmp_path: Path) -> Services:
    """Two questions, each answered by three systems."""
    rows = [
        {
            "id": f"q{n}",
            "question": f"What do otters eat, {n}?",
            "answer_variants": [["fish"]],
            "evidence": [{"document": "report.pdf", "page": 2}],
            "predictions": {name: f"answer {position}" for position, name in enumerate(SYSTEMS)},
        }
        for n in (1, 2)
    ]
    file = tmp_path / "judge.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    report = import_tasks(services.workspace, file, campaign="Judges", protocol="judge")
    assert report.imported == 6
    return services


def test_no_route_names_a_system(server_client: TestClient, judging: Services) -> None:
    """Before and after the verdict, from every route, for every task."""
    sign_in(server_client, "alma")
    attempts = attempts_of(judging, "alma", "Judges")
    assert len(attempts) == 6
    texts = []
    for attempt in attempts:
        data = boot(server_client, attempt)
        lines_by_source = {part["source"]: part["lines"] for part in data["material"]}
        assert lines_by_source["gold_answers"] == ["fish"]
        assert lines_by_source["prediction"][0].startswith("answer ")
        reply = send(
            server_client,
            attempt,
            data["token"],
            ("1", "field_set", {"field": "verdict", "value": "partial"}),
            ("2", "field_set", {"field": "issue", "value": "verbosity"}),
            ("3", "submitted", {"outcome": "completed"}),
        )
        assert reply.json()["refusals"] == []
        texts += [json.dumps(data), reply.text, json.dumps(boot(server_client, attempt))]
    texts += every_answer(server_client, boot(server_client, attempts[0]))
    assert len(texts) > 20
    assert [text for text in texts if any(name in text for name in SYSTEMS)] == []


def test_no_screen_names_a_system(judging: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mounted workspace, My batches, the guide, and the door that is shut to annotators."""
    attempt = attempts_of(judging, "alma", "Judges")[0]
    task = at_screen(judging, "alma", monkeypatch, "task", attempt=attempt).run()
    assert not task.exception
    texts = [json.dumps(workspace_data(task))]
    for view in ("batches", "guide", "trajectory", "progress", "results"):
        screen = at_screen(judging, "alma", monkeypatch, view).run()
        texts.append(str(screen.main))
    assert [text for text in texts if any(name in text for name in SYSTEMS)] == []


def test_the_log_still_knows_the_system(judging: Services) -> None:
    """The record keeps it, so that the verdicts can be counted by system later."""
    with judging.workspace.engine.connect() as connection:
        records = [row.record for row in connection.execute(select(Task)) if "#" in row.key]
    assert sorted({record["prediction"]["system"] for record in records}) == sorted(SYSTEMS)


def test_a_supervisor_can_read_a_task_that_takes_no_answer(
    client: TestClient, judging: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The trajectory of a verdict opens, and says that it is done."""
    attempt = attempts_of(judging, "alma", "Judges")[0]
    sign_in(client, "alma")
    send(
        client,
        attempt,
        boot(client, attempt)["token"],
        ("1", "field_set", {"field": "verdict", "value": "correct"}),
        ("2", "submitted", {"outcome": "completed"}),
    )
    at = at_screen(judging, "sven", monkeypatch, "trajectory", attempt=attempt).run()
    assert not at.exception
    assert [metric.value for metric in at.metric if metric.label == "State"] == ["Completed"]

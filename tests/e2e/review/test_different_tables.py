"""Two people whose tables of a page differ: review says so, and accepts nothing by itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from pagetrail.annotation.events import Event
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment, record_events
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.accounts import find_person
from tests.e2e.support.review_steps import review_of
from tests.e2e.support.screen import Watch
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import STUDY, attempts

pytestmark = pytest.mark.browser

CAMPAIGN = "Tables"
HTML = "<table><tr><th>River</th><th>2004</th></tr><tr><td>Saale</td><td>1O</td></tr></table>"
CORRECTED = {"alma": "10", "bruno": "16"}


def plant(workspace: Workspace, folder: Path) -> int:
    """Import a table and submit two people's corrections; returns the task's id."""
    page = {"document": STUDY, "page": 1}
    task = {"id": "t1", "question": "Verify the table.", "candidates": [page]}
    file = folder / "tables.jsonl"
    file.write_text(json.dumps({**task, "tables": [{"id": "counts", "html": HTML}]}), "utf-8")
    report = import_tasks(workspace, file, campaign=CAMPAIGN, protocol="verify_table", overlap=2)
    assert not report.bad, report.bad
    services = Services(workspace)
    for name, text in CORRECTED.items():
        person = find_person(workspace, name)
        for row in my_batches.assignments(workspace.engine, person.id):
            if row.campaign == CAMPAIGN:
                open_assignment(services, person, row.assignment_id)
        attempt = attempts(workspace, name, CAMPAIGN)["t1"]
        change = {"kind": "text", "row": 1, "column": 1, "was": "1O", "text": text}
        payloads = [
            ("opened", {"session": "tab"}),
            ("table_edited", {**page, "table": "counts", "structure": 0, "change": change}),
            ("field_set", {"field": "complete", "value": "yes"}),
            ("field_set", {"field": "records", "value": "yes"}),
            ("submitted", {"outcome": "completed"}),
        ]
        for number, (type_, payload) in enumerate(payloads):
            event = {"id": f"{name}-{number}", "type": type_, "payload": payload}
            reply = record_events(services, person, attempt, {"session": "tab", "events": [event]})
            assert not reply["refusals"], reply["refusals"]
    (task_id,) = {
        services.reviews.streams.gold_row(attempt).task_id
        for attempt in attempts(workspace, "alma", CAMPAIGN).values()
    }
    return task_id


def test_different_tables_need_a_reviewer(
    workspace: Workspace,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    new_context: Callable[..., BrowserContext],
    stored: Callable[[str], list[Event]],
    watch: Watch,
) -> None:
    """All fields agree, so only the tables keep the task from being accepted."""
    task = plant(workspace, tmp_path)
    server: ServerProcess = request.getfixturevalue("server")
    watch.allow(r"/review(ing)?/_stcore/")
    screen = review_of(new_context(), server.url, stored, "sven", task)
    tables = screen.page.locator("[data-part=tables]").first
    expect(tables).to_contain_text("Saale | 10")
    expect(tables).to_contain_text("Saale | 16")
    expect(tables).to_contain_text("conflict")

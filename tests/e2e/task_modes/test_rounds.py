"""A task that a model has answered comes back: My batches says so and why, and so does the task."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import close_batch, open_assignment, record_events
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tables.importer import import_tables
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.transcripts.importer import import_patches
from pagetrail.storage.people.accounts import find_person
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.preset_workspace import SURVEY
from tests.e2e.support.screen import Screen, press
from tests.e2e.support.small_workspace import attempts
from tests.support.looks import as_on_screen

pytestmark = pytest.mark.browser

PAGE = {"document": SURVEY, "page": 1}
HTML = "<table><tr><th>River</th><th>Otters</th></tr><tr><td>Saale</td><td>4Z</td></tr></table>"
TEXT = "The Saale has 4Z otters."
FLAG = {**PAGE, "table": "t1", "structure": 0, "row": 1, "column": 1, "kind": "text"}
EDIT = {**PAGE, "edits": [{"at": 14, "removed": "4Z", "inserted": "42"}], "source": "typing"}
REASON = "A model has answered what you submitted"


class Desk:
    """A campaign with one task that a person has submitted, in a batch that is closed."""

    def __init__(self, workspace: Workspace, folder: Path, name: str, campaign: str) -> None:
        self.workspace, self.folder = workspace, folder
        self.name, self.campaign = name, campaign

    def submit(self, protocol: str, record: dict[str, Any], *work: tuple[str, Any]) -> None:
        """Import the task, do the work and close the batch."""
        task = {"id": "p1", "question": "Correct it.", "candidates": [PAGE], **record}
        report = import_tasks(
            self.workspace,
            self._file(task),
            campaign=self.campaign,
            protocol=protocol,
            assign=False,
        )
        assert not report.bad, report.bad
        assign(self.workspace, self.campaign, [self.name])
        services, person = Services(self.workspace), find_person(self.workspace, self.name)
        (batch,) = (
            row
            for row in my_batches.assignments(self.workspace.engine, person.id)
            if row.campaign == self.campaign
        )
        open_assignment(services, person, batch.assignment_id)
        self.attempt = attempts(self.workspace, self.name, self.campaign)["p1"]
        events = [
            {
                "id": f"{self.attempt[:12]}-{number}",
                "type": type_,
                "payload": as_on_screen(type_, payload),
            }
            for number, (type_, payload) in enumerate(
                [("opened", {"session": "tab"}), *work, ("submitted", {"outcome": "completed"})]
            )
        ]
        for event in events:
            reply = record_events(
                services, person, self.attempt, {"session": "tab", "events": [event]}
            )
            assert not reply["refusals"], reply["refusals"]
        close_batch(services, person, batch.assignment_id)
        self.state = services.log.state(self.attempt)
        services.close()

    def answer(self, **fields: Any) -> Path:
        """A file with a model's answer."""
        return self._file({"task": "p1", "model": "scribe-2", **fields})

    def _file(self, row: dict[str, Any]) -> Path:
        path = self.folder / f"{self.campaign}.jsonl"
        path.write_text(json.dumps(row), encoding="utf-8")
        return path


@pytest.fixture
def desk(workspace: Workspace, tmp_path: Path, account_of: Callable[[str], str]) -> Desk:
    """Of one of the package's accounts."""
    return Desk(workspace, tmp_path, account_of("alma"), tmp_path.name)


def card(page: Page) -> Locator:
    """The batch to continue, in My batches."""
    return page.locator("[class*='st-key-next-']")


def continue_in_round_2(desk: Desk, screen: Screen) -> None:
    """From My batches to the task, which says as well that it is back."""
    page = screen.page
    expect(card(page)).to_contain_text(desk.campaign)
    expect(card(page)).to_contain_text("1 back from a model")
    expect(card(page)).to_contain_text(REASON)
    press(card(page).get_by_role("button"))
    screen.wait_until_ready()
    assert screen.attempt == desk.attempt
    expect(screen.part("task-status")).to_have_text("Back from a model: round 2")
    dot = page.locator("[data-testid=task-dot][aria-current=true]")
    expect(dot).to_have_attribute("aria-label", "Task 1, back from a model: Correct it.")


def submit_and_return(screen: Screen) -> None:
    """Submit the last task; My batches says no longer that one is back."""
    screen.part("submit").click()
    expect(screen.part("confirm-submit")).to_be_focused()
    screen.page.keyboard.press("Enter")
    screen.has("submitted", 2)
    screen.page.goto(f"{screen.url}/")
    expect(card(screen.page)).to_be_visible()
    expect(screen.page.get_by_text("back from a model")).to_have_count(0)


def test_patches_bring_a_page_back(desk: Desk, screen_of: OpenScreen) -> None:
    """The closed batch is open again and first; rejecting the patch ends the rounds."""
    desk.submit("transcribe", {"transcript": TEXT}, ("text_edited", EDIT))
    assert desk.state.transcript is not None
    patches = [{"old": "otters", "new": "others", "reason": "So printed."}]
    sha256 = desk.state.transcript.text_sha256
    report = import_patches(
        desk.workspace,
        desk.answer(text_sha256=sha256, patches=patches),
        campaign=desk.campaign,
    )
    assert report.rounds.started == {2: 1}
    screen = screen_of("alma")
    continue_in_round_2(desk, screen)
    screen.page.get_by_test_id("page-pane").focus()
    screen.page.keyboard.press("j")
    expect(screen.part("patch-now")).to_contain_text("So printed.")
    screen.judge("x")
    screen.has("patch_decided")
    submit_and_return(screen)


def test_fixed_tables_bring_a_task_back(desk: Desk, screen_of: OpenScreen) -> None:
    """What the model changed asks for confirmation."""
    answers = [("field_set", {"field": name, "value": "yes"}) for name in ("complete", "records")]
    desk.submit(
        "verify_table", {"tables": [{"id": "t1", "html": HTML}]}, ("cell_flagged", FLAG), *answers
    )
    fixed = [{"id": "t1", "html": HTML.replace("4Z", "42")}]
    report = import_tables(
        desk.workspace,
        desk.answer(tables_sha256=desk.state.tables.sha256, tables=fixed),
        campaign=desk.campaign,
    )
    assert report.rounds.started == {2: 1} and report.changes == 1
    screen = screen_of("alma")
    continue_in_round_2(desk, screen)
    screen.part("table-grid").get_by_text("42", exact=True).click()
    screen.judge("c")
    screen.has("cell_confirmed")
    submit_and_return(screen)

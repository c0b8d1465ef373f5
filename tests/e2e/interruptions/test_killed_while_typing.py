"""Server or browser are killed before what is typed was sent: none of it is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.events import Event
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.browsers import find_browser, wait_for
from tests.e2e.support.killable_browser import KillableBrowser
from tests.e2e.support.screen import PATIENCE_MS, Screen, Watch
from tests.e2e.support.server_process import CONNECTION_LOST, ServerProcess
from tests.e2e.support.small_workspace import STUDY, attempts
from tests.support.campaigns import add_campaign, open_batches

PERSON = "alma"
TEXTS, TABLES = "Texts", "Tables"
TEXT = "# Otters\n\nThey swim. 😀"
PAGE = {"document": STUDY, "page": 1}
TASKS: dict[str, tuple[str, dict[str, Any]]] = {
    TEXTS: ("transcribe", {"transcript": TEXT}),
    TABLES: (
        "verify_table",
        {"tables": [{"id": "t", "html": "<table><tr><td>1O</td></tr></table>"}]},
    ),
}
_IS_KEPT = """async ([text]) => {
  const answer = (request) => new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
  });
  const database = await answer(indexedDB.open("pagetrail"));
  for (;;) {
    const values = await answer(database.transaction("unsent").objectStore("unsent").getAll());
    if (JSON.stringify(values).includes(text)) break;
    await new Promise(requestAnimationFrame);
  }
  database.close();
}"""
_SHOWS = """([text]) => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap(
    (node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
  const lines = all(document).filter((node) => node.matches(".cm-line"));
  return lines.map((line) => line.textContent).join("\\n") === text;
}"""


@pytest.fixture
def workspace(workspace: Workspace) -> Workspace:
    """The small workspace with a text and a table for one person."""
    for campaign, (protocol, given) in TASKS.items():
        task = {"id": "t1", "question": "Correct it.", "candidates": [PAGE], **given}
        add_campaign(workspace, campaign, [task], protocol=protocol)
    open_batches(workspace, [PERSON], TASKS)
    return workspace


@pytest.fixture
def killable(chromium: Browser, tmp_path: Path) -> Iterator[KillableBrowser]:
    """A browser that a test may kill."""
    program = find_browser()
    assert program is not None
    with KillableBrowser(chromium.browser_type, program, tmp_path / "profile") as browser:
        yield browser


def type_at_end(screen: Screen, text: str) -> None:
    """Type at the end of the page's text."""
    screen.part("transcript-editor").click()
    screen.page.keyboard.press("Control+End")
    screen.page.keyboard.type(text)


def type_in_cell(screen: Screen, text: str) -> None:
    """Type in the table's only cell, and stay in it."""
    screen.page.locator("[data-cell='0,0']").dblclick()
    expect(screen.part("cell-editor")).to_be_focused()
    screen.page.keyboard.press("Control+a")
    screen.page.keyboard.type(text)


def page_text(state: AttemptState) -> str:
    """The text of the page."""
    assert state.transcript is not None
    return state.transcript.text


def cell_text(state: AttemptState) -> str:
    """The text of the only cell."""
    ((cell,),) = (table.cells for table in state.tables.tables)
    return cell.text


def test_the_server_is_killed(
    screen_of: OpenScreen, server: ServerProcess, workspace: Workspace, watch: Watch
) -> None:
    """What is typed afterwards is sent to the next server, after what was typed before."""
    watch.allow(*CONNECTION_LOST)
    screen = screen_of(PERSON, "t1", campaign=TEXTS)
    expect(screen.part("transcript-editor")).to_be_visible()
    type_at_end(screen, " Before")
    server.kill()
    screen.page.keyboard.type(" and after 🦦")
    expect(screen.part("connection")).to_contain_text("Offline")
    server.start()
    screen.wait_until_saved()
    expected = f"{TEXT} Before and after 🦦"
    assert page_text(fold(screen.events())) == expected
    wait_for(screen.page, _SHOWS, [expected])

    table = attempts(workspace, PERSON, TABLES)["t1"]
    screen.open(table)
    type_in_cell(screen, "10")
    server.kill()
    screen.page.keyboard.type("0")
    expect(screen.part("connection")).to_contain_text("Offline")
    screen.page.close()  # while the cell is being edited
    server.start()
    screen = screen_of(PERSON, context=screen.page.context, path="/")
    screen.open(table)
    expect(screen.page.locator("[data-cell='0,0']")).to_have_text("100")
    screen.wait_until_saved()
    assert cell_text(fold(screen.events())) == "100"


@pytest.mark.parametrize("campaign", TASKS)
def test_the_browser_is_killed(
    campaign: str,
    killable: KillableBrowser,
    server: ServerProcess,
    workspace: Workspace,
    stored: Callable[[str], list[Event]],
) -> None:
    """Without a server, and before anything could be handed over on leaving the page."""
    attempt = attempts(workspace, PERSON, campaign)["t1"]
    work = {TEXTS: type_at_end, TABLES: type_in_cell}[campaign]

    def opened() -> Screen:
        context = killable.start()
        context.set_default_timeout(PATIENCE_MS)
        screen = Screen(context.new_page(), server.url, stored)
        screen.sign_in(PERSON)
        screen.open(attempt)
        editor = screen.part("transcript-editor").or_(screen.page.locator("[data-cell='0,0']"))
        expect(editor).to_be_visible()  # its code has been loaded
        return screen

    screen = opened()
    server.kill()
    work(screen, "typed last")
    screen.page.evaluate(_IS_KEPT, ["typed last"])
    killable.kill()
    server.start()
    assert not [event for event in stored(attempt) if event.type.endswith("_edited")]

    screen = opened()
    if campaign == TEXTS:
        wait_for(screen.page, _SHOWS, [f"{TEXT}typed last"])
        screen.has("text_edited")
        assert page_text(fold(screen.events())) == f"{TEXT}typed last"
    else:
        expect(screen.page.locator("[data-cell='0,0']")).to_have_text("typed last")
        screen.has("table_edited")
        assert cell_text(fold(screen.events())) == "typed last"

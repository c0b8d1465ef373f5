"""From an empty folder to a submitted answer, in the browser alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pymupdf
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from pagetrail.annotation import events as ev
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support.screen import Screen, press, wait_until, wait_until_drawn
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import PASSWORD


@pytest.fixture
def server(tmp_path: Path, port: int) -> Iterator[ServerProcess]:
    """A server on a folder that does not exist; a traceback in its log fails the test."""
    with ServerProcess(tmp_path / "ws", port) as process:
        yield process
    assert "Traceback" not in process.log, process.log


def test_an_empty_folder_becomes_a_campaign_with_an_answer(
    tmp_path: Path, server: ServerProcess, new_context: Callable[..., BrowserContext]
) -> None:
    """The printed link, the checklist step by step, and an annotator's first answer as stored."""
    pdf = tmp_path / "beavers.pdf"
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "beavers build dams")
    document.save(pdf)
    (link,) = re.findall(r"http://\S+/pagetrail/invitation/\S+", server.log)
    admin = new_context().new_page()
    make_account(admin, server.url + urlsplit(link).path, "ines")
    expect(admin.get_by_text("4 of 5 steps left")).to_be_visible()

    press(admin.get_by_role("button", name="Upload documents"))
    admin.get_by_test_id("upload-input").set_input_files(pdf)
    expect(admin.get_by_text("1 file waiting")).to_be_visible()
    press(admin.get_by_role("button", name="Ingest"))
    expect(admin.get_by_text("1 ingested, 0 refused")).to_be_visible()

    admin.goto(f"{server.url}/administration?part=Setup")
    press(admin.get_by_role("button", name="Invite people"))
    dialog = admin.get_by_role("dialog")
    press(dialog.get_by_role("button", name="Make the link"))
    invitation = dialog.get_by_test_id("stCode")
    expect(invitation).to_contain_text("/pagetrail/invitation/")
    annotator = new_context().new_page()
    path = urlsplit(invitation.inner_text().strip()).path
    make_account(annotator, server.url + path, "alma")
    expect(annotator.get_by_text("You have no batches yet")).to_be_visible()

    admin.goto(f"{server.url}/administration?part=Setup")
    press(admin.get_by_role("button", name="Create a campaign", exact=True))
    admin.get_by_role("textbox", name="Name").fill("Dams")
    admin.get_by_role("textbox", name="Name").press("Tab")
    type_question(admin, "What do beavers build?")
    press(admin.get_by_role("button", name="Check and create…"))
    press(dialog.get_by_role("button", name="Create the campaign"))
    expect(dialog).to_contain_text("is created, with 1 task in 1 batch")

    annotator.reload()
    press(annotator.get_by_role("button", name="Start Shortcut N"))
    log = SqlEventLog(Workspace.open(tmp_path / "ws").engine)
    screen = Screen(annotator, server.url, lambda attempt: list(log.events(attempt)))
    expect(annotator.get_by_text("The clock is not running.")).to_be_visible()
    expect(screen.part("clock")).to_have_count(0)
    assert screen.events() == [], "reading the guidelines is no working time"
    read = datetime.now(UTC)
    press(annotator.get_by_role("button", name="Start working"))
    screen.wait_until_ready()
    expect(screen.part("clock")).to_have_text(re.compile(r"^0:\d\d$"))
    opened = screen.has("opened")[0]
    assert (opened.seq, opened.elapsed_ms) == (1, 0)
    assert datetime.fromisoformat(opened.server_ts) >= read
    screen.search("beavers")
    screen.open_result(1)
    screen.part("cite").click()
    screen.part("answer").fill("dams")
    screen.part("submit").click()
    annotator.keyboard.press("Enter")
    expect(screen.part("task-status")).to_have_text("Submitted")
    stored = wait_until(
        annotator,
        lambda: [event.payload for event in log.events(screen.attempt)],
        lambda payloads: any(isinstance(payload, ev.Submitted) for payload in payloads),
    )
    assert [payload.query for payload in stored if isinstance(payload, ev.Searched)] == ["beavers"]
    assert [payload.text for payload in stored if isinstance(payload, ev.AnswerEdited)] == ["dams"]
    (cited,) = (payload for payload in stored if isinstance(payload, ev.CitationAdded))
    assert (cited.document, cited.page) == ("beavers.pdf", 1)


def make_account(page: Page, link: str, name: str) -> None:
    """Fill in the page of an invitation."""
    page.goto(link)
    page.locator("input[name=name]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=again]").fill(PASSWORD)
    page.locator("button[type=submit]").click()


def type_question(page: Page, question: str) -> None:
    """Type a question into the first cell of the table."""
    press(page.get_by_text("Or type questions here"))
    wait_until_drawn(page)
    table = page.get_by_test_id("stDataFrame")
    table.click(position={"x": 120, "y": 53})
    page.keyboard.press("Enter")
    cell = page.locator("#portal textarea")
    expect(cell).to_be_focused()
    cell.fill(question)
    cell.press("Enter")

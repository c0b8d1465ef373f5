"""Suspect gold in a real browser: evidence, decisions, a second window, a double click."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from pagetrail.annotation.events import Event
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.gold_checks import task_id_of
from tests.e2e.review.test_gold_of_several_people import DOSES, plant
from tests.e2e.support.screen import Screen, Watch, press, wait_until_drawn
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import STUDY

pytestmark = pytest.mark.browser


@pytest.fixture
def open_queue(
    workspace: Workspace,
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    stored: Callable[[str], list[Event]],
    watch: Watch,
) -> Callable[[], Page]:
    """Opens the queue as a supervisor, each time in a browser of its own."""
    plant(workspace)
    watch.allow(r"/(review|gold)/_stcore/")

    def opened() -> Page:
        screen = Screen(new_context().new_page(), server.url, stored)
        screen.sign_in("sven", f"/gold?campaign={DOSES}")
        expect(screen.page.get_by_role("heading", name="Suspect gold")).to_be_visible()
        return screen.page

    return opened


def checks(workspace: Workspace, key: str) -> list[str]:
    """The decisions on a task's gold, by type of event."""
    services = Services(workspace)
    task_id = task_id_of(workspace.engine, DOSES, key)
    attempt = services.reviews.streams.gold(task_id).attempt_id
    return [event.type for event in services.log.events(attempt)]


def question(page: Page, key: str) -> None:
    """Wait until a task is on screen."""
    expect(page.get_by_role("heading", name=f"Which dose, {key}?")).to_be_visible()


def test_gold_is_corrected_confirmed_and_dropped(
    open_queue: Callable[[], Page], workspace: Workspace
) -> None:
    """The most suspicious task comes first; each decision is stored once."""
    page, other_window = open_queue(), open_queue()
    question(page, "d2")
    question(other_window, "d2")
    expect(page.get_by_test_id("stMarkdown").filter(has_text="Nobody solved it")).to_be_visible()
    image = page.locator("img[alt^='otter study']")
    expect(image.first).to_be_visible()
    assert image.first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100

    press(page.get_by_role("tab", name="Correct it"))
    page.get_by_role("textbox", name="Right answer", exact=True).fill("0.61")
    page.get_by_role("textbox", name="Evidence, one page per line").fill(f"{STUDY} 2")
    page.get_by_role("textbox", name="Evidence, one page per line").press("Tab")
    press(page.get_by_role("button", name="Store as the next version"))
    expect(page.get_by_role("button", name="Next task")).to_be_visible()
    assert checks(workspace, "d2") == ["gold_merged", "adjudicated", "gold_checked"]

    press(other_window.get_by_role("button", name="The gold is right"))
    expect(other_window.get_by_text("changed in another window")).to_be_visible()
    assert checks(workspace, "d2")[3:] == []

    press(page.get_by_role("button", name="Next task"))
    heading = page.get_by_role("heading", name="Which dose, ").filter(has_not_text="d2")
    expect(heading).to_be_visible()
    wait_until_drawn(page)
    second = (heading.text_content() or "").strip()[-3:-1]
    page.get_by_role("button", name="The gold is right").dblclick()
    expect(page.get_by_test_id("stMarkdown").get_by_text("Confirmed")).to_be_visible()
    decided = {key: checks(workspace, key) for key in ("d1", "d3", "d4")}
    assert decided.pop(second) == ["gold_checked"]
    assert not any(decided.values())

    press(page.get_by_role("button", name="Decide again"))
    press(page.get_by_role("tab", name="Drop"))
    page.get_by_placeholder("Why nobody can say what is right; needed").fill("two doses are right")
    press(page.get_by_role("button", name="Leave the task out of results"))
    expect(page.get_by_text("two doses are right")).to_be_visible()
    assert checks(workspace, second) == ["gold_checked", "gold_checked"]

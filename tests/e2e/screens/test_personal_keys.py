"""Keys changed in Account: refused where taken, and printed and used in tasks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.preferences import preferences_of, set_preferences
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.home_workspace import FEW
from tests.e2e.support.screen import of_type, press, wait_until_drawn

CITE = "Add or remove as citation"


def test_a_key_is_changed_in_account(screen_of: OpenScreen, workspace: Workspace) -> None:
    """A taken key is refused with what it means; a free one works, also after signing in again."""
    screen = screen_of(FEW, path="/account")
    page = screen.page
    _change_key(page, CITE, "d")
    expect(page.get_by_role("alert")).to_contain_text(
        "d already means “Keep this page beside others, or put it away”, which works at the same"
    )
    _change_key(page, CITE, "4")
    expect(page.get_by_role("alert")).to_contain_text("Digits choose options and labels.")
    _change_key(page, CITE, "Ctrl+Shift+e")
    expect(page.get_by_role("status").filter(has_text=f"{CITE}: Ctrl+Shift+E")).to_be_visible()
    expect(page.get_by_role("button", name="Reset to c")).to_be_visible()
    page.get_by_label("New key").fill("F2")
    page.get_by_label("New key").press("Enter")
    expect(page.get_by_role("status").filter(has_text=f"{CITE}: F2")).to_be_visible()
    _change_key(page, "Submit", "Ctrl+Alt+o")
    expect(page.get_by_role("alert")).to_contain_text("Many keyboards type characters")

    page.goto(f"{screen.url}/")
    expect(page.get_by_role("button", name="Shortcut N")).to_be_visible()
    wait_until_drawn(page)
    page.keyboard.press("n")
    screen.wait_until_ready()
    screen.search("otters")
    screen.open_result(1)
    cite = screen.part("cite")
    expect(cite).to_have_attribute("title", "Add as citation (F2)")
    page.keyboard.press("c")
    expect(cite).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("F2")
    expect(cite).to_have_attribute("aria-pressed", "true")
    screen.wait_until_saved()
    assert len(of_type(screen.events(), "citation_added")) == 1
    page.keyboard.press("?")
    row = screen.part("help-dialog").locator("dl > div").filter(has_text=CITE)
    expect(row.locator("kbd")).to_have_text(["F2"])
    page.keyboard.press("Escape")

    page.goto(f"{screen.url}/account")
    press(page.get_by_role("button", name="Reset to c"))
    expect(page.get_by_role("status").filter(has_text=f"{CITE}: c")).to_be_visible()
    expect(page.get_by_role("button", name="Reset to c")).to_be_hidden()
    assert preferences_of(workspace, find_person(workspace, FEW).id).keys == {}


def test_the_key_of_my_batches_is_changed_in_account(screen_of: OpenScreen) -> None:
    """Keys that the page needs are refused; the chosen one is printed and opens the next task."""
    screen = screen_of(FEW, path="/account")
    page = screen.page
    wait_until_drawn(page)
    press(page.get_by_role("radio", name="My batches"))
    label = "Continue with the next task"
    for key, reason in (("r", "The page keeps r for itself."), ("?", "Choose a letter, a digit")):
        _change_key(page, label, key)
        expect(page.get_by_role("alert")).to_contain_text(reason)
    _change_key(page, label, "g")
    expect(page.get_by_role("status").filter(has_text=f"{label}: g")).to_be_visible()
    page.goto(f"{screen.url}/")
    expect(page.get_by_role("button", name="Shortcut G")).to_be_visible()
    wait_until_drawn(page)
    page.keyboard.press("g")
    screen.wait_until_ready()


def _change_key(page: Page, label: str, key: str) -> None:
    """Choose what a key does, type another one, and press Enter."""
    wait_until_drawn(page)
    choice = page.get_by_role("combobox", name="What the key does")
    choice.click()
    choice.fill(label)
    page.get_by_role("option", name=label).first.click()
    wait_until_drawn(page)
    new_key = page.get_by_label("New key")
    new_key.fill(key)
    new_key.press("Enter")


@pytest.fixture(autouse=True)
def default_keys(workspace: Workspace) -> Iterator[None]:
    """Leave the account as it was."""
    yield
    set_preferences(workspace, find_person(workspace, FEW).id, keys={})

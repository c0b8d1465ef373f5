"""Theme and language, chosen in Account: kept with the account, and there before anything else."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.preferences import set_preferences
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.home_workspace import FEW, MANY
from tests.e2e.support.screen import press, wait_until, wait_until_drawn

LIGHT, DARK = "rgb(255, 255, 255)", "rgb(18, 22, 29)"
_GROUNDS = """() => {
  window.grounds = [];
  const look = () => {
    const app = document.querySelector("[data-testid=stApp]");
    const ground = app && getComputedStyle(app).backgroundColor;
    if (ground && window.grounds.at(-1) !== ground) window.grounds.push(ground);
    requestAnimationFrame(look);
  };
  look();
}"""


def test_theme_is_kept_with_the_account(screen_of: OpenScreen) -> None:
    """Dark on a device that is light, on Streamlit's screens and the task, in every browser."""
    screen = screen_of(FEW, path="/account")
    page = screen.page
    expect(page.get_by_role("radio", name="System")).to_be_checked()
    press(page.get_by_role("radio", name="Dark"))
    _wait_for_ground(page, DARK)
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    page.goto(f"{screen.url}/")
    _wait_for_ground(page, DARK)
    expect(page.get_by_role("button", name="Shortcut N")).to_be_visible()
    wait_until_drawn(page)
    page.keyboard.press("n")
    screen.wait_until_ready()
    expect(screen.part("workspace")).to_have_attribute("data-theme", "dark")

    other = screen_of(FEW, path="/account", locale="en-US").page
    _wait_for_ground(other, DARK)
    press(other.get_by_role("radio", name="Light"))
    _wait_for_ground(other, LIGHT)
    other.emulate_media(color_scheme="dark")
    other.reload()
    _wait_for_ground(other, LIGHT)
    press(other.get_by_role("radio", name="System"))
    _wait_for_ground(other, DARK)


def test_no_other_theme_is_painted_first(screen_of: OpenScreen) -> None:
    """Neither before Streamlit's client runs, nor in its first frames."""
    screen = screen_of(MANY, path="/account")
    page = screen.page
    press(page.get_by_role("radio", name="Dark"))
    _wait_for_ground(page, DARK)
    held: list[Route] = []
    released: list[bool] = []
    client = re.compile(r"/static/js/index\..*\.js")
    page.route(client, lambda route: route.continue_() if released else held.append(route))
    page.goto(f"{screen.url}/", wait_until="commit")
    expect(page.locator("#root")).to_be_attached()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    page.evaluate(_GROUNDS)
    wait_until(page, lambda: held, bool)
    released.append(True)
    for route in held:
        route.continue_()
    _wait_for_ground(page, DARK)
    wait_until_drawn(page)
    grounds = page.evaluate("window.grounds")
    assert LIGHT not in grounds and grounds[-1] == DARK, grounds


def test_language_is_kept_with_the_account(screen_of: OpenScreen) -> None:
    """A language is offered as soon as it has a file; routes answer in it, the page names it."""
    screen = screen_of(FEW, path="/account")
    page = screen.page
    choice = page.get_by_role("combobox", name="Language of the interface")
    expect(choice).to_have_value("Same as browser (English)")
    choice.click()
    expect(page.get_by_role("option")).to_have_text(
        ["Same as browser (English)", "English", "Français"]
    )
    page.get_by_role("option", name="Français").click()
    expect(page.get_by_role("heading", name="Apparence et langue")).to_be_visible()
    page.goto(f"{screen.url}/")
    expect(page.get_by_role("heading", name="Mes lots")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    answer = page.request.get(f"{screen.url}/pagetrail/nothing")
    assert answer.json()["error"]["message"] == "Il n'y a rien à cette adresse."

    other = screen_of(FEW, locale="en-US").page
    expect(other.get_by_role("heading", name="Mes lots")).to_be_visible()
    english = screen_of(MANY, locale="fr-FR", path="/account").page
    expect(english.get_by_role("heading", name="Apparence et langue")).to_be_visible()
    english.get_by_role("combobox", name="Language of the interface").click()
    english.get_by_role("option", name="English", exact=True).click()
    expect(english.get_by_role("heading", name="Appearance and language")).to_be_visible()


@pytest.fixture(autouse=True)
def default_preferences(workspace: Workspace) -> Iterator[None]:
    """Leave the accounts as they were."""
    yield
    for name in (FEW, MANY):
        person = find_person(workspace, name)
        set_preferences(workspace, person.id, theme="system", language="")


def _wait_for_ground(page: Page, colour: str) -> None:
    """Wait until the screen has a background of that colour."""
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", colour)

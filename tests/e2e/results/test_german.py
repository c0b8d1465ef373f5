"""A search task in German, from sign-in to submission."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from pagetrail.annotation.events import Event
from pagetrail.annotation.messages import gettext, use_translations
from pagetrail.app.services.languages import translations
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support.screen import wait_until, wait_until_drawn
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import PASSWORD, attempts

_TEXTS = """() => [...document.querySelectorAll("button, label, h1, h2, h3, .pt span")]
  .map((element) => element.innerText.trim())"""


def test_a_search_task_in_german(
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    workspace: Workspace,
    stored: Callable[[str], list[Event]],
) -> None:
    """Each step by its German name; on no screen is there a label that has a translation."""
    page = new_context(locale="de-DE").new_page()
    page.goto(server.url)
    page.get_by_label("Name").fill("alma")
    page.get_by_label("Passwort").fill(PASSWORD)
    assert _untranslated(page) == []
    page.get_by_role("button", name="Anmelden").click()
    expect(page.get_by_role("heading", name="Meine Pakete")).to_be_visible()
    expect(page.get_by_role("button", name="Shortcut N")).to_be_visible()
    wait_until_drawn(page)
    page.keyboard.press("n")

    expect(page.get_by_test_id("question")).not_to_be_empty()
    attempt = page.url.rpartition("attempt=")[2].partition("&")[0]
    assert attempt in attempts(workspace, "alma").values()
    page.get_by_role("searchbox").fill("otters spring")
    page.get_by_role("button", name="Suche", exact=True).click()
    page.get_by_test_id("result").first.click()
    page.get_by_role("button", name="Als Beleg").click()
    expect(page.get_by_test_id("citation")).to_have_count(1)
    page.get_by_role("textbox", name="Antwort").fill("42")
    assert _untranslated(page) == []
    page.get_by_role("button", name="Abgeben").click()
    dialog = page.get_by_role("dialog", name="Diese Antwort abgeben?")
    assert _untranslated(page) == []
    dialog.get_by_role("button", name="Abgeben").click()
    wait_until(
        page, lambda: [event.type for event in stored(attempt)], lambda types: "submitted" in types
    )


def _untranslated(page: Page) -> list[str]:
    """Labels that the catalogue translates to something else."""
    with use_translations(translations("de")):
        return sorted({text for text in page.evaluate(_TEXTS) if gettext(text) != text})

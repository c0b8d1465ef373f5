"""A browser whose storage is full or blocked: only what is kept is called kept."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Watch, of_type
from tests.e2e.support.server_process import CONNECTION_LOST
from tests.e2e.support.small_workspace import CAMPAIGN, attempts

_FILL = """() => {
  let size = 1 << 20;
  for (let n = 0; size >= 1; n += 1) {
    try {
      localStorage.setItem(`filler${n}`, "x".repeat(size));
    } catch {
      size >>= 1;
    }
  }
}"""
_EMPTY = """() => {
  for (const key of Object.keys(localStorage))
    if (key.startsWith("filler")) localStorage.removeItem(key);
}"""
_BLOCK = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
  });"""
_LEAVE = "() => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"


def _leaving_asks(page: Page) -> bool:
    """Whether closing the tab would ask first; the browser's own dialog is left out."""
    return not page.evaluate(_LEAVE)


def test_full_storage_without_connection(screen_of: OpenScreen, watch: Watch) -> None:
    """Work that only the tab holds is not called kept, and leaving asks until it is saved."""
    watch.allow(*CONNECTION_LOST)
    screen = screen_of("alma", "q1")
    screen.part("note").fill("before")
    screen.has("note_edited")
    screen.wait_until_saved()
    expect(screen.part("banner-storage")).to_have_count(0)
    screen.page.evaluate(_FILL)
    screen.page.context.set_offline(True)
    screen.part("answer").click()
    screen.page.keyboard.type("in this tab only")
    expect(screen.part("connection")).to_have_text("Offline – 1 change waiting")
    expect(screen.part("banner-offline")).not_to_contain_text("kept in this browser")
    expect(screen.part("banner-storage")).to_contain_text("leave it open until everything is saved")
    assert _leaving_asks(screen.page)

    screen.page.context.set_offline(False)
    (edited,) = screen.has("answer_edited")
    assert edited.fields()["text"] == "in this tab only"
    screen.wait_until_saved()
    expect(screen.part("banner-storage")).to_be_visible()
    screen.page.evaluate(_EMPTY)
    expect(screen.part("banner-storage")).to_have_count(0)
    assert not _leaving_asks(screen.page), "nothing is lost any more"


def test_blocked_storage(screen_of: OpenScreen, workspace: Workspace, watch: Watch) -> None:
    """The task works from memory and says so; what is not saved lasts as long as the tab."""
    watch.allow(*CONNECTION_LOST)
    screen = screen_of("alma")
    screen.page.add_init_script(_BLOCK)
    screen.open(attempts(workspace, "alma", CAMPAIGN)["q1"])
    expect(screen.part("banner-storage")).to_be_visible()
    screen.search("otters")
    screen.open_result(1)
    screen.part("answer").fill("from memory")
    (edited,) = screen.has("answer_edited")
    assert edited.fields()["text"] == "from memory"
    screen.wait_until_saved()
    screen.page.context.set_offline(True)
    screen.part("note").click()
    screen.page.keyboard.type("typed in the dark")
    expect(screen.part("connection")).to_have_text("Offline – 1 change waiting")
    assert _leaving_asks(screen.page)
    screen.page.context.set_offline(False)
    screen.wait_for_events(lambda events: bool(of_type(events, "note_edited")))

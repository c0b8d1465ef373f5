"""The Content-Security-Policy in a browser: screens work, and nothing else runs."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from pagetrail.app.server.navigation import SCREENS
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.screen import Screen, Watch
from tests.e2e.support.server_process import ServerProcess

_INJECTED = """() => {
  const script = document.createElement("script");
  script.textContent = "window.ranInline = true";
  const image = document.createElement("div");
  image.innerHTML = '<img src="data:," onerror="window.ranHandler = true">';
  const foreign = document.createElement("script");
  foreign.src = "https://elsewhere.example/x.js";
  document.body.append(script, image, foreign);
  // What Playwright evaluates is free to read text as code; what it leaves behind is not.
  setTimeout(() => {
    try {
      window.ranText = new Function("return true")();
    } catch (error) {
      window.refusedText = error.name;
    }
  });
}"""


def test_injected_scripts_do_not_run(screen_of: OpenScreen, watch: Watch) -> None:
    """Neither an inline script nor a handler, nor text as code, nor another site's file."""
    watch.allow(r"Content Security Policy", r"Content-Security-Policy")
    page = screen_of("alma", "q1").page
    with page.expect_event("console", lambda message: "elsewhere.example" in message.text):
        page.evaluate(_INJECTED)
    wait_for(page, "() => window.refusedText || window.ranText")
    ran = page.evaluate("[window.ranInline, window.ranHandler, window.ranText]")
    assert ran == [None, None, None]
    assert page.evaluate("window.refusedText") == "EvalError"


def test_every_screen_opens_without_a_violation(
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    watch: Watch,
) -> None:
    """The browser's console, which the watch reads, stays empty on a supervisor's screens."""
    watch.allow("does not seem to exist")  # one of the paths leads to another screen
    page = new_context().new_page()
    Screen(page, server.url, lambda _attempt: []).sign_in("sven")
    for screen in sorted(SCREENS):
        page.goto(f"{server.url}/{screen}")
        expect(page.get_by_test_id("stApp")).to_have_attribute(
            "data-test-script-state", "notRunning"
        )

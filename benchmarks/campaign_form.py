"""How long the form of a new campaign takes to open, in a browser, on the demo's workspace.

From the click on *New campaign* to the last change of the page: the script has ended and nothing
has changed for ``QUIET_MS``. The first opening of a tab also loads the browser's code of the form's
widgets; it is reported by itself.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import RunningServer, browser, serving
from pagetrail.app.demo.build import PASSWORD, build_demo

ROUNDS = 11
TABS = 5
QUIET_MS = 400
TARGET_MS = 500
_OPEN = """
async (quiet) => {
  const app = document.querySelector("[data-testid=stApp]");
  const button = document.querySelector(".st-key-campaign-add button");
  const start = performance.now();
  let last = start;
  const observer = new MutationObserver(() => { last = performance.now(); });
  observer.observe(document.body, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  button.click();
  for (;;) {
    await new Promise((done) => setTimeout(done, 20));
    const ended = app.getAttribute("data-test-script-state") === "notRunning";
    const drawn = document.querySelector(".st-key-campaign-create button");
    if (ended && drawn && performance.now() - last > quiet) break;
    if (performance.now() - start > 30000) throw new Error("the form did not open");
  }
  observer.disconnect();
  return last - start;
}
"""


def measure(_setup: Setup) -> list[Measurement]:
    """Open the form of a demo's supervisor in new tabs, and again and again in one tab."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "demo"
        build_demo(root, lambda *_progress: None)
        with serving(root) as server, browser() as chromium:
            new_tabs = [opening_s(campaigns(chromium, server)) for _ in range(TABS)]
            page = campaigns(chromium, server)
            opening_s(page)
            reopened = []
            for _ in range(ROUNDS):
                page.locator(".st-key-campaign-back button").click()
                page.locator(".st-key-campaign-add button").wait_for()
                reopened.append(opening_s(page))
    return [
        Measurement.of_durations("campaign form, new tab", new_tabs, target_ms=TARGET_MS),
        Measurement.of_durations("campaign form, opened again", reopened, target_ms=TARGET_MS),
    ]


def campaigns(chromium: Browser, server: RunningServer) -> Page:
    """The supervisor's list of campaigns in a browser without a cache."""
    page = chromium.new_context(viewport={"width": 1366, "height": 768}).new_page()
    page.goto(f"{server.url}pagetrail/login")
    page.fill("input[name=name]", "sofia")
    page.fill("input[name=password]", PASSWORD)
    page.click("button[type=submit]")
    page.wait_for_url(lambda url: "login" not in url)
    page.goto(f"{server.url}administration?part=Campaigns")
    page.locator(".st-key-campaign-add button").wait_for()
    return page


def opening_s(page: Page) -> float:
    """Seconds from the click to the last change."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.wait_for_timeout(1_000)
    return float(page.evaluate(_OPEN, QUIET_MS)) / 1000


BENCHMARK = Benchmark("campaign_form", measure)

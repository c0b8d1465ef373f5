"""How long the form of a new campaign takes to open, in a browser, on the demo's workspace.

From the click on *New campaign* to the last change of the page: the script has ended and nothing
has changed for ``QUIET_MS``. The first opening of a tab also loads the browser's code of the form's
widgets; it is reported by itself.

    .venv/bin/python -m benchmarks.campaign_form
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from benchmarks.support import Served, browser, serving
from pagetrail.app.demo.build import PASSWORD, build_demo

ROUNDS = 11
TABS = 5
QUIET_MS = 400
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


def main() -> None:
    """Build a demo, serve it, and open the form again and again."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "demo"
        build_demo(root, lambda *_said: None)
        with serving(root) as served, browser() as chromium:
            report(chromium, served)


def report(chromium: Browser, served: Served) -> None:
    """Measure and print, in milliseconds."""
    first = [opening_ms(campaigns(chromium, served)) for _ in range(TABS)]
    page = campaigns(chromium, served)
    opening_ms(page)
    again = []
    for _ in range(ROUNDS):
        page.locator(".st-key-campaign-back button").click()
        page.locator(".st-key-campaign-add button").wait_for()
        again.append(opening_ms(page))
    for name, values in (("first in a tab", first), ("again", again)):
        print(
            f"{name}: median {median(values):.0f} ms, {min(values):.0f} to {max(values):.0f} "
            f"({len(values)} times)"
        )


def campaigns(chromium: Browser, served: Served) -> Page:
    """The supervisor's list of campaigns in a browser without a cache."""
    page = chromium.new_context(viewport={"width": 1366, "height": 768}).new_page()
    page.goto(f"{served.url}pagetrail/login")
    page.fill("input[name=name]", "sofia")
    page.fill("input[name=password]", PASSWORD)
    page.click("button[type=submit]")
    page.wait_for_url(lambda url: "login" not in url)
    page.goto(f"{served.url}administration?part=Campaigns")
    page.locator(".st-key-campaign-add button").wait_for()
    return page


def opening_ms(page: Page) -> float:
    """From the click to the last change."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.wait_for_timeout(1_000)
    return float(page.evaluate(_OPEN, QUIET_MS))


if __name__ == "__main__":
    main()

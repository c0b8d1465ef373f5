"""The time from a key to its paint in a real browser.

The clock of a key starts at its time stamp, which Chromium gives it, and stops in the task after
the next frame, when what it changed is painted.
"""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page

from tests.e2e.support.browsers import wait_for

PATIENCE_MS = 20_000
_WATCH = """() => {
  window.paints = [];
  const measure = (event) => {
    const since = event.timeStamp;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.paints.push(performance.now() - since);
      port2.postMessage(null);
    });
  };
  addEventListener("keydown", measure, true);
  addEventListener("click", measure, true);
}"""


def watch_paints(page: Page) -> None:
    """Measure keys and clicks from now on."""
    page.evaluate(_WATCH)


def key_paints(page: Page, keys: Sequence[str], *, pause_ms: int = 60) -> list[float]:
    """Seconds from each key to its paint; they come at the pace of a quick typist."""
    page.wait_for_timeout(1_000)
    page.evaluate("() => { window.paints.length = 0; }")
    for key in keys:
        page.keyboard.press("Space" if key == " " else key)
        page.wait_for_timeout(pause_ms)
    return measured_paints(page)


def click_paints(page: Page, testid: str, clicks: int) -> list[float]:
    """Seconds from each click on a button to its paint."""
    page.wait_for_timeout(1_000)
    page.evaluate("() => { window.paints.length = 0; }")
    for _ in range(clicks):
        page.get_by_test_id(testid).click()
        page.wait_for_timeout(300)
    return measured_paints(page)


def measured_paints(page: Page) -> list[float]:
    """Seconds of what was measured, once all of it is saved."""
    page.wait_for_timeout(1_500)
    wait_for(
        page,
        "(node) => !node.classList.contains('busy')",
        page.get_by_test_id("saved").element_handle(),
        PATIENCE_MS,
    )
    return [ms / 1000 for ms in page.evaluate("window.paints")]

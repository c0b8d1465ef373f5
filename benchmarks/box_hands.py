"""Drawing by hand in a real browser: opening the task, dragging, and noting when it is saved."""

from __future__ import annotations

import time
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.box_pages import BARE, DOCUMENT
from benchmarks.support import Served, attempts_of, person_name, signed_in_page
from tests.e2e.support.browsers import wait_for

STEPS = 80
STEP_MS = 12
PATIENCE_MS = 20_000

# Notes for each act when the screen says it is saved, how long its mouse-up took, and frames.
_WATCH = """() => {
  const EDITING = ["2", "z", "Delete"];
  window.acts = [];
  window.trips = [];
  window.handled = [];
  let since = null;
  let began = 0;
  window.addEventListener("pointerup", (event) => {
    since ??= event.timeStamp;
    began = performance.now();
  }, true);
  window.addEventListener("pointerup", () => window.handled.push(performance.now() - began));
  window.addEventListener("keydown", (event) => {
    if (EDITING.includes(event.key)) since ??= event.timeStamp;
  }, true);
  const find = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.dataset.testid === "saved") return node;
      const below = node.shadowRoot && find(node.shadowRoot);
      if (below) return below;
    }
    return null;
  };
  const saved = find(document);
  let busy = false;
  new MutationObserver(() => {
    const now = saved.classList.contains("busy");
    if (busy && !now && since !== null) {
      window.acts.push(performance.now() - since);
      since = null;
    }
    busy = now;
  }).observe(saved, { attributes: true, attributeFilter: ["class"] });
  window.trip = async () => {
    const started = performance.now();
    await (await fetch("/healthz", { cache: "no-store" })).text();
    window.trips.push(performance.now() - started);
  };
  window.forget = () => {
    since = null;
    window.acts.length = 0;
    window.handled.length = 0;
  };
  window.frames = () => {
    const stamps = [];
    let on = true;
    const tick = (now) => {
      stamps.push(now);
      if (on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    window.framesDone = () => {
      on = false;
      return stamps.slice(1).map((now, i) => now - stamps[i]);
    };
  };
}"""


def open_task(chromium: Browser, served: Served, root: Path, number: int) -> Page:
    """A person's task at the page without elements, with the box tool in hand."""
    name = person_name(number)
    page = signed_in_page(chromium, served, name)
    page.goto(f"{served.url}task?attempt={attempts_of(root, name)[0]}")
    painted(page, BARE)
    page.get_by_test_id("fit-page").click()
    page.get_by_test_id("tool-box").click()
    page.wait_for_timeout(1_500)
    page.evaluate(_WATCH)
    return page


def painted(page: Page, number: int) -> None:
    """Wait until that page's image is in the viewer."""
    region = page.get_by_role("region", name=f"Page {number} of {DOCUMENT}", exact=True)
    region.locator("img").wait_for()


def at(page: Page, across: float, down: float) -> tuple[float, float]:
    """A point of the page image, by its shares of width and height, client pixels."""
    box = page.get_by_test_id("page-pane").locator("img").bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def handle(page: Page) -> tuple[float, float]:
    """The lower right handle of the chosen box."""
    box = page.locator("[data-testid=box-handle][data-edge=se]").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def draw(page: Page, across: float, down: float) -> None:
    """A small box, its upper left corner at these shares of width and height."""
    drag(page, at(page, across, down), (30, 20), steps=4, wait=0)


def drag(
    page: Page,
    start: tuple[float, float],
    by: tuple[float, float],
    *,
    steps: int = STEPS,
    wait: float = STEP_MS,
) -> None:
    """Press, move step by step, let go."""
    mouse = page.mouse
    mouse.move(*start)
    mouse.down()
    for step in range(1, steps + 1):
        mouse.move(start[0] + by[0] * step / steps, start[1] + by[1] * step / steps)
        if wait:
            page.wait_for_timeout(wait)
    mouse.up()


def wait_saved(page: Page) -> None:
    """Until the screen says that everything is stored."""
    wait_for(
        page,
        "(node) => !node.classList.contains('busy')",
        page.get_by_test_id("saved").element_handle(),
        PATIENCE_MS,
    )


def wait_until(page: Page, moment: float) -> None:
    """Until a moment of ``time.perf_counter``; the browser goes on meanwhile."""
    page.wait_for_timeout(max(0.0, moment - time.perf_counter()) * 1000)

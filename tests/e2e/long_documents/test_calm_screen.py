"""The task screen on a long document: requests, the current task's mark, thumbnails."""

from __future__ import annotations

from playwright.sync_api import Response, expect

from tests.e2e.conftest import OpenScreen
from tests.e2e.long_documents.conftest import LONG, PAGES
from tests.e2e.support.screen import task_path, wait_until

MOST_SHIFT = 0.1
"""Of the window, as Cumulative Layout Shift counts: what is called good at the 75th percentile."""
UNEXPECTED_SHIFTS = """() => new Promise((done) => {
  new PerformanceObserver((list, observer) => {
    observer.disconnect();
    done(list.getEntries().filter((e) => !e.hadRecentInput).map((e) => e.value));
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(done, 1000, []);
})"""
"""Each shift since the screen was loaded that no key or click of the half second before caused."""
BLANK = """(thumbs) => thumbs.filter((thumb) => {
  const image = thumb.querySelector("img");
  return !image || !image.complete || !image.naturalWidth;
}).map((thumb) => thumb.dataset.page)"""


def test_screen_asks_for_no_missing_addresses(screen_of: OpenScreen) -> None:
    """At a page of a document, where most is on screen; the first load and a reload."""
    screen = screen_of("alma", "q1")
    missing: list[str] = []

    def note_missing(response: Response) -> None:
        if response.status == 404:
            missing.append(response.url)

    screen.page.on("response", note_missing)
    for _ in range(2):
        screen.page.goto(f"{screen.url}{task_path(screen.attempt, LONG, PAGES // 2)}")
        screen.wait_until_painted(LONG, PAGES // 2)
        expect(screen.part("thumb").first.locator("img")).to_be_visible()
    assert missing == []


def test_current_task_has_no_ring_that_looks_like_the_focus(screen_of: OpenScreen) -> None:
    """It is underlined, and the focus adds a ring."""
    screen = screen_of("alma", "q1")
    current = screen.page.locator("[data-testid=task-dot][aria-current=true]")
    expect(current).to_have_css("box-shadow", "none")
    expect(current).to_have_css("outline-style", "none")
    height = current.evaluate("dot => getComputedStyle(dot, '::after').height")
    assert height == "3px"
    screen.page.keyboard.press("Tab")
    current.focus()
    expect(current).not_to_have_css("outline-style", "none")


def test_nothing_on_screen_jumps(screen_of: OpenScreen) -> None:
    """From loading the task to results, an open page and twenty turns; keys may move things."""
    screen = screen_of("alma", "q1")
    screen.search("ledger page 150")
    document, page = screen.open_result(1)
    step, key = (1, "ArrowRight") if page <= PAGES // 2 else (-1, "ArrowLeft")
    for turn in range(1, 21):
        screen.page.keyboard.press(key)
        screen.wait_until_painted(document, page + turn * step)
    shifts = screen.page.evaluate(UNEXPECTED_SHIFTS)
    assert sum(shifts) < MOST_SHIFT, shifts


def test_thumbnails_are_drawn_after_fast_turning(screen_of: OpenScreen) -> None:
    """Each thumbnail in view has its image once turning has stopped."""
    screen = screen_of("alma", "q1")
    screen.open(screen.attempt, document=LONG, page=1)
    screen.wait_until_painted(LONG, 1)
    for _ in range(30):
        screen.page.keyboard.press("ArrowRight")
    screen.wait_until_painted(LONG, 31)
    thumbs = screen.part("thumb")
    current = screen.page.locator("[data-testid=thumb][aria-current=page]")
    expect(current.locator("img")).to_be_visible()
    wait_until(screen.page, lambda: thumbs.evaluate_all(BLANK), lambda blank: not blank)

"""Clicks faster than the server: every click counts once on screen, and nothing comes twice."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import Locator, expect

from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import of_type, wait_until
from tests.e2e.support.small_workspace import CAMPAIGN, REPORT, SINGLE

_NOTE_PAINTS = """() => {
  window.painted = [];
  window.addEventListener("pagetrail:painted", (event) => window.painted.push(event.detail.page));
}"""


def _click_fast(target: Locator, times: int) -> None:
    """Press and release the mouse this many times without waiting in between."""
    box = target.bounding_box()
    assert box is not None
    target.page.mouse.click(
        box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, click_count=times
    )


def test_twenty_fast_clicks_on_next_end_twenty_pages_on(task_of: TaskOf) -> None:
    """Twenty clicks end twenty pages on; the log has the pages that were painted, no others."""
    screen = task_of("q1", CAMPAIGN)
    screen.search("ledger")
    screen.part("page-first")
    document, _ = screen.open_result(1)
    assert document == REPORT
    screen.part("page-first").click() if screen.part("page-first").is_enabled() else None
    screen.wait_until_painted(REPORT, 1)
    first_events = screen.wait_for_events(
        lambda e: (
            bool(of_type(e, "page_viewed")) and of_type(e, "page_viewed")[-1].fields()["page"] == 1
        )
    )
    before = len(of_type(first_events, "page_viewed"))
    screen.page.evaluate(_NOTE_PAINTS)
    _click_fast(screen.part("page-next"), 20)
    screen.wait_until_painted(REPORT, 21)
    events = screen.wait_for_events(lambda e: of_type(e, "page_viewed")[-1].fields()["page"] == 21)
    views = [event.fields() for event in of_type(events, "page_viewed")][before:]
    pages = [view["page"] for view in views]
    assert pages == screen.page.evaluate("window.painted")
    assert pages == sorted(set(pages)), "each page at most once, in reading order"
    assert 1 <= len(pages) <= 20
    assert {view["via"] for view in views} == {"next"}


def test_a_key_held_down_and_a_cite_hammered(task_of: TaskOf) -> None:
    """A held arrow key runs to the end and stops; an even number of cites leaves no citation."""
    screen = task_of("q1", CAMPAIGN)
    screen.search("ledger")
    screen.open_result(1)
    screen.part("page-pane").focus()
    for _ in range(40):
        screen.page.keyboard.down("ArrowRight")
    screen.page.keyboard.up("ArrowRight")
    screen.wait_until_painted(REPORT, 30)
    _click_fast(screen.part("cite"), 6)
    expect(screen.part("cite")).to_have_text("Add as citation")
    citation_events = of_type(
        screen.wait_for_events(
            lambda e: len(of_type(e, "citation_added", "citation_removed")) == 6
        ),
        "citation_added",
        "citation_removed",
    )
    assert [event.type for event in citation_events] == ["citation_added", "citation_removed"] * 3
    assert {event.fields()["page"] for event in citation_events} == {30}
    expect(screen.part("citation")).to_have_count(0)


def test_double_clicks_submit_once(task_of: TaskOf) -> None:
    """Submit, confirm and close, each clicked twice: one submission, one closed batch."""
    screen = task_of("q1", SINGLE)
    attempt = screen.attempt
    screen.search("spring")
    screen.open_result(1)
    screen.part("cite").click()
    screen.part("answer").fill("42")
    screen.part("submit").dblclick()
    expect(screen.part("submit-dialog")).to_have_count(1)
    _click_fast(screen.part("confirm-submit"), 3)
    expect(screen.part("complete-dialog")).to_be_visible()
    _click_fast(screen.part("close-batch"), 3)
    expect(screen.part("banner-closed")).to_be_visible()
    events = wait_until(
        screen.page, lambda: screen.events(attempt), lambda e: e[-1].type == "batch_closed"
    )
    counts = Counter(event.type for event in events)
    assert counts["submitted"] == counts["batch_closed"] == counts["answer_edited"] == 1
    assert counts["reopened"] == counts["skipped"] == 0

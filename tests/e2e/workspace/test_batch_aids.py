"""Bookmarks and the scratchpad of a batch, by mouse and by key, across two tasks."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type
from tests.e2e.support.small_workspace import AIDED, CAMPAIGN, STUDY


def go_to_other_task(screen: Screen) -> None:
    """Open the other task of the batch by its number."""
    other = screen.page.locator("[data-testid=task-dot]:not([aria-current])")
    attempt = other.get_attribute("data-attempt")
    other.click()
    dot = screen.page.locator(f"[data-testid=task-dot][data-attempt='{attempt}']")
    expect(dot).to_have_attribute("aria-current", "true")
    screen.wait_until_ready()


def test_bookmarks_are_in_all_tasks_of_a_batch(task_of: TaskOf) -> None:
    """Set by key, opened and removed in another task, undone there; both attempts tell of it."""
    screen = task_of("q1", AIDED)
    page, first = screen.page, screen.attempt
    screen.search("spring")
    screen.open_result(1)
    page.keyboard.press("y")
    expect(screen.part("bookmark")).to_have_attribute("aria-pressed", "true")
    expect(screen.part("bookmark-row")).to_have_count(1)
    screen.has("page_bookmarked")

    go_to_other_task(screen)
    second = screen.attempt
    assert second != first
    expect(screen.part("bookmark-row")).to_have_count(1)
    screen.part("bookmark-row-open").click()
    screen.wait_until_painted(STUDY, 1)
    (view,) = screen.has("page_viewed")
    assert view.fields()["via"] == "bookmark"
    screen.part("bookmark-row-remove").click()
    expect(screen.part("bookmark-row")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(screen.part("bookmark-row")).to_have_count(1)
    expect(screen.part("toast")).to_contain_text("bookmarked again")
    screen.has("page_bookmarked")
    types = [e.type for e in screen.events() if "bookmark" in e.type or "carried" in e.type]
    assert types == ["batch_aids_carried", "bookmark_removed", "page_bookmarked"]


def test_the_scratchpad_is_in_all_tasks_of_a_batch(task_of: TaskOf) -> None:
    """Reached by key; what is typed is there in the other task, also after a reload."""
    screen = task_of("q1", AIDED)
    page = screen.page
    screen.part("question").click()
    page.keyboard.press("Shift+Y")
    expect(screen.part("scratchpad")).to_be_focused()
    page.keyboard.type("FY 2019: p. 12")
    go_to_other_task(screen)
    expect(screen.part("scratchpad")).to_have_value("FY 2019: p. 12")
    (carried,) = screen.has("batch_aids_carried")
    assert carried.fields() == {"bookmarks": [], "scratchpad": "FY 2019: p. 12"}
    screen.part("scratchpad").fill("FY 2020")
    screen.has("scratchpad_edited")
    page.reload()
    screen.wait_until_ready()
    expect(screen.part("scratchpad")).to_have_value("FY 2020")
    go_to_other_task(screen)
    expect(screen.part("scratchpad")).to_have_value("FY 2020")


def test_other_campaigns_have_neither(task_of: TaskOf) -> None:
    """Nothing on screen, and the key does nothing."""
    screen = task_of("q1", CAMPAIGN)
    screen.search("spring")
    screen.open_result(1)
    screen.page.keyboard.press("y")
    for part in ("bookmark", "bookmarks", "scratchpad"):
        expect(screen.part(part)).to_have_count(0)
    assert of_type(screen.events(), "page_bookmarked") == []

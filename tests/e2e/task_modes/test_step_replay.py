"""An attempt that is judged is replayed: the screen shows what each step showed."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from pagetrail.annotation.attempts.state import fold
from tests.e2e.support.appearance import expect_in_sight, expect_no_overflow
from tests.e2e.support.preset_workspace import RIVERS, SURVEY, TRIED
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen


def mark(screen: Screen, number: int, value: str) -> Locator:
    """The button of a step's mark; steps are counted from 1."""
    return screen.part("row").nth(number - 1).locator(f"button[data-value={value}]")


def test_steps_show_their_pages_and_results_and_a_mark_leads_on(task_of: TaskOf) -> None:
    """By key, by mark, by click and played; marks are the events of any table."""
    screen = task_of("otters", TRIED)
    keys = screen.page.keyboard
    number, step_text, films = map(screen.part, ("step-number", "step-said", "film"))
    screen.wait_until_painted(RIVERS, 1)
    expect(number).to_have_text("Step 1 of 4")
    expect(step_text).to_have_text("No page was open yet: this is the first result.")
    expect(screen.part("results-heading")).to_have_text(
        "Searched for “otters”: 2 pages found, 2 shown"
    )
    expect(films).to_have_count(2)
    keys.press("n")
    screen.wait_until_painted(SURVEY, 1)
    expect(step_text).to_have_text(f"Read {SURVEY} page 1")
    expect(screen.part("row").nth(1)).to_have_attribute("aria-current", "step")
    expect(mark(screen, 2, "useful")).to_be_focused()
    screen.judge("w")
    screen.wait_until_painted(RIVERS, 2)
    expect(number).to_have_text("Step 3 of 4")
    screen.part("step-all-pages").click()
    expect(films).to_have_count(4)
    screen.part("step-all-pages").click()
    keys.press("Shift+N")
    expect(number).to_have_text("Step 2 of 4")
    mark(screen, 1, "useful").click()  # shows its page, which nobody has seen in this step
    screen.wait_until_painted(RIVERS, 1)
    click_verdict(mark(screen, 1, "useful"))
    screen.wait_until_painted(RIVERS, 2)
    keys.press("k")
    expect(screen.part("step-play")).to_have_accessible_name("Stop (k)")
    keys.press("w")  # marks nothing: the step might have gone by
    click_verdict(mark(screen, 3, "wrong"))
    expect(screen.part("step-play")).to_have_accessible_name("Play (k)")
    expect(number).to_have_text("Step 4 of 4")
    screen.has("row_set", 3)
    marks = {row.row: row.values.get("mark") for row in fold(screen.events()).rows}
    assert marks == {"r1": "useful", "r2": "wasted", "r3": "wrong", "r4": None}


def test_steps_are_marked_in_a_narrow_window_with_the_panel_away(task_of: TaskOf) -> None:
    """By click and by key, and the next step comes; the mark is the one that the panel shows."""
    screen = task_of("otters", TRIED)
    page, keys = screen.page, screen.page.keyboard
    number, marks = screen.part("step-number"), screen.part("step-marks")
    expect(marks).to_be_hidden()
    for width, height in ((800, 700), (640, 400)):
        page.set_viewport_size({"width": width, "height": height})
        expect_no_overflow(screen)
        expect(screen.part("row").first).to_be_hidden()
        for value in ("useful", "wasted", "wrong"):
            expect(marks.locator(f"[data-value={value}]")).to_be_visible()
        expect_in_sight(screen, "step-marks")
    click_verdict(marks.locator("[data-value=useful]"))
    expect(number).to_have_text("Step 2 of 4")
    screen.judge("w")
    expect(number).to_have_text("Step 3 of 4")
    keys.press("Shift+N")
    expect(marks.locator("[aria-pressed=true]")).to_have_attribute("data-value", "wasted")
    keys.press("ArrowDown")
    expect(marks.locator("[aria-pressed=true]")).to_have_count(0)
    screen.judge("r")
    expect(number).to_have_text("Step 4 of 4")
    screen.has("row_set", 3)
    stored_marks = {row.row: row.values.get("mark") for row in fold(screen.events()).rows}
    assert stored_marks == {"r1": "useful", "r2": "wasted", "r3": "wrong", "r4": None}
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(marks).to_be_hidden()
    expect(mark(screen, 3, "wrong")).to_have_attribute("aria-pressed", "true")

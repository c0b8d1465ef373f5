"""Undoing in tables of records; elements, transcripts and tables undo in their own journeys."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.support.preset_workspace import CHART, SURVEY
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen


def press(screen: Screen, key: str, said: str) -> None:
    """Undo or redo by key, and read what it says."""
    screen.page.keyboard.press(key)
    expect(screen.part("toast")).to_contain_text(said)


def test_verdicts_and_rows_are_undone(task_of: TaskOf) -> None:
    """A decided row is open again, a deleted one is back with its cells, an added one goes."""
    screen = task_of("otters", CHART)
    screen.wait_until_painted(SURVEY, 1)
    click_verdict(screen.part("row").first.locator("[data-value]").first)
    decided = screen.part("records").locator(".record.decided")
    expect(decided).to_have_count(1)
    press(screen, "Control+z", "has its former cells.")
    expect(decided).to_have_count(0)
    press(screen, "Control+Shift+z", "has its former cells.")
    expect(decided).to_have_count(1)
    row = screen.part("row").nth(1)
    click_verdict(row.get_by_test_id("row-delete"))
    expect(row).to_have_attribute("data-state", "deleted")
    press(screen, "Control+z", "is back.")
    expect(row).to_have_attribute("data-state", "given")
    screen.part("row-add").click()
    expect(screen.part("row").nth(3)).to_have_attribute("data-state", "added")
    press(screen, "Control+z", "is deleted.")
    expect(screen.part("row").nth(3)).to_have_attribute("data-state", "deleted")

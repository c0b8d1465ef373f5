"""Undoing under the presets that verify, write and look at trajectories."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.support.preset_workspace import CHART, LAYOUT, PATCHES, SURVEY, TRIED, WRITING
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen
from tests.e2e.support.verification_steps import element


def press(screen: Screen, key: str, said: str) -> None:
    """Undo or redo by key, and read what it says."""
    screen.page.keyboard.press(key)
    expect(screen.part("toast")).to_contain_text(said)


@pytest.mark.parametrize(
    ("task", "campaign"), [("otters", CHART), ("survey", PATCHES), ("otters", TRIED)]
)
def test_a_verdict_on_a_row_is_undone(task_of: TaskOf, task: str, campaign: str) -> None:
    """In charts, transcripts and trajectories: the row is open again."""
    screen = task_of(task, campaign)
    choice = screen.part("row").first.locator("[data-value]").first
    click_verdict(choice)
    decided = screen.part("records").locator(".record.decided")
    expect(decided).to_have_count(1)
    press(screen, "Control+z", "has its former cells.")
    expect(decided).to_have_count(0)
    press(screen, "Control+Shift+z", "has its former cells.")
    expect(decided).to_have_count(1)


def test_a_deleted_row_comes_back(task_of: TaskOf) -> None:
    """With its cells; a row that was added goes."""
    screen = task_of("otters", CHART)
    screen.wait_until_painted(SURVEY, 1)
    row = screen.part("row").nth(1)
    click_verdict(row.get_by_test_id("row-delete"))
    expect(row).to_have_attribute("data-state", "deleted")
    press(screen, "Control+z", "is back.")
    expect(row).to_have_attribute("data-state", "given")
    screen.part("row-add").click()
    expect(screen.part("row").nth(3)).to_have_attribute("data-state", "added")
    press(screen, "Control+z", "is deleted.")
    expect(screen.part("row").nth(3)).to_have_attribute("data-state", "deleted")


def test_an_accepted_element_is_open_again(task_of: TaskOf) -> None:
    """Under the verification preset, by key and with the buttons."""
    screen = task_of("two-pages", LAYOUT)
    screen.wait_until_painted(SURVEY, 1)
    screen.judge("v")
    screen.judge("v")
    expect(element(screen, "e1")).to_have_attribute("data-verdict", "accepted")
    press(screen, "Control+z", f"Undone. The box on page 1 of {SURVEY} is as it was.")
    expect(element(screen, "e1")).to_have_attribute("data-verdict", "open")
    screen.part("redo").click()
    expect(element(screen, "e1")).to_have_attribute("data-verdict", "accepted")


def test_a_written_question_is_undone(task_of: TaskOf) -> None:
    """Back to nothing, and forward again."""
    screen = task_of("brief-1", WRITING)
    question = screen.part("question-input")
    question.fill("How many otters?")
    screen.page.keyboard.press("Escape")
    press(screen, "Control+z", "The question is now empty.")
    expect(question).to_have_value("")
    press(screen, "Control+Shift+z", "The question is now “How many otters?”.")
    expect(question).to_have_value("How many otters?")

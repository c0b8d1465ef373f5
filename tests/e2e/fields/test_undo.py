"""Undoing grades and fields of every kind, and what the protocol does not allow any more."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.support.form_steps import film, option, text_input
from tests.e2e.support.grading_workspace import GRADING, KINDS, REPORT, REVIEW
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen


def press(screen: Screen, key: str, said: str) -> None:
    """Undo or redo by key, and read what it says."""
    screen.page.keyboard.press(key)
    expect(screen.part("toast")).to_contain_text(said)


def test_a_grade_is_undone_on_its_page(task_of: TaskOf) -> None:
    """Its page is opened again, the keys stay with the page, and redoing brings the grade back."""
    screen = task_of("saale", GRADING)
    screen.wait_until_painted(REPORT, 1)
    screen.judge("2")
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "2")
    screen.page.keyboard.press("ArrowRight")
    screen.wait_until_painted(REPORT, 2)
    press(screen, "Control+z", f"Undone. “Relevance” of page 1 of {REPORT} is now empty.")
    screen.wait_until_painted(REPORT, 1)
    expect(option(screen, "relevance", "2")).to_have_attribute("aria-checked", "false")
    press(screen, "Control+Shift+z", f"Redone. “Relevance” of page 1 of {REPORT} is now ")
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "2")
    screen.judge("1")
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "1")


def test_fields_of_every_kind_go_and_come_back(task_of: TaskOf) -> None:
    """Yes and no, several of a list, a number and a text."""
    screen = task_of("kinds", KINDS)
    screen.wait_until_painted(REPORT, 1)
    click_verdict(option(screen, "usable", "true"))
    click_verdict(option(screen, "topics", "river"))
    click_verdict(option(screen, "topics", "animal"))
    text_input(screen, "figures").fill("5")
    screen.page.keyboard.press("Enter")
    text_input(screen, "gist").fill("otters")
    screen.page.keyboard.press("Escape")
    screen.wait_until_saved()
    press(screen, "Control+z", f"“Gist” of page 1 of {REPORT} is now empty.")
    expect(text_input(screen, "gist")).to_have_value("")
    expect(text_input(screen, "gist")).to_be_focused()
    press(screen, "Control+z", f"on the page” of page 1 of {REPORT} is now empty.")
    expect(text_input(screen, "figures")).to_have_value("")
    press(screen, "Control+z", "“Topics” is now “River”.")
    expect(option(screen, "topics", "animal")).to_have_attribute("aria-pressed", "false")
    press(screen, "Control+z", "“Topics” is now empty.")
    press(screen, "Control+z", "“Usable” is now empty.")
    press(screen, "Control+z", "There is nothing to undo.")
    for said in (
        "“Usable” is now Yes.",
        "“River”.",
        "“River”, “Animal”.",
        "is now 5.",
        "“otters”.",
    ):
        press(screen, "Control+Shift+z", said)
    expect(text_input(screen, "figures")).to_have_value("5")
    expect(text_input(screen, "gist")).to_have_value("otters")


def test_a_locked_judgement_is_not_undone(task_of: TaskOf) -> None:
    """Once a source was opened, “Self-contained” stays, and the message says why."""
    screen = task_of("pair", REVIEW)
    click_verdict(option(screen, "self_contained", "yes"))
    screen.part("film").first.click()
    screen.wait_until_painted(REPORT, 1)
    press(screen, "Control+z", "is judged before the pages are opened")
    expect(option(screen, "self_contained", "yes")).to_have_attribute("aria-checked", "true")
    click_verdict(option(screen, "human_like", "yes"))
    press(screen, "Control+z", "is now empty.")
    expect(option(screen, "human_like", "yes")).to_have_attribute("aria-checked", "false")

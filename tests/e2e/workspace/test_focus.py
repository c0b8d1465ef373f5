"""Where the focus is after each step by keyboard, with a submission that is undone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type
from tests.e2e.support.shared_small_workspace import DIRECT
from tests.e2e.support.small_workspace import STUDY


def test_the_focus_is_never_lost(task_of: TaskOf) -> None:
    """After dialogs, a citation's end, a submission without a question and its undoing."""
    screen = task_of("q1", DIRECT)
    keys = screen.page.keyboard
    keys.press("/")
    keys.type("spring")
    keys.press("Enter")
    expect(screen.part("result")).to_have_count(1)
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(screen.part("page-pane")).to_be_focused()
    _dialogs_give_it_back(screen)
    _rows_are_worked_on(screen)
    _submitted_and_undone(screen)


def _rows_are_worked_on(screen: Screen) -> None:
    """Each takes what was in the list out of it, and puts new rows there."""
    keys = screen.page.keyboard
    keys.press("c")
    keys.press("ArrowRight")
    screen.wait_until_painted(STUDY, 2)
    keys.press("c")
    bins = screen.part("citation-remove")
    expect(bins).to_have_count(2)
    bins.first.focus()
    keys.press("Enter")
    expect(bins).to_have_count(1)
    expect(bins).to_be_focused()
    keys.press("Enter")
    expect(bins).to_have_count(0)
    expect(screen.part("page-pane")).to_be_focused()
    screen.part("history-item").focus()
    keys.press("Enter")
    screen.has("searched", 2)
    screen.wait_for_focus()
    screen.part("page-pane").focus()
    keys.press("c")


def _dialogs_give_it_back(screen: Screen) -> None:
    for key, dialog in (("?", "help"), ("i", "guidelines"), ("f", "flag"), ("s", "skip")):
        screen.page.keyboard.press(key)
        expect(screen.part(f"{dialog}-dialog")).to_be_visible()
        screen.page.keyboard.press("Escape")
        expect(screen.part(f"{dialog}-dialog")).to_have_count(0)
        expect(screen.part("page-pane")).to_be_focused()


def _submitted_and_undone(screen: Screen) -> None:
    attempt, keys = screen.attempt, screen.page.keyboard
    keys.press("a")
    keys.type("42")
    keys.press("Control+Enter")
    screen.page.wait_for_url(lambda url: attempt not in url)
    screen.wait_until_ready()
    screen.wait_for_focus()
    expect(screen.part("submit-dialog")).to_have_count(0)
    keys.press("Control+z")
    screen.page.wait_for_url(lambda url: attempt in url)
    expect(screen.part("answer")).to_be_editable()
    expect(screen.part("answer")).to_have_value("42")
    screen.wait_for_focus()
    screen.has("reopened")
    ends = of_type(screen.events(), "submitted", "reopened", "citation_removed")
    assert [event.type for event in ends] == ["citation_removed"] * 2 + ["submitted", "reopened"]

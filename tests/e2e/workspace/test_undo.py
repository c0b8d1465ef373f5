"""Undoing texts, citations and the flag of a search task; reloads, tabs, and what is refused."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pagetrail.annotation.attempts.state import AttemptState, fold
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, Watch, of_type
from tests.e2e.support.small_workspace import CAMPAIGN


@pytest.fixture
def screen(task_of: TaskOf) -> Screen:
    """A task with its first result open."""
    screen = task_of("q1", CAMPAIGN)
    screen.search("otters")
    screen.open_result(1)
    return screen


def press(screen: Screen, key: str, said: str) -> None:
    """Undo or redo by key, and read what it says."""
    screen.page.keyboard.press(key)
    expect(screen.part("toast")).to_contain_text(said)


def write_answer(screen: Screen, text: str) -> None:
    """Write an answer and leave the box, which records it."""
    screen.part("answer").fill(text)
    screen.page.keyboard.press("Escape")


def state(screen: Screen) -> AttemptState:
    """What is stored."""
    screen.wait_until_saved()
    return fold(screen.events())


def test_everything_in_the_order_it_was_done(screen: Screen) -> None:
    """Citation, answer, note and flag go one by one, say so, and come back."""
    page = screen.part("page-number").input_value()
    page_name = f"Page {page} of "
    screen.page.keyboard.press("c")
    write_answer(screen, "42 otters")
    screen.part("note").fill("counted in spring")
    screen.page.keyboard.press("Escape")
    screen.page.keyboard.press("f")
    screen.part("flag-input").fill("two spellings")
    screen.part("confirm-flag").click()
    expect(screen.part("flag")).to_have_text("Flagged")

    press(screen, "Control+z", "Undone. The task is not flagged any more.")
    expect(screen.part("flag")).to_have_text("Flag")
    press(screen, "Control+z", "Undone. The note is now empty.")
    expect(screen.part("note")).to_have_value("")
    press(screen, "Control+z", "Undone. The answer is now empty.")
    expect(screen.part("answer")).to_have_value("")
    expect(screen.part("answer")).to_be_focused()
    press(screen, "Control+z", f"Undone. {page_name}")
    expect(screen.part("cite")).to_have_text("Add as citation")
    press(screen, "Control+z", "There is nothing to undo.")
    undone = state(screen)
    assert (undone.answer_text, undone.note, undone.flag, undone.citations) == ("", "", None, ())

    press(screen, "Control+Shift+z", f"Redone. {page_name}")
    press(screen, "Control+y", "Redone. The answer is now “42 otters”.")
    press(screen, "Control+Shift+z", "Redone. The note is now “counted in spring”.")
    press(screen, "Control+Shift+z", "Redone. The task is flagged: “two spellings”")
    press(screen, "Control+Shift+z", "There is nothing to redo.")
    redone = state(screen)
    assert (redone.answer_text, redone.note) == ("42 otters", "counted in spring")
    assert redone.flag == "two spellings"
    (citation,) = redone.citations
    assert citation.search_id is not None and citation.rank == 1


def test_typing_is_the_browsers_to_undo_until_it_is_recorded(screen: Screen) -> None:
    """Ctrl+Z in a text or search box undoes typing; once that is stored, the task's change."""
    write_answer(screen, "42")
    answer = screen.part("answer")
    answer.focus()
    screen.page.keyboard.press("End")
    screen.page.keyboard.type("xy")
    screen.page.keyboard.press("Control+z")
    expect(answer).not_to_have_value("42xy")
    assert not [e for e in of_type(screen.events(), "answer_edited") if "undoes" in e.fields()]
    answer.fill("43")
    screen.has("answer_edited", 2)
    press(screen, "Control+z", "Undone. The answer is now “42”.")
    expect(answer).to_have_value("42")
    screen.part("search-input").click()
    screen.page.keyboard.type("badgers")
    screen.page.keyboard.press("Control+z")
    expect(screen.part("search-input")).not_to_have_value("badgers")
    expect(answer).to_have_value("42")
    answer.focus()
    press(screen, "Control+z", "Undone. The answer is now empty.")
    expect(answer).to_have_value("")


def test_a_reload_keeps_what_can_be_undone_and_redone(screen: Screen, watch: Watch) -> None:
    """The history is part of the stored work; without a connection it waits in the outbox."""
    watch.allow("ERR_INTERNET_DISCONNECTED")
    write_answer(screen, "42")
    write_answer(screen, "43")
    press(screen, "Control+z", "The answer is now “42”.")
    screen.wait_until_saved()
    screen.page.reload()
    screen.wait_until_ready()
    press(screen, "Control+Shift+z", "Redone. The answer is now “43”.")
    screen.has("answer_edited", 4)
    screen.page.context.set_offline(True)
    press(screen, "Control+z", "Undone. The answer is now “42”.")
    press(screen, "Control+z", "Undone. The answer is now empty.")
    screen.page.context.set_offline(False)
    screen.has("answer_edited", 6)
    assert state(screen).answer_text == ""


def test_a_submitted_task_says_why_nothing_is_undone(task_of: TaskOf) -> None:
    """Submitting is not undone by this key, and nothing of the task is."""
    screen = task_of("q2", CAMPAIGN)
    screen.part("note").fill("not in here")
    screen.page.keyboard.press("Escape")
    attempt = screen.attempt
    screen.part("no-answer").click()
    screen.part("confirm-submit").click()
    screen.has("submitted", 1, attempt)
    screen.go(attempt)
    press(screen, "Control+z", "submitted")
    expect(screen.part("note")).to_have_value("not in here")
    screen.wait_until_saved()
    assert fold(screen.events(attempt)).note == "not in here"


def test_two_tabs_lose_nothing_of_each_other(screen_of: OpenScreen) -> None:
    """What one tab has seen of the other's work it can undo; the order is that of the work."""
    first = screen_of("alma", "q1")
    second = screen_of("alma", "q1", context=first.page.context)
    write_answer(first, "42")
    expect(second.part("answer")).to_have_value("42")
    second.part("note").fill("from the other tab")
    second.page.keyboard.press("Escape")
    expect(first.part("note")).to_have_value("from the other tab")
    press(first, "Control+z", "The note is now empty.")
    expect(second.part("note")).to_have_value("")
    expect(second.part("answer")).to_have_value("42")
    press(second, "Control+Shift+z", "The note is now “from the other tab”.")
    second.wait_until_saved()
    stored = fold(second.events())
    assert (stored.answer_text, stored.note) == ("42", "from the other tab")

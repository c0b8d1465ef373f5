"""Keys on layouts that type digits with Shift, or no Latin letters."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.support.form_steps import option
from tests.e2e.support.grading_workspace import GRADING, REPORT
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type


def test_azerty_grades_without_shift(task_of: TaskOf) -> None:
    """The digit's key grades with and without Shift; letters are what the layout types."""
    screen = task_of("saale", GRADING)
    screen.wait_until_painted(REPORT, 1)
    _press(screen, "à", "Digit0")
    screen.wait_until_painted(REPORT, 2)
    _press(screen, "0", "Digit0", shift=True)
    screen.wait_until_painted(REPORT, 3)
    _press(screen, "é", "Digit2")
    expect(option(screen, "relevance", "2")).to_have_attribute("aria-checked", "true")
    graded = [event.fields()["value"] for event in screen.has("field_set", 3)]
    assert graded == ["0", "0", "2"]
    _press(screen, "a", "KeyQ")
    expect(screen.part("answer")).to_be_focused()
    _press(screen, "é", "Digit2")
    screen.wait_until_saved()
    assert len(of_type(screen.events(), "field_set")) == 3
    screen.page.keyboard.press("Escape")


def test_cyrillic_letters_are_taken_by_position(task_of: TaskOf) -> None:
    """The layout has no letter b, so the key where it usually is draws boxes."""
    screen = task_of("saale", GRADING)
    screen.wait_until_painted(REPORT, 1)
    _press(screen, "и", "KeyB")
    expect(screen.part("tool-box")).to_have_attribute("aria-pressed", "true")
    _press(screen, "и", "KeyB")
    expect(screen.part("tool-box")).to_have_attribute("aria-pressed", "false")


def _press(screen: Screen, key: str, code: str, *, shift: bool = False) -> None:
    """Press a key that types this on the person's layout."""
    screen.wait_until_judgeable()
    session = screen.page.context.new_cdp_session(screen.page)
    for kind in ("keyDown", "keyUp"):
        session.send(
            "Input.dispatchKeyEvent",
            {
                "type": kind,
                "key": key,
                "code": code,
                "modifiers": 8 if shift else 0,
                "text": key if kind == "keyDown" else "",
            },
        )
    session.detach()

"""Where the focus goes when a box and its buttons disappear."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.support.box_workspace import DRAWING
from tests.e2e.support.drawing import sheet_of
from tests.e2e.support.reused_tab import TaskOf


@pytest.mark.parametrize("way", ["key", "box-delete", "element-delete", "undo"])
def test_the_focus_after_a_box(task_of: TaskOf, way: str) -> None:
    """By the key, by the toolbar, by the panel beside, and undone: never on the page as a whole."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    box = sheet.draw((60, 200, 120, 260))
    if way == "key":
        screen.page.keyboard.press("Delete")
    else:
        screen.part(way).focus()
        screen.page.keyboard.press("Enter")
    expect(sheet.drawn_box(box.id)).to_have_count(0)
    screen.has("undone" if way == "undo" else "box_deleted")
    screen.wait_for_focus()

"""Boxes by keyboard: text is outlined, a box put around it, moved and resized; all is spoken."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.support import box_workspace as boxed
from tests.e2e.support.box_workspace import DRAWING, GRADING, PLAIN, SIZES, TURNED
from tests.e2e.support.drawing import box_event_types, press_at_once, remaining_boxes
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type


def press(screen: Screen, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        screen.page.keyboard.press(key)


def test_a_box_around_a_block_and_around_words(task_of: TaskOf) -> None:
    """Arrows outline blocks, point and comma words, Shift more of them; Enter puts a box there."""
    screen = _opened(task_of("t1", DRAWING))
    press(screen, "b", "ArrowDown")
    expect(_voice(screen)).to_have_text(
        re.compile("^Outlined: first otters swim here second herons")
    )
    press(screen, "Enter")
    (event,) = screen.has("box_drawn")
    assert event.fields()["how"] == "selection"
    block = event.fields()["rect"]
    assert block == pytest.approx([99, 86, 240, 124], abs=8)
    expect(_voice(screen)).to_contain_text("Box 1 of 1, Text")

    press(screen, "ArrowUp", ".")
    expect(_voice(screen)).to_have_text("Outlined: first")
    press(screen, ".", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft")
    expect(_voice(screen)).to_have_text("Outlined: otters swim")
    press(screen, "Enter")
    words = screen.has("box_drawn", 2)[-1].fields()["rect"]
    assert block[0] < words[0] < words[2] < block[2]
    assert words[3] < block[3]

    press(screen, "Escape", "ArrowDown", "Escape")
    expect(screen.part("page-pane").locator(".words rect")).to_have_count(0)
    expect(screen.part("tool-box")).to_have_attribute("aria-pressed", "true")
    screen.wait_until_saved()
    assert not of_type(screen.events(), "page_viewed")[1:], "no page was turned"


def test_a_held_box_is_resized_by_keys(task_of: TaskOf) -> None:
    """Enter goes from moving to resizing and back; steps in a row are one event each."""
    screen = _opened(task_of("t1", DRAWING))
    press(screen, "b", "ArrowDown", "Enter", "Enter", "Enter")
    x0, y0, x1, y1 = screen.has("box_drawn")[0].fields()["rect"]
    press_at_once(screen, "ArrowRight", "ArrowRight", "Shift+ArrowDown", "ArrowLeft")
    (event,) = screen.has("box_resized")
    assert event.fields()["rect"] == pytest.approx([x0, y0, x1 + 1, y1 + 10])
    expect(_voice(screen)).to_have_text(
        f"{_whole_points(x0, x1 + 1)} by {_whole_points(y0, y1 + 10)} points"
    )
    press(screen, "Enter", "ArrowUp")
    screen.has("box_moved")
    box = remaining_boxes(screen.events())[-1]
    assert box.rect == pytest.approx((x0, y0 - 1, x1 + 1, y1 + 9))
    expect(_voice(screen)).to_have_text(f"At {_round(x0)}, {_round(y0 - 1)} points")
    assert box_event_types(screen.events()) == ["box_drawn", "box_resized", "box_moved"]


def test_text_of_a_turned_page_on_a_turned_view(task_of: TaskOf) -> None:
    """The box is around the words wherever they are; right and down are as seen."""
    screen = _opened(task_of("t1", DRAWING))
    press(screen, "ArrowRight")
    screen.wait_until_painted(boxed.MARKS, TURNED)
    press(screen, "r", "b", "ArrowDown", "Enter")
    x0, y0, x1, y1 = screen.has("box_drawn")[0].fields()["rect"]
    assert 0 < x0 < x1 < SIZES[TURNED][0] and 0 < y0 < y1 < SIZES[TURNED][1]
    assert y1 - y0 > x1 - x0, "the words of this page run along its height"
    press(screen, "Enter", "Enter", "Shift+ArrowRight")
    (event,) = screen.has("box_resized")
    assert event.fields()["rect"] == pytest.approx([x0, y0 - 10, x1, y1])
    screen.part("rotate").click(click_count=3)


def test_a_page_graded_and_boxed_in_four_keys(task_of: TaskOf) -> None:
    """Grade, box tool, block, box: counted as pressed."""
    screen = _opened(task_of("t1", GRADING))
    keys = ["2", "b", "ArrowDown", "Enter"]
    screen.judge(keys[0])
    press(screen, *keys[1:])
    (drawn,) = screen.has("box_drawn")
    (graded,) = (e for e in screen.events() if e.fields().get("field") == "relevance")
    assert graded.fields()["value"] == "2"
    assert drawn.fields()["page"] == graded.fields()["page"] == PLAIN
    assert len(keys) <= 4


def test_a_scan_without_text_is_boxed_by_keyboard(task_of: TaskOf) -> None:
    """There is nothing to outline; Enter puts a box there, which the arrows move and resize."""
    screen = _opened(task_of("t1", boxed.SCANS), boxed.SCAN)
    screen.judge("2")
    press(screen, "b", "ArrowDown")
    press(screen, "Enter")
    x0, y0, x1, y1 = screen.has("box_drawn")[0].fields()["rect"]
    assert 0 < x0 < x1 < 420 and 0 < y0 < y1 < 560
    press(screen, "Shift+ArrowLeft", "Enter", "Shift+ArrowDown")
    screen.has("box_resized")
    (box,) = remaining_boxes(screen.events())
    assert box.rect == pytest.approx((x0 - 10, y0, x1 - 10, y1 + 10))
    assert box_event_types(screen.events()) == ["box_drawn", "box_moved", "box_resized"]


def _opened(screen: Screen, document: str = boxed.MARKS) -> Screen:
    """The task's first page, without a tool that an earlier task has left."""
    screen.wait_until_painted(document, PLAIN)
    if screen.part("tool-box").get_attribute("aria-pressed") == "true":
        screen.part("tool-box").click()
    expect(screen.part("tool-box")).to_have_attribute("aria-pressed", "false")
    return screen


def _voice(screen: Screen) -> Locator:
    """What the page says to screen readers."""
    return screen.page.locator(".stage > .unseen[role=status]")


def _round(value: float) -> int:
    return int(value + 0.5)


def _whole_points(*edges: float) -> int:
    low, high = map(_round, edges)
    return high - low

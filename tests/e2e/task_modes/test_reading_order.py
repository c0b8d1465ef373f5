"""The reading order: rows dragged, moved by keys or put after another; only they count as moved."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pagetrail.annotation.attempts.reading_order import final_order
from pagetrail.annotation.attempts.state import fold
from tests.e2e.support.drawing import Sheet
from tests.e2e.support.form_steps import take_box_tool
from tests.e2e.support.preset_workspace import HEIGHT, LAYOUT, SURVEY, WIDTH
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type
from tests.e2e.support.verification_steps import boxes, element


@pytest.fixture
def screen(task_of: TaskOf) -> Screen:
    """The task of two pages, at its first page with six elements."""
    screen = task_of("two-pages", LAYOUT)
    screen.wait_until_painted(SURVEY, 1)
    return screen


def expect_rows(screen: Screen, *names: str) -> None:
    """Wait until the list has these rows in this order, with the numbers of the log."""
    ids = "row => row.dataset.id"
    for position, name in enumerate(names):
        expect(screen.part("element").nth(position)).to_have_attribute("data-id", name)
    assert screen.part("element").evaluate_all(f"rows => rows.map({ids})") == list(names)
    screen.wait_until_saved()
    order_by_id = final_order(fold(screen.events()).boxes.boxes)
    shown_numbers = screen.page.locator(".element-number").all_inner_texts()
    assert shown_numbers == [str(order_by_id.get(name, "–")) for name in names]


def reordered_elements(screen: Screen) -> list[str]:
    """The model's elements whose order counts as corrected."""
    return [name for name, box in boxes(screen).items() if "order" in box.differences]


def drag(screen: Screen, name: str, to: str, *, share: float) -> None:
    """Drag a row with the mouse onto another one, without letting go."""
    start, end = element(screen, name).bounding_box(), element(screen, to).bounding_box()
    assert start is not None and end is not None
    mouse = screen.page.mouse
    mouse.move(start["x"] + 60, start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(end["x"] + 60, end["y"] + end["height"] * share, steps=5)


def test_a_row_is_dragged_and_only_it_counts_as_moved(screen: Screen) -> None:
    """The line says where it goes; undo puts it back, and so does Esc before it is let go."""
    page = screen.page
    drag(screen, "e4", "e2", share=0.2)
    expect(page.locator(".drop-before").locator("[data-id=e2]")).to_be_visible()
    page.mouse.up()
    expect_rows(screen, "e1", "e4", "e2", "e3", "e5", "e6")
    assert reordered_elements(screen) == ["e4"]
    expect(element(screen, "e4")).to_have_attribute("data-verdict", "corrected")
    expect(element(screen, "e3")).to_have_attribute("data-verdict", "open")

    drag(screen, "e1", "e6", share=0.9)
    expect(page.locator(".drop-after").locator("[data-id=e6]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".drop-after")).to_have_count(0)
    page.mouse.up()
    expect_rows(screen, "e1", "e4", "e2", "e3", "e5", "e6")
    assert len(of_type(screen.events(), "box_ordered")) == 1

    page.keyboard.press("Control+z")
    expect_rows(screen, "e1", "e2", "e3", "e4", "e5", "e6")
    assert reordered_elements(screen) == []
    page.keyboard.press("Control+Shift+z")
    expect_rows(screen, "e1", "e4", "e2", "e3", "e5", "e6")
    element(screen, "e4").click()
    click_verdict(screen.part("element-back"))
    expect_rows(screen, "e1", "e2", "e3", "e4", "e5", "e6")
    assert reordered_elements(screen) == []


def test_keys_move_the_selected_element(screen: Screen) -> None:
    """Alt and the arrows, on the page and on its row, which keeps the focus; back is not moved."""
    page = screen.page
    page.keyboard.press("j")
    expect(element(screen, "e1")).to_have_attribute("aria-current", "true")
    page.keyboard.press("j")
    expect(element(screen, "e2")).to_have_attribute("aria-current", "true")
    screen.judge("Alt+ArrowUp")
    expect_rows(screen, "e2", "e1", "e3", "e4", "e5", "e6")
    screen.judge("Alt+ArrowUp")  # it is the first
    element(screen, "e2").focus()
    screen.judge("Alt+ArrowDown")
    expect_rows(screen, "e1", "e2", "e3", "e4", "e5", "e6")
    expect(element(screen, "e2")).to_be_focused()
    assert reordered_elements(screen) == []
    screen.judge("Alt+ArrowDown")
    screen.judge("Alt+ArrowDown")
    expect_rows(screen, "e1", "e3", "e4", "e2", "e5", "e6")
    expect(element(screen, "e2")).to_be_focused()
    assert reordered_elements(screen) == ["e2"]
    assert len(of_type(screen.events(), "box_ordered")) == 4
    # Tab on the page goes through the boxes in that order.
    screen.part("page-pane").focus()
    page.keyboard.press("Shift+Tab")
    expect(element(screen, "e4")).to_have_attribute("aria-current", "true")
    page.keyboard.press("Tab")
    expect(element(screen, "e2")).to_have_attribute("aria-current", "true")
    page.keyboard.press("Tab")
    expect(element(screen, "e5")).to_have_attribute("aria-current", "true")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_text("Earlier, later in the reading order")).to_have_count(0)


def test_a_missed_element_is_put_where_it_is_on_the_page(screen: Screen) -> None:
    """It follows what is above it, with no event but its own; the inspector puts it elsewhere."""
    page = screen.page
    take_box_tool(screen)
    new_box = Sheet(screen, (WIDTH, HEIGHT)).draw((120, 182, 240, 192))
    page.keyboard.press("b")
    expect_rows(screen, "e1", "e2", new_box.id, "e3", "e4", "e5", "e6")
    assert not of_type(screen.events(), "box_ordered")
    assert reordered_elements(screen) == []

    choice = screen.part("element-order")
    assert choice.input_value() == "e2"
    choice.select_option("e5")
    expect_rows(screen, "e1", "e2", "e3", "e4", "e5", new_box.id, "e6")
    choice.select_option("first")
    expect_rows(screen, new_box.id, "e1", "e2", "e3", "e4", "e5", "e6")
    choice.select_option("none")
    expect_rows(screen, "e1", "e2", "e3", "e4", "e5", "e6", new_box.id)
    page.keyboard.press("Control+z")
    expect_rows(screen, new_box.id, "e1", "e2", "e3", "e4", "e5", "e6")
    assert reordered_elements(screen) == []

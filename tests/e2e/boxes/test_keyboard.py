"""Boxes by key and button: nudging, labels, copies, undoing, hiding; reloads, tabs and rules."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import FloatRect, expect

from tests.e2e.conftest import OpenScreen
from tests.e2e.support import box_workspace as boxed
from tests.e2e.support.box_workspace import DRAWING, FIXED, GRADING, MANY_BOXES, N_MANY, PLAIN
from tests.e2e.support.drawing import (
    Sheet,
    box_event_types,
    open_page,
    press_at_once,
    remaining_boxes,
    sheet_of,
)
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type, wait_until


def press(screen: Screen, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        screen.page.keyboard.press(key)


def test_arrow_keys_move_a_box_as_one_change(task_of: TaskOf) -> None:
    """Steps in a row are one event after a pause, one undo; Shift makes ten of one.

    Undoing and Escape let go of the box: the arrows turn pages again until Enter.
    """
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    sheet.draw((100, 200, 180, 260))
    press(screen, "Enter")
    press_at_once(screen, *["ArrowRight"] * 5, "ArrowDown", "Shift+ArrowUp", "ArrowLeft")
    line = sheet.drawn_box(sheet.boxes()[-1].id).locator(".box-line")
    expect(line).to_have_attribute("x", "104")
    (event,) = screen.has("box_moved")
    assert event.fields()["rect"] == [104, 191, 184, 251]
    assert event.fields()["how"] == "nudge"
    press(screen, "Control+z")
    screen.has("undone")
    assert sheet.boxes()[-1].rect == (100, 200, 180, 260)
    assert len(of_type(screen.events(), "box_moved")) == 1
    assert not of_type(screen.events(), "page_viewed")[1:], "arrows do not turn the page meanwhile"
    press(screen, "ArrowRight")
    screen.wait_until_painted(boxed.MARKS, 2)
    press(screen, "ArrowLeft")
    screen.wait_until_painted(boxed.MARKS, 1)
    sheet.click(140, 230)
    press(screen, "Escape", "Control+Shift+z", "ArrowRight")
    screen.wait_until_painted(boxed.MARKS, 2)
    assert len(of_type(screen.events(), "box_moved")) == 1


def test_arrow_keys_turn_pages_after_drawing(task_of: TaskOf) -> None:
    """A box that was only drawn stays where it is, and the arrows read on."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    box = sheet.draw((100, 200, 180, 260))
    press(screen, "ArrowRight")
    screen.wait_until_painted(boxed.MARKS, 2)
    press(screen, "ArrowLeft")
    screen.wait_until_painted(boxed.MARKS, 1)
    screen.wait_until_saved()
    assert box_event_types(screen.events()) == ["box_drawn"]
    assert sheet.boxes()[-1].rect == box.rect


def test_arrow_keys_follow_the_turned_view(task_of: TaskOf) -> None:
    """On a view turned by 90 degrees, right is what is seen to be right."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    box = sheet.draw((100, 200, 180, 260)).id
    screen.part("rotate").click()
    screen.part("page-pane").focus()
    press(screen, "Enter")
    line = sheet.drawn_box(box).locator(".box-line")
    before = line.bounding_box()
    assert before is not None
    press(screen, "Shift+ArrowRight")
    screen.has("box_moved")
    after = line.bounding_box()
    assert after is not None
    assert after["x"] - before["x"] > 3
    assert after["y"] == pytest.approx(before["y"], abs=0.5)


def test_steps_of_the_last_moment_survive_a_reload(task_of: TaskOf) -> None:
    """Reloaded before the pause is over, the box is where the keys had put it."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    box = sheet.draw((100, 200, 180, 260)).id
    sheet.click(140, 230)
    press_at_once(screen, "ArrowRight", "ArrowRight", "ArrowRight")
    screen.page.reload()
    screen.wait_until_ready()
    screen.wait_until_painted(boxed.MARKS, 1)
    expect(sheet.drawn_box(box).locator(".box-line")).to_have_attribute("x", "103")
    (event,) = screen.has("box_moved")
    assert event.fields()["rect"] == [103, 200, 183, 260]


def test_another_action_ends_the_steps(task_of: TaskOf) -> None:
    """What follows at once is recorded after the move, in the order of the hands."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    sheet.draw((100, 200, 180, 260))
    press(screen, "Enter")
    press(screen, "ArrowRight", "Control+d", "ArrowDown", "2", "ArrowDown", "Escape", "ArrowRight")
    events = screen.has("box_moved", 3) and screen.events()
    assert box_event_types(events) == [
        *("box_drawn", "box_moved", "box_drawn", "box_moved", "box_labelled", "box_moved"),
    ]


def test_duplicate_delete_undo_and_redo(task_of: TaskOf) -> None:
    """By key and by button; the state after each is the one before or after the change."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    first = sheet.draw((100, 200, 180, 260))
    press(screen, "Control+d")
    screen.has("box_drawn", 2)
    second = sheet.boxes()[-1]
    assert second.rect == (108, 208, 188, 268)
    assert sheet.selected() == second.id
    event = screen.has("box_drawn", 2)[1].fields()
    assert (event["how"], event["copy_of"]) == ("duplicated", first.id)
    press(screen, "Delete")
    screen.has("box_deleted")
    expect(sheet.drawn_box(second.id)).to_have_count(0)
    screen.part("undo").click()
    expect(sheet.drawn_box(second.id)).to_have_count(1)
    assert sheet.selected() == second.id, "what came back is the chosen one"
    press(screen, "Control+z", "Control+z")
    expect(screen.page.get_by_test_id("box")).to_have_count(0)
    expect(screen.part("undo")).to_be_disabled()
    press(screen, "Control+z", "Control+y")
    screen.part("redo").click()
    press(screen, "Control+Shift+z")
    expect(screen.part("redo")).to_be_disabled()
    expect(sheet.drawn_box(second.id)).to_have_count(0)
    screen.has("redone", 3)
    assert [box.id for box in sheet.boxes() if box.page == PLAIN] == [first.id]
    assert len(of_type(screen.events(), "undone")) == 3


def test_a_copy_in_the_corner_stays_on_the_page(task_of: TaskOf) -> None:
    """Where the offset does not fit, the copy goes the other way, so that it can be seen."""
    sheet = sheet_of(task_of("t1", DRAWING))
    sheet.draw((340, 500, 440, 600))
    press(sheet.screen, "Control+d")
    sheet.screen.has("box_drawn", 2)
    assert sheet.boxes()[-1].rect == pytest.approx((332, 492, 412, 552), abs=0.5)


def test_labels_by_key_by_chip_and_for_the_next_box(screen_of: OpenScreen) -> None:
    """A label given to a box is also the next one's; a choice without a box makes no event."""
    sheet = open_page(screen_of)
    screen = sheet.screen
    first = sheet.draw((60, 200, 120, 260))
    assert first.label == "Text"
    press(screen, "2")
    expect(sheet.drawn_box(first.id)).to_have_attribute("data-label", "Table")
    press(screen, "Escape", "3")
    chip = screen.page.locator("[data-testid=box-label][data-label=Picture]")
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert sheet.draw((200, 200, 260, 260)).label == "Picture"
    screen.page.locator("[data-testid=box-label][data-label=Page-Footer]").click()
    screen.has("box_labelled", 2)
    assert [box.label for box in sheet.boxes() if box.page == PLAIN] == ["Table", "Page-Footer"]
    press(screen, "5")
    screen.wait_until_saved()
    assert len(of_type(screen.events(), "box_labelled")) == 2, "the same label again is no change"


def test_keys_are_off_while_typing(task_of: TaskOf) -> None:
    """Delete, digits and Ctrl+Z in a text box are the text's."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    sheet.draw((60, 200, 120, 260))
    screen.part("note").fill("12")
    press(screen, "End", "Backspace", "2", "b", "h", "Control+z", "Delete", "ArrowLeft")
    screen.wait_until_saved()
    screen.has("note_edited")
    assert box_event_types(screen.events()) == ["box_drawn"]
    expect(screen.page.get_by_test_id("box")).to_have_count(1)


def test_hiding_and_leaving(task_of: TaskOf) -> None:
    """h hides and shows; Esc lets go of the box, then of the tool; nothing is recorded."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    box = sheet.draw((60, 200, 120, 260)).id
    press(screen, "h")
    expect(sheet.drawn_box(box)).to_be_hidden()
    expect(screen.page.locator(f".box-tag[data-id='{box}']")).to_be_hidden()
    press(screen, "h")
    expect(sheet.drawn_box(box).locator(".box-line")).to_be_visible()
    sheet.click(90, 230)
    press(screen, "Escape")
    assert sheet.selected() is None
    expect(screen.part("tool-box")).to_have_attribute("aria-pressed", "true")
    press(screen, "Escape")
    expect(screen.part("tool-pan")).to_have_attribute("aria-pressed", "true")
    press(screen, "b")
    expect(screen.part("tool-box")).to_have_attribute("aria-pressed", "true")
    screen.wait_until_saved()
    assert box_event_types(screen.events()) == ["box_drawn"]


def test_tab_goes_through_the_boxes_and_on(task_of: TaskOf) -> None:
    """With a box chosen Tab goes to the next in reading order, and past the last it leaves."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    low = sheet.draw((60, 300, 120, 360)).id
    press(screen, "Escape")
    high = sheet.draw((60, 100, 120, 160)).id
    screen.part("page-pane").focus()
    assert sheet.selected() == high
    press(screen, "Tab")
    assert sheet.selected() == low
    press(screen, "Shift+Tab")
    assert sheet.selected() == high
    press(screen, "Tab", "Tab")
    expect(screen.part("page-pane")).not_to_be_focused()


def test_two_tabs_see_each_others_boxes(screen_of: OpenScreen) -> None:
    """A box drawn in one tab appears in the other at once; undo works in either."""
    sheet = open_page(screen_of)
    first_tab = sheet.screen
    second_tab = screen_of("alma", "t1", campaign=boxed.DRAWING, context=first_tab.page.context)
    second_tab.wait_until_painted(boxed.MARKS, 1)
    box = sheet.draw((100, 200, 180, 260)).id
    other = Sheet(second_tab)
    expect(other.drawn_box(box)).to_have_count(1)
    second_tab.part("undo").click()
    expect(sheet.drawn_box(box)).to_have_count(0)
    first_tab.part("redo").click()
    expect(other.drawn_box(box)).to_have_count(1)
    first_tab.wait_until_saved()
    assert box_event_types(first_tab.events()) == ["box_drawn", "undone", "redone"]


def test_a_page_that_takes_no_boxes_says_why(task_of: TaskOf) -> None:
    """Before a grade, when what is drawn is kept until it is allowed, and with too many boxes."""
    sheet = sheet_of(task_of("t1", GRADING))
    screen = sheet.screen
    hint = screen.part("stage-hint")
    sheet.drag((60, 100), (160, 200))
    expect(hint).to_contain_text("The box is kept. It counts once “Relevance” is ")
    press(screen, "2")
    screen.has("box_drawn")
    sheet.draw((200, 100, 260, 200))
    sheet.drag((60, 300), (160, 400))
    expect(hint).to_contain_text("has 2 boxes, which is all it may have. Delete one first.")
    screen.wait_until_saved()
    assert box_event_types(screen.events()) == ["box_drawn"] * 2


def test_a_protocol_without_new_boxes(task_of: TaskOf) -> None:
    """Given elements can be corrected, and drawing says that nothing can be added."""
    sheet = sheet_of(task_of("t1", FIXED))
    screen = sheet.screen
    sheet.drag((60, 300), (160, 400))
    expect(screen.part("stage-hint")).to_have_text("Boxes cannot be added in this task.")
    sheet.click(150, 125)
    expect(screen.part("box-duplicate")).to_be_disabled()
    sheet.pull("se", (230, 170))
    screen.has("box_resized")
    assert box_event_types(screen.events()) == ["box_resized"]


def test_submitted_boxes_can_be_seen_but_not_changed(task_of: TaskOf) -> None:
    """They can be chosen; no handle, no key and no drag changes them."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    box = sheet.draw((100, 200, 180, 260)).id
    screen.part("skip").click()
    screen.part("skip-reason").fill("enough")
    screen.part("confirm-skip").click()
    screen.has("skipped")
    expect(screen.part("complete-dialog")).to_be_visible()
    press(screen, "Escape")
    expect(screen.part("complete-dialog")).to_have_count(0)
    expect(screen.part("box-delete")).to_be_disabled()
    sheet.click(140, 230)
    assert sheet.selected() == box
    expect(screen.page.locator(".box-handle:visible")).to_have_count(0)
    sheet.drag((140, 230), (200, 300))
    press(screen, "Delete", "Control+d", "Control+z", "2")
    assert sheet.selected() == box
    assert [b.rect for b in sheet.boxes() if b.id == box] == [(100, 200, 180, 260)]
    assert box_event_types(screen.events()) == ["box_drawn"]


def test_one_change_touches_one_box(task_of: TaskOf) -> None:
    """On a page of 150 boxes a drag changes the nodes of that one and makes none again."""
    screen = task_of("t1", MANY_BOXES)
    screen.wait_until_painted(boxed.DENSE, 1)
    expect(screen.page.get_by_test_id("box")).to_have_count(N_MANY)
    sheet = Sheet(screen, (420, 560))
    if screen.part("tool-box").get_attribute("aria-pressed") != "true":
        screen.part("tool-box").click()
    rect = remaining_boxes(screen.events())[10].rect
    sheet.click((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
    assert sheet.selected() == "e11"
    screen.page.evaluate(_WATCH)
    sheet.drag(((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2), (300, 300), steps=10)
    screen.has("box_moved")
    screen.wait_until_saved()
    mutations: dict[str, Any] = screen.page.evaluate("window.seen")
    assert mutations["made"] == 0
    assert mutations["touched"] == ["e11"]


_WATCH = """() => {
  const find = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.matches(".overlay .boxes")) return e;
      const inside = e.shadowRoot && find(e.shadowRoot);
      if (inside) return inside;
    }
    return null;
  };
  window.seen = { made: 0, touched: [] };
  const touched = new Set();
  new MutationObserver((records) => {
    for (const record of records) {
      window.seen.made += record.addedNodes.length + record.removedNodes.length;
      const box = record.target.closest("[data-id]");
      if (box) touched.add(box.dataset.id);
    }
    window.seen.touched = [...touched];
  }).observe(find(document), { subtree: true, childList: true, attributes: true });
}"""


def test_a_box_without_a_pointer(task_of: TaskOf) -> None:
    """Enter puts one on the page in box mode; the arrow keys bring it to its place."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    press(screen, "Escape", "Enter", "b", "Enter")
    (event,) = screen.has("box_drawn")
    x0, y0, x1, y1 = event.fields()["rect"]
    assert 0 < x0 < x1 < sheet.size[0] and 0 < y0 < y1 < sheet.size[1]
    assert (x1 - x0, y1 - y0) == pytest.approx((sheet.size[0] / 8, sheet.size[1] / 8), abs=0.02)
    press(screen, "Shift+ArrowLeft", "Enter")
    screen.has("box_moved")
    assert sheet.boxes()[-1].rect[0] == pytest.approx(x0 - 10)
    assert box_event_types(screen.events()) == ["box_drawn", "box_moved"]


def is_within(boxes: tuple[FloatRect | None, FloatRect | None]) -> bool:
    """Whether the first box is completely between the upper and the lower edge of the second."""
    inner, outer = boxes
    assert inner is not None and outer is not None
    bottom = outer["y"] + outer["height"]
    return outer["y"] <= inner["y"] and inner["y"] + inner["height"] <= bottom


def test_selected_box_is_scrolled_into_view(task_of: TaskOf) -> None:
    """Undoing out of sight scrolls there; what is in sight already stays where it is."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    box = sheet.draw((300, 500, 340, 540)).id
    press(screen, "Enter", "Shift+ArrowUp")
    screen.has("box_moved")
    screen.part("zoom-level").click()
    screen.part("zoom-in").click()
    pane = screen.part("page-pane")
    pane.evaluate("pane => pane.scrollTo(0, 0)")
    press(screen, "Escape", "Control+z")
    screen.has("undone")
    line = sheet.drawn_box(box).locator(".box-line")
    wait_until(screen.page, lambda: (line.bounding_box(), pane.bounding_box()), is_within)
    top = pane.evaluate("pane => pane.scrollTop")
    assert top > 0
    pane.focus()
    press(screen, "Enter", "ArrowUp")
    screen.has("box_moved", 2)
    assert pane.evaluate("pane => pane.scrollTop") == top

"""Boxes with fingers and pens, snapping to words, and selecting text."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.pdf_pages import PdfPages, Word
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.box_workspace import DRAWING, FIXED, MARKS, TURNED
from tests.e2e.support.drawing import Sheet, box_event_types, open_page, sheet_of
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import wait_until
from tests.e2e.support.touch import Hand

PIXEL = 72 / 200


def close_to(rect: Any, expected: Any, tolerance: float = PIXEL) -> None:
    """Every edge is within ``tolerance`` of the expected one; by default one pixel at 200 dpi."""
    assert max(abs(a - b) for a, b in zip(rect, expected, strict=True)) <= tolerance, (
        rect,
        expected,
    )


def touch_page(task_of: TaskOf, page: int = 1) -> tuple[Sheet, Hand]:
    """A page on a touch screen, with the box tool in hand."""
    sheet = sheet_of(task_of("t1", DRAWING, has_touch=True), page)
    return sheet, Hand(sheet.screen)


def test_a_finger_draws_moves_and_resizes(task_of: TaskOf) -> None:
    """One finger works as a mouse does, and takes a handle by a target of 24 pixels."""
    sheet, hand = touch_page(task_of, TURNED)
    screen = sheet.screen
    hand.drag(sheet.at(50, 60), sheet.at(210.5, 160.2))
    screen.has("box_drawn")
    close_to(sheet.boxes()[-1].rect, (50, 60, 210.5, 160.2))
    hand.drag(sheet.at(130, 110), sheet.at(150, 90))
    screen.has("box_moved")
    close_to(sheet.boxes()[-1].rect, (70, 40, 230.5, 140.2))
    handle = screen.page.locator("[data-testid=box-handle][data-edge=se]")
    size = handle.bounding_box()
    assert size is not None and size["width"] >= 24 and size["height"] >= 24
    x, y = sheet.at(230.5, 140.2)
    hand.drag((x + 9, y + 9), (x + 59, y + 39))
    screen.has("box_resized")
    rect = sheet.boxes()[-1].rect
    assert rect[:2] == pytest.approx((70, 40), abs=PIXEL)
    assert rect[2] > 260 and rect[3] > 160


def test_tap_selects_without_drawing(task_of: TaskOf) -> None:
    """A short touch is a click."""
    sheet, hand = touch_page(task_of)
    hand.drag(sheet.at(60, 200), sheet.at(160, 300))
    sheet.screen.has("box_drawn")
    box = sheet.boxes()[-1].id
    hand.drag(sheet.at(300, 400), sheet.at(302, 401))
    assert wait_until(sheet.screen.page, sheet.selected, lambda b: b is None) is None
    hand.drag(sheet.at(100, 250), sheet.at(101, 251))
    assert wait_until(sheet.screen.page, sheet.selected, lambda b: b is not None) == box
    assert box_event_types(sheet.screen.events()) == ["box_drawn"]


def test_two_fingers_zoom_and_pan_and_draw_nothing(task_of: TaskOf) -> None:
    """A second finger ends what the first began; the page follows both; then one draws again."""
    sheet, hand = touch_page(task_of)
    screen = sheet.screen
    before = int((screen.part("zoom-level").text_content() or "").removesuffix(" %"))
    pane = screen.part("page-pane").bounding_box()
    assert pane is not None
    x, y = pane["x"] + pane["width"] / 2, pane["y"] + pane["height"] / 2
    hand.down((x - 40, y))
    hand.move((x - 60, y - 30))
    expect(screen.page.locator(".box-band")).not_to_have_attribute("visibility", "hidden")
    hand.down((x - 60, y - 30), (x + 60, y + 30))
    for step in range(1, 6):
        spread = 1 + step / 5
        hand.move((x - 60 * spread, y - 30 * spread), (x + 60 * spread, y + 30 * spread))
    expect(screen.page.locator(".box-band")).to_have_attribute("visibility", "hidden")
    wait_until(
        screen.page,
        lambda: int((screen.part("zoom-level").text_content() or "").removesuffix(" %")),
        lambda zoom: zoom == pytest.approx(2 * before, abs=3),
    )
    top = screen.part("page-pane").evaluate("pane => pane.scrollTop")
    hand.move((x - 120, y - 90), (x + 120, y + 30))
    wait_until(
        screen.page,
        lambda: screen.part("page-pane").evaluate("pane => pane.scrollTop"),
        lambda now: now == pytest.approx(top + 30, abs=2),
    )
    hand.up((x + 120, y + 30))
    hand.move((x + 20, y - 50))
    hand.up()
    hand.drag((x - 50, y - 50), (x + 50, y + 50))
    screen.has("box_drawn")
    screen.wait_until_saved()
    assert box_event_types(screen.events()) == ["box_drawn"]


def test_a_cancelled_touch_changes_nothing(task_of: TaskOf) -> None:
    """The system takes the touch (a call, a gesture of its own): no box, and none has moved."""
    sheet, hand = touch_page(task_of)
    screen = sheet.screen
    hand.drag(sheet.at(60, 200), sheet.at(160, 300))
    screen.has("box_drawn")
    box = sheet.boxes()[-1]
    line = sheet.drawn_box(box.id).locator(".box-line")
    hand.down(sheet.at(110, 250))
    hand.move(sheet.at(150, 270))
    hand.move(sheet.at(200, 300))
    wait_until(screen.page, lambda: line.get_attribute("x"), lambda x: float(x or 0) > 100)
    hand.lose()
    expect(line).to_have_attribute("x", f"{box.rect[0]:g}")
    screen.wait_until_saved()
    assert box_event_types(screen.events()) == ["box_drawn"]


def test_a_finger_scrolls_without_a_tool(task_of: TaskOf) -> None:
    """With the hand as the tool a touch is the browser's: the page scrolls, no box appears."""
    sheet, hand = touch_page(task_of)
    screen = sheet.screen
    screen.page.keyboard.press("Escape")
    expect(screen.part("tool-pan")).to_have_attribute("aria-pressed", "true")
    screen.part("fit-width").click()
    pane = screen.part("page-pane").bounding_box()
    assert pane is not None
    x, y = pane["x"] + 200, pane["y"] + pane["height"] - 40
    hand.down((x, y))
    for step in range(1, 9):
        hand.move((x, y - 20 * step))
    hand.up()
    wait_until(
        screen.page,
        lambda: screen.part("page-pane").evaluate("pane => pane.scrollTop"),
        lambda top: top > 50,
    )
    assert box_event_types(screen.events()) == []


def test_a_pen_draws(task_of: TaskOf) -> None:
    """A pen is a mouse with a tip."""
    sheet = sheet_of(task_of("t1", DRAWING))
    session = sheet.screen.page.context.new_cdp_session(sheet.screen.page)

    def pen(kind: str, x: float, y: float) -> None:
        at = sheet.at(x, y)
        buttons = 0 if kind == "mouseReleased" else 1
        session.send(
            "Input.dispatchMouseEvent",
            {
                "type": kind,
                "x": at[0],
                "y": at[1],
                "button": "left",
                "buttons": buttons,
                "clickCount": 1,
                "pointerType": "pen",
                "force": 0.5,
            },
        )

    pen("mousePressed", 50, 60)
    for step in (90, 150, 210.5):
        pen("mouseMoved", step, step + 40)
    pen("mouseReleased", 210.5, 250.5)
    sheet.screen.has("box_drawn")
    close_to(sheet.boxes()[-1].rect, (50, 60, 210.5, 250.5))


def test_the_middle_button_and_space_pan_with_the_box_tool(task_of: TaskOf) -> None:
    """Neither draws; both move the page."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen, mouse = sheet.screen, sheet.screen.page.mouse
    screen.part("fit-width").click()
    screen.part("page-pane").focus()
    pane = screen.part("page-pane").bounding_box()
    assert pane is not None
    x, y = pane["x"] + 200, pane["y"] + pane["height"] - 30
    tops = [0]
    for way in ("middle", "space"):
        if way == "space":
            screen.page.keyboard.down(" ")
        mouse.move(x, y)
        mouse.down(button="middle" if way == "middle" else "left")
        mouse.move(x, y - 60, steps=3)
        mouse.up(button="middle" if way == "middle" else "left")
        if way == "space":
            screen.page.keyboard.up(" ")
        tops.append(screen.part("page-pane").evaluate("pane => pane.scrollTop"))
    assert tops == pytest.approx([0, 60, 120], abs=2)
    screen.wait_until_saved()
    assert box_event_types(screen.events()) == []


def test_edges_snap_to_words_when_wanted(screen_of: OpenScreen, workspace: Workspace) -> None:
    """Drawn roughly around the two lines, a box ends at their words; Alt and the button say no."""
    sheet = open_page(screen_of)
    screen, page = sheet.screen, sheet.screen.page
    screen.part("snap").click()
    expect(screen.part("snap")).to_have_attribute("aria-pressed", "true")
    words = words_of(workspace, 1)
    tight = tuple(round(f(w[n] for w in words), 2) for n, f in enumerate((min, min, max, max)))
    rough = (tight[0] - 3.1, tight[1] + 2.2, tight[2] + 2.7, tight[3] + 3.3)
    assert sheet.draw(rough).rect == tight
    page.keyboard.press("Delete")
    page.keyboard.down("Alt")
    close_to(sheet.draw(rough).rect, rough)
    page.keyboard.up("Alt")
    page.keyboard.press("Delete")
    screen.part("snap").click()
    close_to(sheet.draw(rough).rect, rough)
    page.keyboard.press("Delete")
    screen.wait_until_saved()
    page.reload()
    screen.wait_until_ready()
    expect(screen.part("snap")).to_have_attribute("aria-pressed", "false")


def test_words_are_selected_copied_and_boxed(screen_of: OpenScreen, workspace: Workspace) -> None:
    """Dragging goes from word to word in reading order; a box around them is one click."""
    sheet = open_page(screen_of)
    screen, page = sheet.screen, sheet.screen.page
    words = words_of(workspace, 1)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    screen.part("tool-text").click()
    middle = [((w[0] + w[2]) / 2, (w[1] + w[3]) / 2) for w in words]
    sheet.drag(middle[2], middle[5], steps=8)
    expect(page.locator(".words rect")).to_have_count(4)
    page.keyboard.press("Control+c")
    copied = wait_until(
        page, lambda: page.evaluate("navigator.clipboard.readText()"), lambda text: bool(text)
    )
    assert copied == "swim here\nsecond herons"
    screen.part("box-selection").click()
    screen.has("box_drawn")
    selected_words = words[2:6]
    tight = [f(w[n] for w in selected_words) for n, f in enumerate((min, min, max, max))]
    rect = sheet.boxes()[-1].rect
    assert rect == pytest.approx([tight[0] - 1, tight[1] - 1, tight[2] + 1, tight[3] + 1], abs=0.02)
    assert screen.has("box_drawn")[0].fields()["how"] == "selection"
    expect(page.locator(".words rect")).to_have_count(0)
    expect(screen.part("box-selection")).to_be_hidden()


def test_words_of_a_turned_page(task_of: TaskOf, workspace: Workspace) -> None:
    """On a page with /Rotate and a shifted crop box the words are selected where they are seen."""
    sheet = sheet_of(task_of("t1", DRAWING), TURNED)
    page = sheet.screen.page
    words = words_of(workspace, TURNED)
    assert [w[4] for w in words] == ["sideways", "otters"]
    page.keyboard.press("t")
    x0, y0, x1, y1, _ = words[1]
    sheet.drag(((x0 + x1) / 2, y0 + 2), ((x0 + x1) / 2, y1 - 2), steps=5)
    rect = page.locator(".words rect")
    expect(rect).to_have_count(1)  # once the words have come
    selection_rect = [float(rect.get_attribute(n) or 0) for n in ("x", "y", "width", "height")]
    assert selection_rect == pytest.approx([x0, y0, x1 - x0, y1 - y0], abs=0.02)


def test_text_selection_without_new_boxes(task_of: TaskOf) -> None:
    """Where boxes cannot be added, words can be selected and no box is offered."""
    sheet = sheet_of(task_of("t1", FIXED))
    page = sheet.screen.page
    page.keyboard.press("t")
    sheet.drag((110, 96), (180, 96), steps=5)
    expect(page.locator(".words rect")).not_to_have_count(0)
    expect(sheet.screen.part("box-selection")).to_be_hidden()


def words_of(workspace: Workspace, page: int) -> list[Word]:
    """The page's words as displayed, read from the stored file."""
    corpus = Corpus(workspace)
    info = corpus.document(MARKS)
    assert info is not None
    pages = PdfPages()
    try:
        return pages.words(corpus.path(info.sha256), page)
    finally:
        pages.close()

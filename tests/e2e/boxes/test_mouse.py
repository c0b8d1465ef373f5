"""Boxes with the mouse: where they are stored, and everything that can be done to one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO

import numpy as np
import pymupdf
import pytest
from PIL import Image
from playwright.sync_api import expect

from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support import box_workspace as boxed
from tests.e2e.support.box_workspace import CROP, DRAWING, MARKS, PLAIN, RED, TURNED
from tests.e2e.support.drawing import Sheet, box_event_types, open_page, sheet_of, wheel_to
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import of_type

PIXEL = 72 / 200
"""One pixel at 200 dpi, points."""


def close_to(rect: Sequence[float], expected: Sequence[float], tolerance: float = PIXEL) -> None:
    """Every edge is within ``tolerance`` of the expected one; by default one pixel at 200 dpi."""
    assert max(abs(a - b) for a, b in zip(rect, expected, strict=True)) <= tolerance, (
        rect,
        expected,
    )


def red_on_page() -> tuple[float, float, float, float]:
    """The red block on the turned page as displayed: turned clockwise by 90 within its crop box."""
    x0, y0, x1, y1 = RED
    height = CROP.y1 - CROP.y0
    return height - (y1 - CROP.y0), x0 - CROP.x0, height - (y0 - CROP.y0), x1 - CROP.x0


def render_page(workspace: Workspace, page: int, dpi: int) -> np.ndarray:
    """The page's image, rendered from the stored file."""
    corpus = Corpus(workspace)
    info = corpus.document(MARKS)
    assert info is not None
    with pymupdf.open(str(corpus.path(info.sha256))) as document:
        png = document[page - 1].get_pixmap(dpi=dpi).tobytes("png")
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"))


def is_red(picture: np.ndarray) -> np.ndarray:
    """Which pixels have the colour of the red block."""
    mask: np.ndarray = (picture[..., 0] > 200) & (picture[..., 1] < 90) & (picture[..., 2] < 90)
    return mask


def test_box_geometry_on_a_zoomed_rotated_and_cropped_page(
    screen_of: OpenScreen, workspace: Workspace
) -> None:
    """Stored within a pixel at 200 dpi of where it was drawn; the marked content is inside it.

    The page has /Rotate 90 and a shifted crop box, the view 73 % on a screen with two device pixels
    a CSS pixel. The box is drawn twice: around the red block as seen on the screenshot, and at odd
    points of the page.
    """
    sheet = open_page(screen_of, TURNED, device_scale_factor=2)
    screen = sheet.screen
    wheel_to(screen, 73)
    target = (57.31, 111.17, 203.83, 262.4)
    close_to(sheet.draw(target).rect, target)
    screen.page.keyboard.press("Delete")
    pane = screen.part("page-pane").bounding_box()
    assert pane is not None
    shot = is_red(np.asarray(Image.open(BytesIO(screen.page.screenshot())).convert("RGB")))
    shot[:, : round(2 * pane["x"])] = False  # thumbnails show the block as well
    shot[: round(2 * pane["y"])] = False
    rows, columns = np.nonzero(shot)
    left, right = columns.min() / 2, (columns.max() + 1) / 2
    top, bottom = rows.min() / 2, (rows.max() + 1) / 2
    mouse = screen.page.mouse
    mouse.move(left - 2, top - 2)
    mouse.down()
    mouse.move(right + 2, bottom + 2, steps=3)
    mouse.up()
    screen.has("box_drawn", 2)
    (box,) = sheet.boxes()[1:]
    margin = 2 / (96 / 72 * 0.73)
    x0, y0, x1, y1 = red_on_page()
    close_to(box.rect, (x0 - margin, y0 - margin, x1 + margin, y1 + margin), 2 * PIXEL)
    red = is_red(render_page(workspace, TURNED, 200))
    px = [round(value * 200 / 72) for value in box.rect]
    assert red.sum() > 10_000
    assert red[px[1] : px[3], px[0] : px[2]].sum() == red.sum(), "all that was marked is inside"
    close_to(box.rect, (x0, y0, x1, y1), margin + 2 * PIXEL)


def test_zoom_and_turned_view_change_nothing_stored(task_of: TaskOf) -> None:
    """Drawn in whichever view, a box is stored and shown where the pointer was; also backwards."""
    sheet = sheet_of(task_of("t1", DRAWING))
    views = ((0, 400), (90, 50), (90, 100), (180, 137), (270, 100))
    for number, (rotation, percent) in enumerate(views, start=1):
        if rotation != sheet.rotation:
            sheet.screen.part("rotate").click()
            sheet.rotation = rotation
        wheel_to(sheet.screen, percent)
        _draw_in_this_view(sheet, number)
        sheet.screen.page.keyboard.press("Delete")  # another view may show the same place


def _draw_in_this_view(sheet: Sheet, number: int) -> None:
    """Draw the box of this number from right to left, in the visible part of the page."""
    screen = sheet.screen
    pane = screen.part("page-pane").bounding_box()
    assert pane is not None
    # Two points of the page that are in sight, whatever the zoom.
    middle = (pane["x"] + pane["width"] / 2, pane["y"] + pane["height"] / 2)
    origin, reference = sheet.at(0, 0), sheet.at(100, 100)
    spot = [100 * (m - z) / (o - z) for m, z, o in zip(middle, origin, reference, strict=True)]
    if sheet.rotation % 180:
        spot.reverse()
    x, y = (min(max(value, 60), limit - 60) for value, limit in zip(spot, sheet.size, strict=True))
    target = (x - 30.3, y - 12.2, x + 14.4, y + 21.7)
    sheet.drag((target[2], target[1]), (target[0], target[3]))
    screen.has("box_drawn", number)
    box = sheet.boxes()[-1]
    close_to(box.rect, target)
    line_bounds = sheet.drawn_box(box.id).locator(".box-line").bounding_box()
    corners = [sheet.at(target[0], target[1]), sheet.at(target[2], target[3])]
    assert line_bounds is not None
    for axis, dimension in (("x", "width"), ("y", "height")):
        low, high = sorted(corner["xy".index(axis)] for corner in corners)
        assert line_bounds[axis] == pytest.approx(low, abs=1.5)
        assert line_bounds[axis] + line_bounds[dimension] == pytest.approx(high, abs=1.5)
    tag = screen.page.locator(f".box-tag[data-id='{box.id}']")
    size = tag.bounding_box()
    assert size is not None and 14 <= size["height"] <= 18, "names stay readable at any zoom"
    assert size["width"] > size["height"], "names stay upright"


def test_names_of_boxes_leave_the_lines_above_free(task_of: TaskOf) -> None:
    """Boxes around two lines of text, one below the other: no name covers the other box."""
    sheet = sheet_of(task_of("t1", DRAWING))
    boxes = []
    for top in (88, 108):
        boxes.append(sheet.draw((98, top, 260, top + 16)))
        sheet.screen.page.keyboard.press("Escape")  # else its handles would take the next drag
    for box, other in (boxes, reversed(boxes)):
        name = sheet.screen.page.locator(f".box-tag[data-id='{box.id}']").bounding_box()
        line = sheet.drawn_box(other.id).locator(".box-line").bounding_box()
        assert name is not None and line is not None
        beside = name["x"] + name["width"] <= line["x"] or line["x"] + line["width"] <= name["x"]
        apart = name["y"] + name["height"] <= line["y"] or line["y"] + line["height"] <= name["y"]
        assert beside or apart, (name, line)


def test_gestures_that_draw_no_box(task_of: TaskOf) -> None:
    """A click, a dot, a drawing given up with Esc or off the page leave nothing, and say why."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen, mouse = sheet.screen, sheet.screen.page.mouse
    sheet.click(50, 300)
    sheet.drag((50, 300), (56, 302))
    expect(screen.part("stage-hint")).to_have_text("A box must be at least 3 points wide and high.")
    mouse.move(*sheet.at(50, 300))
    mouse.down()
    mouse.move(*sheet.at(150, 380), steps=4)
    expect(screen.page.locator(".box-band")).not_to_have_attribute("visibility", "hidden")
    screen.page.keyboard.press("Escape")
    expect(screen.page.locator(".box-band")).to_have_attribute("visibility", "hidden")
    mouse.move(*sheet.at(200, 400))
    mouse.up()
    expect(screen.part("tool-box")).to_have_attribute("aria-pressed", "true")
    box = sheet.draw((60, 300, 160, 400))
    assert [box.id] == [b.id for b in sheet.boxes() if b.model is None]
    assert box_event_types(screen.events()) == ["box_drawn"]


def test_a_box_is_clipped_to_its_page(task_of: TaskOf) -> None:
    """Drawn beyond the corner it ends there; dragged beyond an edge it keeps its size."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    box = sheet.draw((370, 500, 470, 640))
    close_to(box.rect, (370, 500, 420, 560))
    assert box.rect[2:] == (420, 560)
    sheet.drag((395, 530), (200, -300))
    screen.has("box_moved")
    moved = sheet.boxes()[-1].rect
    assert moved[1] == 0
    assert moved[3] == pytest.approx(box.rect[3] - box.rect[1], abs=0.02)


def test_clicking_again_selects_the_next_box_below(task_of: TaskOf) -> None:
    """The smallest first, then what is below; its border and its name do as well."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    big = sheet.draw((50, 200, 350, 500)).id
    assert sheet.selected() == big, "a new box is the chosen one"
    screen.page.keyboard.press("Escape")
    small = sheet.draw((100, 250, 200, 350)).id
    screen.page.keyboard.press("Escape")
    assert sheet.selected() is None
    for expected in (small, big, small):
        sheet.click(150, 300)
        assert sheet.selected() == expected
    sheet.click(300, 450)
    assert sheet.selected() == big
    sheet.click(10, 550)
    assert sheet.selected() is None
    sheet.click(100, 300)
    assert sheet.selected() == small
    screen.page.locator(f".box-tag[data-id='{big}']").click()
    assert sheet.selected() == big
    screen.page.keyboard.press("Escape")
    screen.page.keyboard.press("Escape")
    expect(screen.part("tool-box")).to_have_attribute("aria-pressed", "false")
    sheet.click(150, 300)
    assert sheet.selected() == small, "boxes can be chosen without the box tool"
    assert box_event_types(screen.events()) == ["box_drawn"] * 2


def test_moving_and_all_eight_handles(task_of: TaskOf) -> None:
    """Each drag is one event, and each handle moves its own edges to where it was let go."""
    sheet = sheet_of(task_of("t1", DRAWING))
    screen = sheet.screen
    box = sheet.draw((100, 150, 300, 400))
    sheet.drag((200, 300), (215.5, 290))
    (event,) = screen.has("box_moved")
    assert event.fields()["how"] == "drag"
    rect = list(sheet.boxes()[-1].rect)
    close_to(rect, (115.5, 140, 315.5, 390))
    edges = {"n": 1, "s": 3, "w": 0, "e": 2}
    for number, handle in enumerate(("nw", "n", "ne", "e", "se", "s", "sw", "w"), start=1):
        to = {
            "n": 130 - 8 * number,
            "s": 430 + 9 * number,
            "w": 90 - 8 * number,
            "e": 330 + 9 * number,
        }
        middle = ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
        x = next((to[direction] for direction in handle if direction in "we"), middle[0])
        y = next((to[direction] for direction in handle if direction in "ns"), middle[1])
        sheet.pull(handle, (x, y))
        screen.has("box_resized", number)
        now = sheet.boxes()[-1].rect
        for direction, edge in edges.items():
            if direction in handle:
                assert now[edge] == pytest.approx(to[direction], abs=PIXEL), handle
            else:
                assert now[edge] == rect[edge], handle
        rect = list(now)
    sheet.pull("se", (10, 10))
    screen.has("box_resized", 9)
    now = sheet.boxes()[-1].rect
    assert (now[2] - now[0], now[3] - now[1]) == pytest.approx((3, 3)), "never smaller than allowed"
    assert sheet.boxes()[-1].id == box.id


def test_a_box_event_is_small_on_the_wire(task_of: TaskOf) -> None:
    """Body and our own headers of a box event take less than a kilobyte."""
    sheet = sheet_of(task_of("t1", DRAWING))
    sheet.screen.has("view_changed")  # of “fit page”, sent after a pause
    sheet.screen.wait_until_saved()
    with sheet.screen.page.expect_request(lambda r: "box_drawn" in (r.post_data or "")) as sent:
        sheet.draw((100, 150, 200, 250))
    request = sent.value
    body = request.post_data or ""
    assert [event["type"] for event in json.loads(body)["events"]] == ["box_drawn"]
    counted_headers = ("x-pagetrail", "accept", "content-type")
    headers = [
        f"{name}: {value}" for name, value in request.headers.items() if name in counted_headers
    ]
    assert len(headers) == 3
    assert len(body.encode()) + sum(len(line) + 2 for line in headers) < 1_000


def test_a_given_element_is_corrected_not_replaced(task_of: TaskOf) -> None:
    """Moving a model's element keeps the model's value; the page says what became of it."""
    sheet = sheet_of(task_of("t1", DRAWING), boxed.WIDE)
    screen = sheet.screen
    expect(sheet.drawn_box("e1")).to_have_attribute("data-verdict", "open")
    sheet.click(150, 125)
    screen.wait_until_judgeable()
    sheet.drag((150, 125), (160, 125))
    screen.has("box_moved")
    expect(sheet.drawn_box("e1")).to_have_attribute("data-verdict", "corrected")
    screen.page.keyboard.press("Control+z")
    screen.has("undone")
    expect(sheet.drawn_box("e1")).to_have_attribute("data-verdict", "open")
    (box,) = sheet.boxes()
    assert box.model is not None and box.rect == box.model.rect == (100, 100, 200, 150)
    assert [e.fields()["how"] for e in of_type(screen.events(), "box_moved")] == ["drag"]
    assert PLAIN not in {b.page for b in sheet.boxes()}

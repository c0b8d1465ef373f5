"""Turns points on a page into pointer movements, for tests that draw."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log
from typing import Any

from playwright.sync_api import Locator, expect

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.events import Event
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.box_workspace import DRAWING, MARKS, PLAIN, SIZES
from tests.e2e.support.screen import PATIENCE_MS, Screen, of_type, wait_until

Point = tuple[float, float]
EDGE_CLEARANCE = 16
"""Client pixels from the pane's edge at which a drag does not scroll yet."""


class Sheet:
    """The open page of a screen.

    Where things are on screen is worked out here from the image's place, not by the code that
    is tested.

    Args:
        screen: with the page open.
        page: which of the pages of ``marks.pdf``, or the page's size.
        rotation: degrees by which the view is turned.
    """

    def __init__(
        self, screen: Screen, page: int | tuple[float, float] = PLAIN, rotation: int = 0
    ) -> None:
        self.screen = screen
        self.size = SIZES[page] if isinstance(page, int) else page
        self.rotation = rotation

    def at(self, x: float, y: float) -> Point:
        """Screen position of a point of the page, in client pixels."""
        picture = self.screen.page_image_box()
        a, b = x / self.size[0], y / self.size[1]
        turned = {0: (a, b), 90: (1 - b, a), 180: (1 - a, 1 - b), 270: (b, 1 - a)}
        u, v = turned[self.rotation]
        return picture["x"] + u * picture["width"], picture["y"] + v * picture["height"]

    def drag(self, start: Sequence[float], end: Sequence[float], *, steps: int = 4) -> None:
        """Press at one point of the page, move, and let go at another."""
        mouse = self.screen.page.mouse
        mouse.move(*self.at(start[0], start[1]))
        mouse.down()
        mouse.move(*self.at(end[0], end[1]), steps=steps)
        mouse.up()

    def draw(self, rect: Sequence[float]) -> PageBox:
        """Draw a box with the mouse and return it as stored."""
        self.screen.wait_until_saved()
        before = len(of_type(self.screen.events(), "box_drawn"))
        self.reveal(rect)
        self.drag(rect[:2], rect[2:])
        name = self.screen.has("box_drawn", before + 1)[-1].fields()["box"]
        return next(box for box in self.boxes() if box.id == name)

    def reveal(self, rect: Sequence[float]) -> None:
        """Scroll a part of the page into view, clear of the pane's edges.

        A drag that reaches an edge scrolls the page along, and so ends elsewhere than asked.
        """
        pane = self.screen.part("page-pane")
        corners = [self.at(rect[0], rect[1]), self.at(rect[2], rect[3])]
        (left, right), (top, bottom) = (
            sorted(coordinates) for coordinates in zip(*corners, strict=True)
        )
        pane.evaluate(
            """(pane, [left, top, right, bottom, clear]) => {
              const seen = pane.getBoundingClientRect();
              pane.scrollTop += Math.max(0, bottom + clear - seen.top - pane.clientHeight);
              pane.scrollTop -= Math.max(0, seen.top - top + clear);
              pane.scrollLeft += Math.max(0, right + clear - seen.left - pane.clientWidth);
              pane.scrollLeft -= Math.max(0, seen.left - left + clear);
            }""",
            [left, top, right, bottom, EDGE_CLEARANCE],
        )

    def click(self, x: float, y: float) -> None:
        """Click at a point of the page."""
        self.screen.page.mouse.click(*self.at(x, y))

    def grip(self, edge: str) -> Point:
        """A point on a handle, client pixels."""
        box = (
            self.screen.part("box-handle")
            .and_(self.screen.page.locator(f"[data-edge={edge}]"))
            .bounding_box()
        )
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def pull(self, edge: str, to: Sequence[float]) -> None:
        """Drag a handle of the selected box so that the edges it moves end at a point."""
        mouse = self.screen.page.mouse
        grip = self.grip(edge)
        (rect,) = (box.rect for box in self.boxes() if box.id == self.selected())
        x = rect[0] if "w" in edge else rect[2] if "e" in edge else (rect[0] + rect[2]) / 2
        y = rect[1] if "n" in edge else rect[3] if "s" in edge else (rect[1] + rect[3]) / 2
        start, end = self.at(x, y), self.at(to[0], to[1])
        mouse.move(*grip)
        mouse.down()
        mouse.move(end[0] + grip[0] - start[0], end[1] + grip[1] - start[1], steps=4)
        mouse.up()

    def boxes(self) -> list[PageBox]:
        """The stored boxes that are not deleted, in the order they were made."""
        return remaining_boxes(self.screen.events())

    def drawn_box(self, box: str) -> Locator:
        """A box on the page, as an element."""
        return self.screen.page.locator(f"[data-testid=box][data-id='{box}']")

    def selected(self) -> str | None:
        """Id of the selected box."""
        tags = self.screen.page.locator(".box-tag.selected")
        return tags.get_attribute("data-id") if tags.count() else None


_KEYS = """(keys) => {
  let target = document.activeElement;
  while (target?.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
  for (const name of keys) {
    const [key, ...held] = name.split("+").reverse();
    const event = { key, shiftKey: held.includes("Shift"), bubbles: true, composed: true };
    target.dispatchEvent(new KeyboardEvent("keydown", { ...event, cancelable: true }));
    target.dispatchEvent(new KeyboardEvent("keyup", event));
  }
}"""


def press_at_once(screen: Screen, *keys: str) -> None:
    """Press keys without a pause in between, however slow the machine is."""
    screen.page.evaluate(_KEYS, list(keys))


def remaining_boxes(events: list[Event]) -> list[PageBox]:
    """The boxes after these events, without deleted ones."""
    return [box for box in fold(events).boxes.boxes if not box.deleted]


def box_event_types(events: list[Event]) -> list[str]:
    """The types of the events that change boxes."""
    return [e.type for e in events if e.type.startswith(("box_", "undone", "redone"))]


def open_page(
    screen_of: OpenScreen, page: int = PLAIN, *, campaign: str = DRAWING, **options: Any
) -> Sheet:
    """Open a task's page, fitted to the pane, with the box tool chosen and snapping off."""
    screen = screen_of("alma", "t1", campaign=campaign, **options)
    screen.wait_until_painted(MARKS, 1)
    if screen.part("tool-box").get_attribute("aria-pressed") != "true":
        screen.part("tool-box").click()
    # Where words may be selected, they may have come with the page: nothing asks for them again.
    wait_until(screen.page, lambda: _are_words_loaded(screen), bool)
    return sheet_of(screen, page)


def _are_words_loaded(screen: Screen) -> bool:
    word_requests = [request for request in screen.page.requests() if "/words?" in request.url]
    replies = [request.response() for request in word_requests]
    return any(reply is not None and reply.finished() is None for reply in replies)


def sheet_of(screen: Screen, page: int = PLAIN) -> Sheet:
    """The same for a task that is already open."""
    screen.wait_until_painted(MARKS, 1)
    for number in range(2, page + 1):
        screen.part("page-next").click()
        screen.wait_until_painted(MARKS, number)
    screen.part("fit-page").click()
    if screen.part("tool-box").get_attribute("aria-pressed") != "true":
        screen.part("tool-box").click()
    if screen.part("snap").get_attribute("aria-pressed") == "true":
        screen.part("snap").click()
    return Sheet(screen, page)


def wheel_to(screen: Screen, percent: int) -> None:
    """Zoom with Ctrl and the wheel, to a percentage that no button gives."""
    screen.part("zoom-level").click()
    expect(screen.part("zoom-level")).to_have_text("100 %")
    pane = screen.part("page-pane").bounding_box()
    assert pane is not None
    screen.page.mouse.move(pane["x"] + 200, pane["y"] + 100)
    screen.page.keyboard.down("Control")
    pixels = -600 * log(percent / 100)
    turns = ceil(abs(pixels) / 100)
    ratio: float = screen.page.evaluate("devicePixelRatio")  # the browser is told device pixels
    for _ in range(turns):
        before = screen.part("zoom-level").inner_text()
        screen.page.mouse.wheel(0, ratio * pixels / turns)
        expect(screen.part("zoom-level")).not_to_have_text(before)  # two at once count as one
    screen.page.keyboard.up("Control")
    expect(screen.part("zoom-level")).to_have_text(f"{percent} %", timeout=PATIENCE_MS)

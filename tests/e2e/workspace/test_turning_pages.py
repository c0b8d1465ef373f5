"""Reading on by keys, wheel and finger, going back to the last page, and enlarged results."""

from __future__ import annotations

from playwright.sync_api import FloatRect, expect

from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, wait_until
from tests.e2e.support.small_workspace import CAMPAIGN, REPORT
from tests.e2e.support.touch import Hand


def is_larger(boxes: tuple[FloatRect | None, FloatRect | None]) -> bool:
    """Whether the first box is clearly higher than the second."""
    large, small = boxes
    return large is not None and small is not None and large["height"] >= 1.3 * small["height"]


def test_reading_on_and_back(task_of: TaskOf) -> None:
    """Page ↓ scrolls before it turns, the wheel turns at the end, ``l`` goes back and forth."""
    screen = task_of("q3", CAMPAIGN)
    screen.search("annual ledger")
    _a_result_that_is_pointed_at_is_shown_larger(screen)
    document, first = screen.open_result(1)
    assert document == REPORT
    pane, keys = screen.part("page-pane"), screen.page.keyboard
    keys.press("PageDown")
    scrolled = "pane => pane.scrollTop"
    assert pane.evaluate(scrolled) > 0
    expect(screen.part("page-number")).to_have_value(str(first))
    pane.evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    keys.press("PageDown")
    screen.wait_until_painted(REPORT, first + 1)
    assert pane.evaluate(scrolled) == 0, "a page begins at its top"
    screen.has("page_viewed", 2)

    box = pane.bounding_box()
    assert box is not None
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pane.evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    screen.page.mouse.wheel(0, 120)
    screen.wait_until_painted(REPORT, first + 2)
    screen.has("page_viewed", 3)

    screen.part("page-number").fill("17")
    screen.part("page-number").press("Enter")
    screen.wait_until_painted(REPORT, 17)
    screen.has("page_viewed", 4)
    pane.focus()
    for number, page in enumerate((first + 2, 17), start=5):
        keys.press("l")
        screen.wait_until_painted(REPORT, page)
        screen.has("page_viewed", number)
    views = [event.fields() for event in screen.has("page_viewed", 6)]
    assert [(view["page"], view["via"]) for view in views] == [
        *((first, "result"), (first + 1, "next"), (first + 2, "next")),
        *((17, "jump"), (first + 2, "back"), (17, "back")),
    ]


def _a_result_that_is_pointed_at_is_shown_larger(screen: Screen) -> None:
    card, preview = screen.result(2), screen.part("preview")
    expect(preview).to_be_hidden()
    card.hover()
    expect(preview).to_be_visible()
    wait_until(
        screen.page,
        lambda: (preview.bounding_box(), card.locator("img").bounding_box()),
        is_larger,
    )
    assert preview.locator("img").get_attribute("src") == card.locator("img").get_attribute("src")
    screen.page.keyboard.press("Escape")
    expect(preview).to_be_hidden()
    assert "page_viewed" not in screen.kinds()


def test_swiping_turns_pages(task_of: TaskOf) -> None:
    """A finger sideways turns a page that fits, and moves an enlarged one."""
    screen = task_of("q3", CAMPAIGN, has_touch=True)
    screen.search("annual ledger")
    _, first = screen.open_result(1)
    pane, hand = screen.part("page-pane"), Hand(screen)
    box = pane.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    left, right = (box["x"] + box["width"] * part for part in (0.05, 0.95))

    hand.drag((right, middle), (left, middle))
    screen.wait_until_painted(REPORT, first + 1)
    screen.has("page_viewed", 2)
    hand.drag((left, middle), (right, middle))
    screen.wait_until_painted(REPORT, first)
    screen.has("page_viewed", 3)

    for _ in range(4):
        screen.part("zoom-in").click()
    hand.drag((right, middle), (left, middle))
    scrolled = "pane => pane.scrollLeft"
    wait_until(screen.page, lambda: int(pane.evaluate(scrolled)), lambda pixels: pixels > 60)
    screen.part("page-next").click()
    screen.wait_until_painted(REPORT, first + 1)
    views = [event.fields() for event in screen.has("page_viewed", 4)]
    assert [view["via"] for view in views] == ["result", "next", "previous", "next"]

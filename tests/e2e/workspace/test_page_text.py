"""Reading with help: words, a screen reader, finding, recent pages, two pages side by side."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type
from tests.e2e.support.small_workspace import AIDED, CAMPAIGN, STUDY


def test_the_text_of_pages(task_of: TaskOf) -> None:
    """Everything that a campaign may allow, and what the log says of it."""
    screen = task_of("q1", AIDED)
    screen.search("spring")
    screen.open_result(1)
    _words_are_copied_into_the_answer(screen)
    expect(screen.part("page-text")).to_have_text("otters counted in spring: 42otter study 1")
    _a_text_is_found_in_the_document(screen)
    _two_pages_side_by_side(screen)
    _recent_pages_are_a_key_away(screen)
    screen.go(screen.attempt, document=STUDY, page=4)
    screen.wait_until_painted(STUDY, 4)
    assert of_type(screen.events(), "page_text_read") == []


def test_page_images_are_read_out_when_asked_for(task_of: TaskOf) -> None:
    """Where people see what agents see, each page that is read as text is recorded."""
    screen = task_of("q2", CAMPAIGN)
    screen.search("badgers")
    screen.open_result(1)
    page = screen.page
    page.keyboard.press("Shift+Tab")
    expect(screen.part("page-text-toggle")).to_be_focused()
    page.keyboard.press("Enter")
    expect(screen.part("page-text")).to_contain_text("badgers dig setts")
    (read,) = screen.has("page_text_read")
    assert (read.fields()["document"], read.fields()["page"]) == ("plain.pdf", 1)
    page.keyboard.press("Control+f")
    expect(screen.part("find")).to_be_hidden()


def test_the_calculator_takes_numbers_from_a_page(task_of: TaskOf) -> None:
    """By key from the selected words; the result goes into the answer, and all is recorded."""
    screen = task_of("q1", AIDED)
    page = screen.page
    screen.search("spring")
    screen.open_result(1)
    page.keyboard.press("t")
    _drag(screen, (150, 70), (330, 70))
    expect(screen.part("copy-to-calculator")).to_be_visible()
    page.keyboard.press("Alt+k")
    expect(screen.part("calculation")).to_be_focused()
    expect(screen.part("calculation")).to_have_value("42")
    (copied,) = screen.has("text_copied")
    assert copied.fields()["to"] == "calculator"
    page.keyboard.press("End")
    page.keyboard.type(" ÷ 0")
    page.keyboard.press("Enter")
    expect(screen.part("calculation-error")).to_have_text("A division by zero has no result.")
    page.keyboard.press("Backspace")
    page.keyboard.type("4 × 1,000")
    expect(screen.part("calculation-result")).to_have_text("42 ÷ 4 × 1000 = 10500")
    page.keyboard.press("Enter")
    expect(screen.part("calculation")).to_have_value("10500")
    page.keyboard.type("−0.5")
    screen.part("use-result").click()
    expect(screen.part("answer")).to_have_value("10499.5")
    expect(screen.part("calculations").locator("li")).to_have_count(2)
    events = screen.has("calculated", 2)
    assert [event.fields() for event in events] == [
        {"expression": "42/4*1000", "result": "10500"},
        {"expression": "10500-0.5", "result": "10499.5"},
    ]


def _a_text_is_found_in_the_document(screen: Screen) -> None:
    page = screen.page
    page.keyboard.press("Control+f")
    screen.part("find").fill("Otters  counted")
    page.keyboard.press("Enter")
    expect(screen.part("find-count")).to_have_text("1 of 2")
    expect(page.locator(".found .present")).to_have_count(2)
    page.keyboard.press("Enter")
    screen.wait_until_painted(STUDY, 2)
    expect(screen.part("find-count")).to_have_text("2 of 2")
    expect(page.locator(".found .present")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(screen.part("find")).to_be_hidden()
    (search_event,) = screen.has("document_searched")
    assert search_event.fields() == {
        "document": STUDY,
        "text": "Otters  counted",
        "hits": 2,
        "pages": 2,
    }
    assert screen.has("page_viewed", 2)[-1].fields()["via"] == "find"


def _two_pages_side_by_side(screen: Screen) -> None:
    page = screen.page
    page.keyboard.press("d")
    expect(screen.part("beside-name")).to_have_text(f"{STUDY}, page 2")
    page.keyboard.press("ArrowRight")
    screen.wait_until_painted(STUDY, 3)
    expect(screen.part("beside-pane").locator("canvas")).to_be_visible()
    page.keyboard.press("Shift+D")
    screen.wait_until_painted(STUDY, 2)
    expect(screen.part("beside-name")).to_have_text(f"{STUDY}, page 3")
    page.keyboard.press("d")
    expect(screen.part("beside")).to_be_hidden()
    pages_beside = [event.fields()["page"] for event in screen.has("page_beside", 3)]
    assert pages_beside == [2, 3, None]


def _recent_pages_are_a_key_away(screen: Screen) -> None:
    page = screen.page
    page.keyboard.press("Shift+L")
    expect(screen.part("recent-page")).to_have_count(2)
    page.keyboard.press("2")
    screen.wait_until_painted(STUDY, 1)
    assert screen.has("page_viewed", 5)[-1].fields()["via"] == "recent"


def _words_are_copied_into_the_answer(screen: Screen) -> None:
    page = screen.page
    page.keyboard.press("t")
    expect(screen.part("select-text")).to_have_attribute("aria-pressed", "true")
    _drag(screen, (150, 70), (330, 70))
    expect(page.locator(".words rect")).not_to_have_count(0)
    page.keyboard.press("x")
    expect(screen.part("answer")).to_have_value("in spring: 42")
    (copied,) = screen.has("text_copied")
    assert copied.fields() == {
        "document": STUDY,
        "page": 1,
        "text": "in spring: 42",
        "to": "answer",
        "rect": None,
    }
    expect(page.locator(".words rect")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(screen.part("answer")).to_have_value("")
    page.keyboard.press("Escape")
    expect(screen.part("select-text")).to_have_attribute("aria-pressed", "false")


def _drag(screen: Screen, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag on the open page from one point to another."""
    (x0, y0), (x1, y1) = (_at(screen, point) for point in (start, end))
    mouse = screen.page.mouse
    mouse.move(x0, y0)
    mouse.down()
    mouse.move(x1, y1, steps=6)
    mouse.up()


def _at(screen: Screen, point: tuple[float, float]) -> tuple[float, float]:
    box = screen.page_image_box()
    return box["x"] + point[0] / 420 * box["width"], box["y"] + point[1] / 560 * box["height"]

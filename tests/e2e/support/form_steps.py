"""Steps of browser tests with fields and the strip of pages."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.e2e.support.grading_workspace import PAGES
from tests.e2e.support.screen import Screen


def option(screen: Screen, field: str, value: str) -> Locator:
    """An option of a field in the right panel."""
    return screen.page.locator(f"[data-testid=option][data-field={field}][data-value='{value}']")


def film(screen: Screen, document: str, page: int) -> Locator:
    """A page's card in the strip."""
    cards = screen.part("films").get_by_test_id("film")
    return cards.and_(screen.page.locator(f"[data-document='{document}'][data-page='{page}']"))


def press_grades(screen: Screen, grades: list[str]) -> None:
    """Grade one page after the other by key; after grade 0 the next page opens by itself."""
    for page_ref, grade in zip(PAGES, grades, strict=True):
        expect(film(screen, **page_ref)).to_have_attribute("aria-current", "true")
        screen.wait_until_painted(**page_ref)
        screen.judge(grade)
        expect(film(screen, **page_ref)).to_have_attribute("data-grade", grade)
        if grade != "0":
            expect(film(screen, **page_ref)).to_have_attribute("aria-current", "true")
            screen.page.keyboard.press("ArrowRight")


def take_box_tool(screen: Screen) -> None:
    """Choose the box tool by key, unless the task before has left it chosen."""
    tool = screen.part("tool-box")
    if tool.get_attribute("aria-pressed") != "true":
        screen.page.keyboard.press("b")
    expect(tool).to_have_attribute("aria-pressed", "true")


def drag_box(screen: Screen, *, down: int = 0) -> None:
    """Draw a box on the open page with the mouse, the tool being chosen."""
    area = screen.part("page-pane").bounding_box()
    assert area is not None
    x, y = area["x"] + area["width"] / 3, area["y"] + 60 + down
    screen.page.mouse.move(x, y)
    screen.page.mouse.down()
    screen.page.mouse.move(x + 90, y + 50, steps=4)
    screen.page.mouse.up()


def draw(screen: Screen, *, label: str) -> None:
    """Draw a box on the open page with the mouse, and give it a label by key."""
    keys = {"Text": "1", "Table": "2", "Chart": "3"}
    count = screen.part("box").count()
    take_box_tool(screen)
    drag_box(screen)
    expect(screen.part("box")).to_have_count(count + 1)
    screen.page.keyboard.press(keys[label])
    expect(screen.part("box").last).to_have_attribute("data-label", label)
    for _ in range(2):
        screen.page.keyboard.press("Escape")
    expect(screen.part("tool-pan")).to_have_attribute("aria-pressed", "true")


def keycap(screen: Screen, field: str, value: str) -> Locator:
    """The key printed on an option."""
    return option(screen, field, value).locator("kbd")


def text_input(screen: Screen, field: str) -> Locator:
    """The input of a number or text field."""
    return screen.page.locator(f"[data-testid=field-input][data-field={field}]")


def field(screen: Screen, name: str) -> Locator:
    """A field with its label, help and error."""
    return screen.page.locator(f"[data-testid=field][data-field={name}]")


def error(screen: Screen, name: str) -> Locator:
    """The error message of a field."""
    return screen.page.locator(f"[data-testid=field-error][data-field={name}]")

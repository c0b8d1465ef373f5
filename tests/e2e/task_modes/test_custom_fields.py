"""A custom campaign: fields of boxes and tables of pages, defined by settings."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from pagetrail.annotation.attempts.state import fold
from tests.e2e.support.drawing import Sheet
from tests.e2e.support.form_steps import take_box_tool
from tests.e2e.support.preset_workspace import CUSTOM_FIELDS, HEIGHT, SURVEY, WIDTH
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type


@pytest.fixture
def screen(task_of: TaskOf) -> Screen:
    """Two pages without a box."""
    screen = task_of("two-pages", CUSTOM_FIELDS)
    screen.wait_until_painted(SURVEY, 1)
    return screen


def option(screen: Screen, value: str) -> Locator:
    """An option of the selected box's field."""
    field = screen.part("inspector").get_by_test_id("field")
    return field.locator(f"[data-value={value}]")


def cell(screen: Screen, row: int, column: str) -> Locator:
    """A cell of the page's table, counted from 1."""
    cells = screen.part("row").nth(row - 1).get_by_test_id("cell")
    return cells.and_(screen.page.locator(f"[data-column={column}]"))


def test_fields_of_boxes_and_tables_of_pages(screen: Screen) -> None:
    """What is said of a box stays with it, a page's rows with the page, and gaps are found."""
    take_box_tool(screen)
    Sheet(screen, (WIDTH, HEIGHT)).draw((30, 30, 200, 80))
    expect(screen.part("element")).to_have_count(1)
    Sheet(screen, (WIDTH, HEIGHT)).draw((30, 110, 200, 160))
    expect(screen.part("element")).to_have_count(2)
    screen.judge("n")
    expect(option(screen, "no")).to_have_attribute("aria-checked", "true")
    screen.part("element").first.click()
    expect(option(screen, "no")).to_have_attribute("aria-checked", "false")

    screen.part("row-add").click()
    cell(screen, 1, "what").fill("otters")
    cell(screen, 1, "value").fill("42")
    screen.part("film").nth(1).click()
    screen.wait_until_painted(SURVEY, 2)
    expect(screen.part("row")).to_have_count(0)
    expect(screen.part("element")).to_have_count(0)
    screen.part("row-add").click()
    cell(screen, 1, "value").fill("17")

    screen.part("submit").click()
    expect(screen.part("missing-figures")).to_contain_text("1 row without What")
    expect(screen.part("missing-legible")).to_contain_text("not set for 1 box on page 1")
    screen.part("fix-legible").click()
    screen.wait_until_painted(SURVEY, 1)
    expect(screen.part("element").first).to_have_attribute("aria-current", "true")
    click_verdict(option(screen, "yes"))
    expect(cell(screen, 1, "what")).to_have_value("otters")
    screen.part("film").nth(1).click()
    screen.wait_until_painted(SURVEY, 2)
    cell(screen, 1, "what").fill("counties")
    attempt = screen.attempt
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    screen.has("submitted", attempt=attempt)

    state = fold(screen.events(attempt))
    first, second = state.boxes.boxes
    assert state.value("legible", box=first.id) == "yes"
    assert state.value("legible", box=second.id) == "no"
    assert [(row.page, row.values) for row in state.rows] == [
        (1, {"what": "otters", "value": "42"}),
        (2, {"value": "17", "what": "counties"}),
    ]
    assert len(of_type(screen.events(attempt), "field_set")) == 2

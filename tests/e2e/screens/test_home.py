"""My batches: the next task first, then a list that stays short however many batches there are."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.appearance import (
    SCHEMES,
    axe_findings,
    expect_no_overflow,
    set_scheme,
)
from tests.e2e.support.home_workspace import FEW, MANY, NOBODY
from tests.e2e.support.screen import Screen, press, wait_until, wait_until_drawn

ROW_PX = 80
"""The height that a line of the list has at most at 100 %."""


def test_sixteen_batches(screen_of: OpenScreen, workspace: Workspace) -> None:
    """One key opens the next task; back on the screen, it names that task."""
    screen = screen_of(FEW)
    page = screen.page
    card = _card(page)
    expect(card).to_contain_text("Annual accounts ·")
    expect(card).to_contain_text("Task 1 of 2")
    expect(card).to_contain_text("Overdue since")
    expect(_rows(page)).to_have_count(15)
    wait_until_drawn(page)
    assert _top(card) < min(_top(row) for row in _rows(page).all())
    first = _rows(page).first
    assert re.match(r"^(Annual accounts|Harbour reports) · \w+", first.inner_text())
    wait_until(page, first.bounding_box, lambda box: box is not None and box["height"] <= ROW_PX)
    for scheme in SCHEMES:
        set_scheme(page, scheme)
        assert axe_findings(screen.page) == [], scheme
    page.emulate_media(color_scheme="light")

    page.keyboard.press("n")
    screen.wait_until_ready()
    assert screen.attempt in _attempts(workspace, FEW)
    question = screen.part("question").inner_text()
    screen.has("opened")
    page.goto(f"{screen.url}/")
    expect(card).to_contain_text(re.compile(r"Task \d of 2: "))
    expect(card).to_contain_text(question)
    expect(card.get_by_role("button")).to_contain_text("Continue")


def test_two_hundred_batches(screen_of: OpenScreen) -> None:
    """The list has pages, and the filter finds a campaign or a batch while it is typed."""
    screen = screen_of(MANY)
    page = screen.page
    expect(_card(page)).to_contain_text("Survey A ·")
    expect(_rows(page)).to_have_count(25)
    last = _rows(page).last.inner_text()
    press(page.get_by_role("button", name="Next page"))
    expect(page.get_by_text(last.split("\n")[0], exact=True)).to_have_count(0)
    expect(_rows(page)).to_have_count(25)

    field = page.get_by_role("textbox", name="Filter by campaign or batch")
    field.press_sequentially("survey d")
    expect(_rows(page).first).to_contain_text("Survey D ·")
    wait_until_drawn(page)
    name = _rows(page).nth(3).inner_text().split("\n")[0].partition(" · ")[2]
    field.fill(f"survey d {name}")
    expect(_rows(page)).to_have_count(1)
    expect(_rows(page)).to_contain_text(f"Survey D · {name}")
    field.fill("no such batch")
    expect(page.get_by_text("No batch here matches “no such batch”.")).to_be_visible()
    field.fill("")
    expect(_rows(page)).to_have_count(25)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_list_fits_at_200_percent(screen_of: OpenScreen, scheme: str) -> None:
    """Half of a laptop's window: nothing scrolls sideways, and the next task is in sight."""
    screen = screen_of(FEW, viewport={"width": 683, "height": 384}, color_scheme=scheme)
    expect(_rows(screen.page)).to_have_count(15)
    wait_until_drawn(screen.page)
    wait_until(screen.page, lambda: _sideways(screen), lambda pixels: pixels <= 0)
    expect(_card(screen.page).get_by_role("button")).to_be_in_viewport(ratio=1)
    expect_no_overflow(screen)
    assert axe_findings(screen.page) == []


def test_without_batches(screen_of: OpenScreen) -> None:
    """A sentence says who assigns them; there is no empty list and nothing to press."""
    page = screen_of(NOBODY).page
    expect(page.get_by_text("You have no batches yet.")).to_be_visible()
    expect(_rows(page)).to_have_count(0)
    expect(_card(page)).to_have_count(0)
    expect(page.get_by_role("heading", name="Other batches")).to_have_count(0)


def _card(page: Page) -> Locator:
    return page.locator("[class*='st-key-next-']")


def _rows(page: Page) -> Locator:
    return page.locator("[class*='st-key-batch-'][data-testid='stVerticalBlock']").filter(
        has=page.get_by_role("button")
    )


def _top(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def _sideways(screen: Screen) -> float:
    """Client pixels by which the screen scrolls sideways."""
    pixels: float = screen.page.get_by_test_id("stMain").evaluate(
        "(main) => main.scrollWidth - main.clientWidth"
    )
    return pixels


def _attempts(workspace: Workspace, name: str) -> set[str]:
    person = find_person(workspace, name)
    rows = my_batches.assignments(workspace.engine, person.id)
    return {
        task.attempt_id
        for row in rows
        for task in queries.batch_tasks(workspace.engine, row.assignment_id)
    }

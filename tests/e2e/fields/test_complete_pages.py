"""When a page is complete, what is missing until then, and how little it takes to complete it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.events import Event
from tests.e2e.support.action_count import count_from_now, counted_actions
from tests.e2e.support.form_steps import (
    drag_box,
    film,
    option,
    take_box_tool,
)
from tests.e2e.support.grading_workspace import GRADING, JUDGING, REPORT, REVIEW
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type

Stored = Callable[[str], list[Event]]
MODALITIES = "Modalities of the relevant content"


def is_open(screen: Screen, page: int) -> None:
    """Check that a page of the report is the open one."""
    expect(film(screen, REPORT, page)).to_have_attribute("aria-current", "true")


def pressed_modalities(screen: Screen) -> Locator:
    """The modalities that are chosen on the open page."""
    return screen.page.locator(
        "[data-testid=option][data-field=modalities][aria-pressed=true]:not([disabled]) > span"
    )


def test_one_number_counts_complete_pages(task_of: TaskOf) -> None:
    """A graded page is not counted while something is missing, which is named."""
    screen = task_of("vague", GRADING)
    screen.wait_until_painted(REPORT, 1)
    done, missing = screen.part("pages-graded"), screen.part("page-missing")
    expect(done).to_have_text("0 of 3 pages complete")
    expect(missing).to_have_text("Missing: Relevance")
    screen.judge("2")
    expect(done).to_have_text("0 of 3 pages complete")
    expect(screen.part("next-unfinished")).to_have_text("3 open")
    expect(missing).to_have_text(f"Missing: {MODALITIES}, a box")
    screen.judge("0")
    is_open(screen, 2)
    expect(done).to_have_text("1 of 3 pages complete")
    expect(screen.part("next-unfinished")).to_have_text("2 open")


def test_boxes_fill_the_modalities(task_of: TaskOf, stored: Stored) -> None:
    """Labels are typed by their first letter; `v` confirms the modalities and goes on.

    Later boxes of the page change what was filled, and nobody is asked about it.
    """
    screen = task_of("saale", GRADING)
    keys = screen.page.keyboard
    screen.wait_until_painted(REPORT, 1)
    screen.judge("2")
    take_box_tool(screen)
    screen.part("box-label").first.click()
    drag_box(screen)
    box = screen.part("box").first
    for label in ("Table", "Text", "Table"):
        keys.press("t")
        expect(box).to_have_attribute("data-label", label)
    expect(pressed_modalities(screen)).to_have_text(["Table"])
    expect(screen.part("page-missing")).to_have_text(f"Missing: {MODALITIES} to confirm")
    screen.wait_until_saved()
    assert fold(stored(screen.attempt)).value("modalities", REPORT, 1) is None
    is_open(screen, 1)
    screen.judge("v")
    is_open(screen, 2)
    keys.press("ArrowLeft")
    screen.wait_until_painted(REPORT, 1)
    drag_box(screen, down=90)
    keys.press("c")
    expect(pressed_modalities(screen)).to_have_text(["Table", "Chart"])
    expect(screen.part("confirm-contradiction")).to_have_count(0)
    screen.wait_until_saved()
    assert fold(stored(screen.attempt)).value("modalities", REPORT, 1) == ("table", "chart")


def test_a_complete_page_is_left_by_whatever_completes_it(task_of: TaskOf) -> None:
    """A grade by mouse, a box, a confirmation; not with the switch off, which is remembered."""
    screen = task_of("saale", GRADING, reduced_motion="reduce")
    screen.wait_until_painted(REPORT, 1)
    click_verdict(option(screen, "relevance", "0"))
    is_open(screen, 2)
    screen.wait_until_painted(REPORT, 2)
    click_verdict(option(screen, "relevance", "2"))
    click_verdict(option(screen, "modalities", "text"))
    take_box_tool(screen)
    drag_box(screen)
    is_open(screen, 3)
    screen.wait_until_painted(REPORT, 3)
    click_verdict(option(screen, "relevance", "2"))
    click_verdict(option(screen, "modalities", "text"))
    click_verdict(option(screen, "modalities", "chart"))
    drag_box(screen)
    expect(screen.part("contradiction")).to_contain_text("Boxes: Text.")
    click_verdict(screen.part("confirm-contradiction"))
    is_open(screen, 4)

    screen.part("advance").uncheck()
    screen.page.reload()
    screen.wait_until_ready()
    screen.wait_until_painted(REPORT, 4)
    screen.judge("0")
    expect(film(screen, REPORT, 4)).to_have_attribute("data-grade", "0")
    expect(screen.part("pages-graded")).to_contain_text("4 of 30")
    is_open(screen, 4)


def test_actions_of_a_page_with_a_box(task_of: TaskOf) -> None:
    """By keyboard four at most, by mouse three at most, from the page on screen to the next."""
    screen = task_of("saale", GRADING)
    screen.wait_until_painted(REPORT, 1)
    if screen.part("tool-pan").get_attribute("aria-pressed") != "true":
        screen.page.keyboard.press("Escape")
    screen.part("page-pane").focus()
    count_from_now(screen)
    screen.judge("2")
    for key in ("b", "Enter"):
        screen.page.keyboard.press(key)
    expect(screen.part("box")).to_have_count(1)
    screen.judge("v")
    is_open(screen, 2)
    assert counted_actions(screen) <= 4

    screen.wait_until_painted(REPORT, 2)
    count_from_now(screen)
    click_verdict(option(screen, "relevance", "2"))
    drag_box(screen)
    click_verdict(screen.part("confirm-proposal"))
    is_open(screen, 3)
    assert counted_actions(screen) <= 3
    screen.wait_until_saved()
    state = fold(screen.events())
    assert [box.page for box in state.boxes.boxes] == [1, 2]
    assert state.value("modalities", REPORT, 2) == state.value("modalities", REPORT, 1) != ()


def test_actions_of_a_reviewed_pair_and_of_a_verdict(task_of: TaskOf) -> None:
    """Six for a pair with one page, one for each further page; a verdict takes two at most."""
    screen = task_of("pair", REVIEW)
    expect(option(screen, "self_contained", "yes")).to_be_focused()
    count_from_now(screen)
    screen.judge(*"11112")
    for page in (1, 2, 3):
        screen.wait_until_painted(REPORT, page)
        screen.judge("1")
    expect(screen.part("pages-graded")).to_have_text("3 of 3 pages complete")
    assert counted_actions(screen) <= 6 + 2
    assert len(screen.has("field_set", 8)) == 8

    screen = task_of("spring", JUDGING)
    screen.wait_until_painted(REPORT, 1)
    count_from_now(screen)
    screen.judge(*"35")
    values = [event.fields()["value"] for event in of_type(screen.has("field_set", 2), "field_set")]
    assert values == ["incorrect", "wrong_content"]
    assert counted_actions(screen) <= 2

"""Digits and letters: each is printed on the one control that it works on."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Route, expect

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.events import Event
from tests.e2e.support.form_steps import (
    drag_box,
    field,
    film,
    keycap,
    option,
    take_box_tool,
)
from tests.e2e.support.grading_workspace import GRADING, REPORT, REVIEW
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type

Stored = Callable[[str], list[Event]]
QUESTIONS = ("self_contained", "human_like", "question_factual", "response_factual", "complete")


def label_key(screen: Screen, label: str) -> Locator:
    """The key printed on a label of boxes."""
    chips = screen.part("box-label").and_(screen.page.locator(f"[data-label={label}]"))
    return chips.locator("kbd")


def test_digits_do_what_is_printed(task_of: TaskOf) -> None:
    """With the box tool an ungraded page is graded first; then digits label, and say so.

    In a field that has the focus they choose there, whatever the tool is.
    """
    screen = task_of("saale", GRADING)
    keys = screen.page.keyboard
    screen.wait_until_painted(REPORT, 1)
    take_box_tool(screen)
    screen.part("box-label").first.click()
    screen.part("page-pane").focus()
    expect(keycap(screen, "relevance", "2")).to_be_visible()
    expect(label_key(screen, "Table")).to_be_hidden()
    screen.judge("2")
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "2")
    expect(screen.part("box-label").first).to_have_attribute("aria-pressed", "true")

    expect(label_key(screen, "Table")).to_be_visible()
    expect(keycap(screen, "relevance", "2")).to_be_hidden()
    expect(keycap(screen, "relevance", "0")).to_be_visible()
    keys.press("3")
    expect(screen.part("box-label").nth(2)).to_have_attribute("aria-pressed", "true")

    option(screen, "relevance", "2").focus()
    expect(label_key(screen, "Table")).to_be_hidden()
    expect(keycap(screen, "relevance", "1")).to_be_visible()
    screen.judge("1")
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "1")
    expect(screen.part("box-label").nth(2)).to_have_attribute("aria-pressed", "true")


def test_a_box_drawn_too_early_is_kept(task_of: TaskOf, stored: Stored) -> None:
    """It outlives a reload and a grade of 0, and counts once the grade allows it."""
    screen = task_of("saale", GRADING)
    screen.wait_until_painted(REPORT, 1)
    take_box_tool(screen)
    screen.part("box-label").first.click()
    drag_box(screen)
    expect(screen.part("pending-box")).to_have_count(1)
    expect(screen.part("pending-boxes")).to_contain_text(
        "The box is kept. It counts once “Relevance” is Critically relevant or Fully relevant."
    )
    expect(screen.part("box")).to_have_count(0)
    screen.page.reload()
    screen.wait_until_ready()
    screen.wait_until_painted(REPORT, 1)
    expect(screen.part("pending-box")).to_have_count(1)

    click_verdict(option(screen, "relevance", "0"))
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "0")
    screen.wait_until_painted(REPORT, 2)
    screen.page.keyboard.press("ArrowLeft")
    screen.wait_until_painted(REPORT, 1)
    expect(screen.part("pending-box")).to_have_count(1)
    screen.wait_until_saved()
    assert not fold(stored(screen.attempt)).boxes.boxes

    click_verdict(option(screen, "relevance", "2"))
    expect(screen.part("box")).to_have_count(1)
    expect(screen.part("pending-box")).to_have_count(0)
    screen.wait_until_saved()
    (box,) = fold(stored(screen.attempt)).boxes.boxes
    assert (box.page, box.label) == (1, "Text")


def test_a_box_that_is_not_wanted_is_discarded(task_of: TaskOf) -> None:
    """The notice on the page drops what was drawn too early; a grade then adds nothing."""
    screen = task_of("saale", GRADING)
    screen.wait_until_painted(REPORT, 1)
    take_box_tool(screen)
    drag_box(screen)
    screen.part("pending-discard").click()
    expect(screen.part("pending-box")).to_have_count(0)
    click_verdict(option(screen, "relevance", "2"))
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "2")
    expect(screen.part("box")).to_have_count(0)


def test_digits_review_a_pair_from_the_start(task_of: TaskOf, stored: Stored) -> None:
    """The first question has the focus; five digits answer five questions in the order shown.

    The fifth opens a page, which says what that locks. No digit judges a page that is not on
    screen.
    """
    screen = task_of("pair", REVIEW, reduced_motion="reduce")
    keys = screen.page.keyboard
    held: list[Route] = []
    screen.page.route("**/pagetrail/page/**/1?dpi=1*", lambda route: held.append(route))
    expect(option(screen, "self_contained", "yes")).to_be_focused()
    for place, name in enumerate(QUESTIONS, start=1):
        expect(field(screen, name)).to_contain_text(f"{place} of 6")
    for number, name in enumerate(QUESTIONS):
        expect(field(screen, name)).to_have_attribute("aria-current", "step")
        if number == 1:
            expect(field(screen, "self_contained")).to_contain_text(
                "Opening a page locks this; until then it can be corrected."
            )
        screen.judge("1")
    expect(film(screen, REPORT, 1)).to_have_attribute("aria-current", "true")
    keys.press("1")
    expect(screen.part("stage-hint")).to_have_text("Too fast: look at page 1 first.")
    assert held
    for route in held:
        route.continue_()
    screen.page.unroute("**/pagetrail/page/**/1?dpi=1*")
    screen.wait_until_painted(REPORT, 1)
    expect(screen.part("toast")).to_contain_text("has locked “Self-contained”")
    screen.judge("1")
    expect(film(screen, REPORT, 2)).to_have_attribute("aria-current", "true")
    for page in (2, 3):
        screen.wait_until_painted(REPORT, page)
        screen.judge("0")
    expect(screen.part("next-unfinished")).to_be_hidden()
    screen.wait_until_saved()
    events = stored(screen.attempt)
    assert len(of_type(events, "field_set")) == 8
    assert fold(events).value("self_contained") == "yes"


def test_a_digit_in_the_same_moment_judges_nothing(task_of: TaskOf, stored: Stored) -> None:
    """A key pressed as soon as the page is painted is ignored, too: nobody has looked yet."""
    screen = task_of("pair", REVIEW)
    click_verdict(option(screen, "self_contained", "yes"))
    screen.part("page-pane").evaluate(
        """(pane) => {
            new MutationObserver((_, observer) => {
                if (pane.getAttribute("aria-busy") !== "false") return;
                observer.disconnect();
                pane.dispatchEvent(new KeyboardEvent("keydown", {
                    key: "1", bubbles: true, composed: true, cancelable: true }));
            }).observe(pane, { attributes: true, attributeFilter: ["aria-busy"] });
        }"""
    )
    screen.part("film").first.click()
    expect(screen.part("stage-hint")).to_have_text("Too fast: look at page 1 first.")
    screen.wait_until_painted(REPORT, 1)
    expect(film(screen, REPORT, 1)).not_to_have_attribute("data-grade", "1")
    screen.wait_until_saved()
    assert len(of_type(stored(screen.attempt), "field_set")) == 1

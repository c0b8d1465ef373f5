"""Verifying a model's elements: accept, correct, move, delete, add, submit, and lose nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pagetrail.annotation.attempts.state import fold
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.drawing import Sheet
from tests.e2e.support.form_steps import take_box_tool
from tests.e2e.support.preset_workspace import (
    HEIGHT,
    LAYOUT,
    LINES,
    MANY_ELEMENTS,
    SURVEY,
    WIDTH,
    element_rect,
)
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type
from tests.e2e.support.verification_steps import boxes, element, label, verdicts


@pytest.fixture
def screen(task_of: TaskOf) -> Screen:
    """The task of two pages, at its first page."""
    screen = task_of("two-pages", LAYOUT)
    screen.wait_until_painted(SURVEY, 1)
    return screen


def test_two_pages_from_first_to_last(screen: Screen) -> None:
    """Each way to judge an element, with a reload in between; model and person are in the log."""
    page = screen.page
    expect(screen.part("element")).to_have_count(len(LINES[1]))
    expect(screen.part("elements-count")).to_have_text("0 of 6 checked")
    expect(screen.part("elements-task")).to_have_text("All pages: 0 of 9")

    screen.judge("v")  # chooses the first
    expect(element(screen, "e1")).to_have_attribute("aria-current", "true")
    screen.judge("v")
    expect(element(screen, "e1")).to_have_attribute("data-verdict", "accepted")
    expect(element(screen, "e2")).to_have_attribute("aria-current", "true")

    screen.part("element-content").fill("Counting took place on thirteen mornings in spring.")
    expect(screen.part("element-diff").locator("del")).to_have_text("twelve")
    expect(screen.part("element-diff").locator("ins")).to_have_text("thirteen")
    element(screen, "e3").click()  # hands the text over
    label(screen, "Text")
    expect(screen.part("inspector")).to_contain_text("Model: Table → you: Text")
    expect(element(screen, "e2")).to_have_attribute("data-verdict", "corrected")
    screen.has("box_labelled")

    page.reload()
    screen.wait_until_ready()
    screen.wait_until_painted(SURVEY, 1)
    expect(screen.part("elements-count")).to_have_text("3 of 6 checked")
    element(screen, "e2").click()
    expect(screen.part("element-content")).to_have_value(
        "Counting took place on thirteen mornings in spring."
    )

    element(screen, "e4").click()
    screen.part("element-y").fill("284.5")
    screen.part("element-y").press("Enter")
    screen.part("element-width").fill("300")
    screen.part("element-width").press("Enter")
    screen.part("element-order").select_option("e6")
    screen.part("attribute-value").fill("sans")
    screen.part("attribute-value").press("Enter")
    expect(screen.part("inspector")).to_contain_text("Model: serif")

    element(screen, "e5").click()
    click_verdict(screen.part("element-delete"))
    expect(element(screen, "e5")).to_have_attribute("data-verdict", "deleted")
    element(screen, "e6").click()
    click_verdict(screen.part("element-accept"))
    expect(screen.part("element-accept")).to_have_text("Accepted")

    take_box_tool(screen)
    Sheet(screen, (WIDTH, HEIGHT)).draw((30, 430, 200, 460))
    expect(screen.part("element-content")).to_have_value("Page 1")
    assert screen.has("box_content_edited", 2)[-1].fields()["filled"] is True
    added = screen.part("element").and_(page.locator("[data-verdict=added]"))
    expect(added).to_have_count(1)
    page.keyboard.press("5")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")

    screen.part("submit").click()
    expect(screen.part("missing-boxes")).to_contain_text("3 elements on page 2 of survey.pdf")
    screen.part("fix-boxes").click()
    screen.wait_until_painted(SURVEY, 2)
    screen.wait_until_judgeable()
    screen.part("accept-remaining").click()
    screen.part("confirm-accept").click()
    expect(screen.part("elements-count")).to_have_text("3 of 3 checked")
    screen.wait_until_saved()
    attempt = screen.attempt
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    (submitted,) = screen.has("submitted", attempt=attempt)
    assert submitted.fields()["outcome"] == "completed"

    events = screen.events(attempt)
    seeded = of_type(events, "elements_seeded")
    assert [len(event.fields()["elements"]) for event in seeded] == [6, 3]
    model_element = seeded[0].fields()["elements"][1]
    assert model_element["content"] == LINES[1][1][1]
    assert model_element["rect"] == element_rect(1)
    stored = {box.id: box for box in fold(events).boxes.boxes}
    (new,) = (name for name in stored if not name.startswith("e"))
    assert {name: box.verdict for name, box in stored.items()} == {
        "e1": "accepted",
        "e2": "corrected",
        "e3": "corrected",
        "e4": "corrected",
        "e5": "deleted",
        "e6": "accepted",
        **dict.fromkeys(("e7", "e8", "e9"), "accepted"),
        new: "added",
    }
    changed = stored["e4"]
    assert changed.rect == (40, 284.5, 340, 334.5)
    assert (changed.order, changed.attributes) == (7, {"font": "sans"})
    assert changed.model is not None and list(changed.model.rect) == element_rect(3)
    assert stored["e2"].content == "Counting took place on thirteen mornings in spring."
    assert stored["e2"].model is not None and stored["e2"].model.content == LINES[1][1][1]
    assert stored[new].label == "Page-Footer"
    assert stored[new].rect == pytest.approx((30, 430, 200, 460), abs=4)
    kinds = [event.type for event in events if event.type.startswith("box_")]
    assert kinds.count("box_accepted") == 5
    assert {"box_moved", "box_resized", "box_ordered", "box_attributes_edited"} <= set(kinds)


def test_keys_lead_through_the_elements(screen: Screen) -> None:
    """j, k and the list's arrows choose; v goes on over pages; deleted ones are left out."""
    page = screen.page
    page.keyboard.press("j")
    expect(element(screen, "e1")).to_have_attribute("aria-current", "true")
    page.keyboard.press("j")
    screen.judge("Delete")
    expect(element(screen, "e2")).to_have_attribute("data-verdict", "deleted")
    page.keyboard.press("j")
    expect(element(screen, "e3")).to_have_attribute("aria-current", "true")
    page.keyboard.press("k")
    expect(element(screen, "e1")).to_have_attribute("aria-current", "true")

    element(screen, "e3").focus()
    page.keyboard.press("ArrowDown")
    expect(element(screen, "e4")).to_be_focused()
    expect(element(screen, "e4")).to_have_attribute("aria-current", "true")
    page.keyboard.press("End")
    expect(element(screen, "e6")).to_have_attribute("aria-current", "true")
    page.keyboard.press("j")
    screen.wait_until_painted(SURVEY, 2)
    expect(element(screen, "e7")).to_have_attribute("aria-current", "true")
    screen.judge("v")
    for _ in range(3):
        screen.judge("v")
    expect(screen.part("elements-task")).to_have_text("All pages: 5 of 9")
    screen.wait_until_painted(SURVEY, 1)
    for _ in range(6):
        screen.judge("v")
    expect(screen.part("toast")).to_have_text("All elements are checked.")
    expect(screen.part("elements-count")).to_have_text("6 of 6 checked")
    screen.wait_until_saved()
    assert set(verdicts(screen).values()) == {"accepted", "deleted"}


def test_corrections_and_deletions_can_be_taken_back(screen: Screen) -> None:
    """Back to the model by ordinary events; a deletion while it is the page's last change."""
    element(screen, "e3").click()
    label(screen, "Picture")
    screen.part("element-content").fill("another text")
    screen.part("element-x").fill("50")
    screen.part("element-x").press("Enter")
    expect(screen.part("element-accept")).to_have_text("Corrected")
    click_verdict(screen.part("element-back"))
    expect(element(screen, "e3")).to_have_attribute("data-verdict", "open")
    expect(screen.part("element-content")).to_have_value(LINES[1][2][1])
    expect(screen.part("element-x")).to_have_value("40")
    screen.wait_until_saved()
    assert boxes(screen)["e3"].differences == []

    click_verdict(screen.part("element-delete"))
    restore = screen.part("element-restore").filter(visible=True)
    expect(restore).to_be_enabled()
    restore.click()
    expect(element(screen, "e3")).to_have_attribute("data-verdict", "open")
    expect(element(screen, "e3")).to_have_attribute("aria-current", "true")
    click_verdict(screen.part("element-delete"))
    element(screen, "e4").click()
    click_verdict(screen.part("element-accept"))
    expect(restore).to_be_disabled()
    screen.page.keyboard.press("Control+z")
    expect(element(screen, "e4")).to_have_attribute("data-verdict", "open")
    expect(restore).to_be_enabled()
    screen.wait_until_saved()
    assert verdicts(screen)["e3"] == "deleted"
    assert len(of_type(screen.events(), "undone")) == 2


def test_invalid_positions_stay_in_the_form(screen: Screen) -> None:
    """A mistyped number is named beside it and not recorded."""
    element(screen, "e1").click()
    for text, sentence in (
        ("x", "“x” is not a number."),
        ("1000", "The box must be on the page, which is 420 × 560 points."),
        ("", "One of the four numbers is missing."),
    ):
        screen.part("element-x").fill(text)
        screen.part("element-x").press("Enter")
        expect(screen.part("inspector")).to_contain_text(sentence)
    screen.part("element-x").fill("40")
    screen.part("element-x").press("Enter")
    expect(screen.part("inspector")).not_to_contain_text("missing")
    screen.wait_until_saved()
    assert not of_type(screen.events(), "box_moved", "box_resized")


def test_a_hundred_and_fifty_elements(screen_of: OpenScreen) -> None:
    """All can be accepted at once after asking, one event each; the list stays in place."""
    screen = screen_of("alma", "many", campaign=LAYOUT)
    expect(screen.part("element")).to_have_count(MANY_ELEMENTS)
    element(screen, "e75").click()
    click_verdict(screen.part("element-delete"))
    first = screen.part("element").first.element_handle()
    screen.wait_until_judgeable()
    screen.part("accept-remaining").click()
    expect(screen.part("accept-dialog")).to_contain_text("149 elements of page 1")
    screen.part("confirm-accept").click()
    expect(screen.part("elements-count")).to_have_text("150 of 150 checked")
    expect(screen.part("accept-remaining")).to_be_disabled()
    accepted = screen.has("box_accepted", MANY_ELEMENTS - 1)
    assert {event.fields()["box"] for event in accepted} == {
        f"e{n}" for n in range(1, MANY_ELEMENTS + 1) if n != 75
    }
    assert first is not None and first.is_visible(), "rows are changed in place"

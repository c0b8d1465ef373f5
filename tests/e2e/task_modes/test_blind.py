"""Writing questions blind, and checking a variant next to its original, by keyboard alone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.support.preset_workspace import BLIND, RIVERS, WORDINGS
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import of_type

QUESTION = "How do otters differ between the two rivers?"


def test_a_question_is_written_from_a_summary_alone(task_of: TaskOf) -> None:
    """What is asked for is named with the campaign's numbers; nothing can be searched or opened."""
    screen = task_of("text", BLIND)
    page = screen.page
    requested = screen.part("requested")
    expect(requested.locator("[data-field=query_type]")).to_be_visible()
    expect(requested.locator("[data-field=query_format]")).to_be_visible()
    expect(requested.get_by_test_id("requested-count").first).to_contain_text("in the campaign")
    expect(page.get_by_test_id("search-input")).to_have_count(0)
    expect(page.get_by_test_id("page-number")).to_have_count(0)
    expect(page.get_by_test_id("page-text-toggle")).to_have_count(0)
    expect(screen.part("viewer-empty")).to_contain_text("This task has no pages to open.")
    screen.part("question-input").fill(QUESTION)
    expect(screen.part("checks-status")).to_have_text("up to date")
    checks = [entry.get_attribute("data-check") for entry in screen.part("check").all()]
    assert checks == ["giveaway", "duplicate"]
    attempt = screen.attempt
    screen.part("submit").click()
    expect(screen.part("summary-written")).to_have_text(QUESTION)
    screen.part("confirm-submit").click()
    screen.has("submitted", attempt=attempt)


def test_a_page_image_has_no_text(task_of: TaskOf) -> None:
    """The page can be seen, not read as text; its document's other pages do not open."""
    screen = task_of("image", BLIND)
    screen.wait_until_painted(RIVERS, 1)
    expect(screen.page.get_by_test_id("page-text-toggle")).to_have_count(0)
    expect(screen.part("page-next")).to_be_disabled()


def test_a_variant_is_corrected_next_to_its_original(task_of: TaskOf) -> None:
    """The editor starts with the given text; keys answer the first question."""
    screen = task_of("otters-de", WORDINGS)
    page = screen.page
    original = page.locator("[data-testid=material][data-source=original]")
    expect(original).to_contain_text("How many otters were counted in the Saale?")
    expect(screen.part("question-input")).to_have_value("Wie viele Otter gab es in der Saale?")
    screen.part("question-input").fill("Wie viele Otter wurden in der Saale gezählt?")
    page.keyboard.press("Escape")
    screen.judge("y")
    natural = page.locator("[data-testid=field][data-field=natural]")
    click_verdict(natural.locator("[data-value=yes]"))
    attempt = screen.attempt
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    screen.has("submitted", attempt=attempt)
    events = screen.events(attempt)
    (seeded,) = of_type(events, "question_seeded")
    assert seeded.fields()["text"] == "Wie viele Otter gab es in der Saale?"
    assert of_type(events, "question_edited")

"""A pilot in the browser: feedback after each task, and the mark at the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.e2e.conftest import OpenScreen
from tests.e2e.support.journeys import Traffic
from tests.e2e.support.preset_workspace import PILOT, RIVERS
from tests.e2e.support.screen import Screen, Watch, of_type


@pytest.fixture
def screen(screen_of: OpenScreen) -> Screen:
    """The first of two pilot tasks."""
    return screen_of("alma", "spring", campaign=PILOT)


def answer(screen: Screen, query: str, text: str) -> str:
    """Search, cite the first page, answer and submit; returns the attempt."""
    attempt = screen.attempt
    screen.search(query)
    screen.open_result(1)
    screen.part("cite").click()
    expect(screen.part("cite")).to_have_text("Cited")
    screen.part("answer").fill(text)
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    return attempt


def part(screen: Screen, name: str) -> Locator:
    """A part of the feedback."""
    return screen.part("feedback-part").and_(screen.page.locator(f"[data-part={name}]"))


def test_a_pilot_from_a_mistake_to_its_result(screen: Screen) -> None:
    """Gold is beside the answer, the task stays as submitted, and the end says the result."""
    first = answer(screen, "Saale otters counted", "43")
    expect(screen.part("feedback")).to_contain_text("Not right")
    expect(part(screen, "answer")).to_have_attribute("data-right", "false")
    expect(part(screen, "answer")).to_contain_text("43")
    expect(part(screen, "answer")).to_contain_text("forty-two")
    expect(part(screen, "answer").get_by_test_id("feedback-why")).to_contain_text("differ")
    screen.part("dispute").locator("summary").click()
    screen.part("dispute-reason").fill("the table says 43")
    screen.part("dispute-send").click()
    expect(screen.part("dispute-sent")).to_contain_text("Your supervisor sees this")
    expect(part(screen, "evidence")).to_have_attribute("data-right", "true")
    expect(screen.part("feedback-progress")).to_have_text("0 of 1 right so far, 100 % needed.")
    expect(screen.part("pilot-verdict")).to_have_count(0)
    screen.part("feedback-continue").click()
    expect(screen.part("question")).to_have_text("How long is the Unstrut in kilometres?")

    second = answer(screen, "Herons banks", "192")
    expect(part(screen, "answer")).to_have_attribute("data-right", "true")
    expect(part(screen, "evidence")).to_contain_text(f"page 2 of {RIVERS}")
    expect(part(screen, "evidence")).to_contain_text(f"page 3 of {RIVERS}")
    expect(screen.part("feedback-progress")).to_have_text("0 of 2 right, 100 % needed.")
    expect(screen.part("pilot-verdict")).to_contain_text("Pilot not passed")
    screen.part("feedback-continue").click()
    expect(screen.part("complete-dialog")).to_be_visible()
    screen.page.keyboard.press("Escape")

    expect(screen.part("feedback-line")).to_contain_text("not right")
    expect(screen.part("reopen")).to_have_count(0)
    screen.part("feedback-open").click()
    expect(part(screen, "answer")).to_have_attribute("data-right", "true")
    for attempt, right in ((first, [False, True]), (second, [True, False])):
        (feedback,) = of_type(screen.events(attempt), "feedback_given")
        assert len(of_type(screen.events(attempt), "gold_disputed")) == (attempt == first)
        assert feedback.fields()["right"] is False
        assert [entry["right"] for entry in feedback.fields()["parts"]] == right


def test_an_undecided_answer_waits_for_the_supervisor(screen: Screen) -> None:
    """Neither right nor wrong: the feedback says that it waits, and so does the pilot."""
    first = answer(screen, "Saale otters counted", "42 or 43")
    expect(screen.part("feedback")).to_contain_text("Not decided")
    expect(part(screen, "answer")).to_contain_text("not decided")
    why = part(screen, "answer").get_by_test_id("feedback-why")
    expect(why).to_contain_text("may say the same")
    expect(screen.part("feedback-progress")).to_contain_text("Waiting for review: 1.")
    screen.part("feedback-continue").click()
    expect(screen.part("question")).to_have_text("How long is the Unstrut in kilometres?")
    answer(screen, "kilometres long", "192")
    expect(screen.part("feedback-progress")).to_have_text(
        "1 of 2 right, 100 % needed. Waiting for review: 1."
    )
    expect(screen.part("pilot-verdict")).to_have_count(0)
    expect(screen.part("pilot-waiting")).to_contain_text("Waiting for review")
    (feedback,) = of_type(screen.events(first), "feedback_given")
    assert [entry["undecided"] for entry in feedback.fields()["parts"]] == [True, False]


def test_no_gold_before_the_task_is_submitted(screen: Screen) -> None:
    """Nothing that the browser gets of an open pilot task holds its gold."""
    traffic = Traffic()
    traffic.listen(screen.page)
    screen.page.reload()
    screen.wait_until_ready()
    screen.search("Saale otters counted")
    screen.open_result(1)
    screen.wait_until_saved()
    traffic.wait_for(screen.page, "Saale")
    traffic.stop(screen.page)
    assert not [text for text in traffic.texts if "forty-two" in text or "answer_variants" in text]
    expect(screen.part("feedback-line")).to_be_hidden()


def test_missed_feedback_can_be_fetched_later(screen: Screen, watch: Watch) -> None:
    """A failing route holds nobody up: try again, or go on and open the feedback another time."""
    watch.allow("503", "/feedback")
    page = screen.page

    def fail(route: Route) -> None:
        route.fulfill(status=503, content_type="application/json", body="{}")

    page.route("**/feedback", fail)
    first = answer(screen, "Saale otters counted", "42")
    expect(screen.part("feedback-failed")).to_be_visible()
    screen.part("feedback-retry").click()
    expect(screen.part("feedback-failed")).to_be_visible()
    screen.part("feedback-later").click()
    expect(screen.part("question")).to_have_text("How long is the Unstrut in kilometres?")
    page.unroute("**/feedback")
    assert not of_type(screen.events(first), "feedback_given")
    screen.part("task-dot").and_(page.locator(f"[data-attempt='{first}']")).click()
    expect(screen.part("feedback-line")).to_contain_text("This is a pilot task.")
    screen.part("feedback-open").click()
    expect(screen.part("feedback")).to_contain_text("Everything agrees with the gold.")
    screen.part("feedback-continue").click()
    expect(screen.part("feedback-line")).to_contain_text("right")
    assert of_type(screen.events(first), "feedback_given")

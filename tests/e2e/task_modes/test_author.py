"""Writing questions with live checks: evidence shown, nothing lost, nothing held up."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Route, expect

from pagetrail.annotation.attempts.state import fold
from tests.e2e.support.preset_workspace import RIVERS, STRICT, WRITING
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, Watch, of_type

TELLING = "🦦 How many otters does this document count in the Saale?"
PLAIN = "How many otters were counted in the Saale?"


@pytest.fixture
def screen(task_of: TaskOf) -> Screen:
    """A brief to write a question for."""
    return task_of("brief-1", WRITING)


def check_entry(screen: Screen, name: str) -> Locator:
    """The entry of a check."""
    return screen.part("check").and_(screen.page.locator(f"[data-check={name}]"))


def wait_for_checks(screen: Screen) -> None:
    """Wait until the checks are up to date."""
    expect(screen.part("checks-status")).to_have_text("up to date")


def cite(screen: Screen, query: str) -> None:
    """Cite the first page of a search."""
    screen.search(query)
    screen.open_result(1)
    screen.part("cite").click()
    expect(screen.part("cite")).to_have_text("Cited")


def set_hop_count(screen: Screen, value: str) -> None:
    """Set how many pages the answer needs."""
    options = screen.page.get_by_test_id("field").and_(screen.page.locator("[data-field=hop]"))
    options.locator(f"[data-value={value}]").click()


def test_a_question_from_the_first_word_to_the_next_task(screen: Screen) -> None:
    """Checks run by themselves after the last change; their evidence leads on; then it counts."""
    page = screen.page
    expect(screen.part("question")).to_have_text("Write a question about the rivers.")
    expect(screen.part("checks-status")).to_have_text("not run yet")
    screen.part("question-input").fill(TELLING)
    expect(screen.part("question-count")).to_have_text("11 words, 56 characters")
    wait_for_checks(screen)
    expect(check_entry(screen, "giveaway")).to_have_attribute("data-status", "warning")
    expect(check_entry(screen, "giveaway").locator("mark")).to_have_text("this document")
    expect(check_entry(screen, "extractive")).to_have_attribute("data-status", "skipped")

    screen.part("question-input").fill(PLAIN)
    cite(screen, "Saale otters counted")
    screen.part("answer").fill("42")
    expect(check_entry(screen, "extractive")).to_have_attribute("data-status", "ok")
    expect(check_entry(screen, "giveaway")).to_have_attribute("data-status", "ok")
    wait_for_checks(screen)
    query = check_entry(screen, "agentic").get_by_test_id("check-query")
    query.click()
    expect(screen.part("search-input")).to_have_value("Saale otters counted")
    screen.has("searched", 2)
    screen.part("page-next").click()
    screen.wait_until_painted(RIVERS, 2)
    check_entry(screen, "agentic").get_by_test_id("check-page").click()
    screen.wait_until_painted(RIVERS, 1)

    expect(screen.part("multi-hop")).to_have_text(
        "No question submitted yet; target 20 % on several pages"
    )
    set_hop_count(screen, "single")
    wait_for_checks(screen)
    attempt = screen.attempt
    screen.part("submit").click()
    expect(screen.part("summary-written")).to_have_text(PLAIN)
    screen.part("confirm-submit").click()
    screen.has("submitted", attempt=attempt)
    expect(screen.part("question-input")).to_have_value("")
    expect(screen.part("multi-hop")).to_have_text(
        "0 of 1 question on several pages (0 %; target 20 %)"
    )
    page.reload()
    screen.wait_until_ready()

    events = screen.events(attempt)
    state = fold(events)
    assert (state.question_text, state.answer, state.status) == (PLAIN, ["42"], "submitted")
    assert state.checks_current
    assert [(c.document, c.page) for c in state.citations] == [(RIVERS, 1)]
    first, *_, last = (event.fields() for event in of_type(events, "checked"))
    findings = {finding["check"]: finding for finding in first["findings"]}
    assert findings["giveaway"]["words"] == ["this document"]
    assert {f["check"]: f["status"] for f in last["findings"]}["giveaway"] == "ok"
    edited = [event.seq for event in of_type(events, "question_edited")]
    assert all(event.fields()["at_seq"] < event.seq for event in of_type(events, "checked"))
    assert len(edited) == 2


def test_checks_never_hold_up_typing(screen: Screen) -> None:
    """While checks are on their way the question can be written; the new text is checked again."""
    page = screen.page
    held_routes: list[Route] = []
    page.route(
        "**/checks", lambda route: route.continue_() if held_routes else held_routes.append(route)
    )
    field = screen.part("question-input")
    field.fill(TELLING)
    expect(screen.part("checks-status")).to_have_text("checking…")
    field.press("Control+End")
    page.keyboard.type(" And where?")
    expect(field).to_have_value(f"{TELLING} And where?")
    screen.has("question_edited", 2)
    held_routes[0].continue_()
    wait_for_checks(screen)
    checked = screen.has("checked")
    edited = of_type(screen.events(), "question_edited")
    assert checked[-1].fields()["at_seq"] >= edited[-1].seq
    assert field.evaluate("node => node === node.getRootNode().activeElement")


def test_a_question_with_a_blocking_warning_is_not_submitted(task_of: TaskOf) -> None:
    """A check that the campaign blocks on says so; submitting points at it until it is solved."""
    screen = task_of("brief", STRICT)
    screen.part("question-input").fill(TELLING)
    cite(screen, "Saale otters counted")
    screen.part("answer").fill("42")
    set_hop_count(screen, "single")
    screen.part("submit").click()  # runs the checks itself
    expect(screen.part("missing-checks")).to_contain_text("this document")
    screen.part("fix-checks").click()
    expect(screen.part("run-checks")).to_be_focused()
    expect(check_entry(screen, "giveaway")).to_contain_text("must be solved")
    screen.part("question-input").fill(PLAIN)
    screen.part("submit").click()
    expect(screen.part("confirm-submit")).to_be_enabled()
    attempt = screen.attempt
    screen.part("confirm-submit").click()
    screen.has("submitted", attempt=attempt)
    assert fold(screen.events(attempt)).question_text == PLAIN


def test_checks_without_a_connection_say_so_and_run_later(screen: Screen, watch: Watch) -> None:
    """A route that fails is tried again; the question is safe meanwhile."""
    watch.allow("503", "/checks")
    page = screen.page
    page.route("**/checks", lambda route: route.fulfill(status=503, body="{}"))
    screen.part("question-input").fill(PLAIN)
    expect(screen.part("checks")).to_contain_text("The checks run as soon as it is back.")
    assert fold(screen.has("question_edited")).question_text == PLAIN
    page.unroute("**/checks")
    screen.part("run-checks").click()
    wait_for_checks(screen)
    expect(screen.part("checks")).not_to_contain_text("No connection")


def test_a_question_typed_in_a_lost_tab_comes_back(screen: Screen) -> None:
    """Leaving at once loses nothing; a draft that newer work overtook is offered."""
    page = screen.page
    screen.part("question-input").fill("How long is the Unstrut?")
    page.reload()
    screen.wait_until_ready()
    expect(screen.part("question-input")).to_have_value("How long is the Unstrut?")
    screen.wait_until_saved()
    page.evaluate(
        """([attempt]) => localStorage.setItem(
            `pagetrail:draft:${attempt}:question`,
            JSON.stringify({ text: "How long is the Saale?", base: "something else", seq: 0 }),
        )""",
        [screen.attempt],
    )
    page.reload()
    screen.wait_until_ready()
    expect(screen.part("banner-recovered")).to_contain_text("How long is the Saale?")
    expect(screen.part("question-input")).to_have_value("How long is the Unstrut?")
    screen.part("banner-recovered").get_by_role("button").first.click()
    expect(screen.part("question-input")).to_have_value("How long is the Saale?")
    screen.has("question_edited", 2)

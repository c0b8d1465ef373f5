"""A task submitted without a connection: one state everywhere, withdrawn or sent when online."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Screen, Watch, of_type
from tests.e2e.support.server_process import CONNECTION_LOST, ServerProcess

WAITING = "Will be submitted when online"


def _answer_and_cite(screen: Screen) -> None:
    screen.search("otters")
    screen.open_result(1)
    screen.part("cite").click()
    screen.part("answer").fill("42")
    screen.has("answer_edited")
    screen.has("citation_added")
    screen.wait_until_saved()


def _submit(screen: Screen) -> None:
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    expect(screen.part("submit-dialog")).to_have_count(0)


def _expect_waiting(screen: Screen) -> None:
    """Header, dot, progress, banner and form agree that the task is not submitted yet."""
    expect(screen.part("task-status")).to_have_text(WAITING)
    expect(screen.part("banner-waiting")).to_contain_text(WAITING)
    expect(screen.part("banner-handed-in")).to_have_count(0)
    dot = screen.page.locator("[data-testid=task-dot][aria-current=true]")
    expect(dot).to_have_attribute("data-status", "waiting")
    expect(screen.part("progress")).to_have_attribute("aria-valuenow", "0")
    expect(screen.part("answer")).not_to_be_editable()


def _expect_submitted(screen: Screen) -> None:
    """All of them agree that it is submitted."""
    expect(screen.part("task-status")).to_have_text("Submitted")
    expect(screen.part("banner-waiting")).to_have_count(0)
    expect(screen.part("banner-handed-in")).to_have_text(re.compile(r"^Submitted \d"))
    dot = screen.page.locator("[data-testid=task-dot][aria-current=true]")
    expect(dot).to_have_attribute("data-status", "submitted")
    expect(screen.part("progress")).to_have_attribute("aria-valuenow", "1")
    expect(screen.part("answer")).not_to_be_editable()


def test_submission_waits_for_the_connection(screen_of: OpenScreen, watch: Watch) -> None:
    """It is withdrawn, made again and stored; nothing says "Submitted" before it is."""
    watch.allow(*CONNECTION_LOST)
    screen = screen_of("alma", "q1")
    _answer_and_cite(screen)
    context = screen.page.context
    context.set_offline(True)
    _submit(screen)
    _expect_waiting(screen)

    screen.part("withdraw-ending").click()
    expect(screen.part("task-status")).to_have_count(0)
    expect(screen.part("banner-waiting")).to_have_count(0)
    dot = screen.page.locator("[data-testid=task-dot][aria-current=true]")
    expect(dot).to_have_attribute("data-status", "open")
    screen.part("answer").fill("42\n57")
    expect(screen.part("connection")).to_have_text("Offline – 1 change waiting")
    _submit(screen)
    _expect_waiting(screen)
    attempt = screen.attempt

    context.set_offline(False)
    screen.has("submitted")
    _expect_submitted(screen)
    events = screen.events(attempt)
    assert [e.type for e in of_type(events, "submitted", "reopened")] == ["submitted"]
    assert of_type(events, "answer_edited")[-1].fields()["text"] == "42\n57"
    screen.part("go-on").click()
    expect(screen.page).not_to_have_url(re.compile(attempt))


def test_withdrawn_submission_stays_open(screen_of: OpenScreen, watch: Watch) -> None:
    """After the connection is back the task is open, on the server as well."""
    watch.allow(*CONNECTION_LOST)
    screen = screen_of("alma", "q1")
    _answer_and_cite(screen)
    screen.page.context.set_offline(True)
    _submit(screen)
    screen.part("withdraw-ending").click()
    screen.part("note").fill("one more look")
    screen.page.context.set_offline(False)
    screen.has("note_edited")
    screen.wait_until_saved()
    assert not of_type(screen.events(), "submitted", "reopened")
    expect(screen.part("task-status")).to_have_count(0)
    expect(screen.part("answer")).to_be_editable()


def test_submission_that_arrived_unanswered_is_reopened(
    screen_of: OpenScreen, watch: Watch
) -> None:
    """The server has stored it, its answer was lost: withdrawing it reopens the task."""
    watch.allow(*CONNECTION_LOST, "net::ERR_FAILED")
    screen = screen_of("alma", "q1")
    _answer_and_cite(screen)

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    screen.page.route("**/attempts/*/events", lose_the_answer)
    _submit(screen)
    _expect_waiting(screen)
    screen.has("submitted")
    screen.part("withdraw-ending").click()
    expect(screen.part("answer")).to_be_editable()
    screen.page.unroute("**/attempts/*/events")
    screen.has("reopened")
    screen.part("note").fill("open again")
    screen.has("note_edited")
    expect(screen.part("task-status")).to_have_count(0)


def test_unanswered_submission_waits(screen_of: OpenScreen, server: ServerProcess) -> None:
    """A server that hangs: after a while the task waits, and is submitted when it answers."""
    screen = screen_of("alma", "q1")
    _answer_and_cite(screen)
    server.freeze()
    _submit(screen)
    _expect_waiting(screen)
    server.thaw()
    screen.has("submitted")
    _expect_submitted(screen)

"""Reload, lost connection, second tab, lost session: nothing is lost and nothing comes twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from pagetrail.annotation.events import Event
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.unsent_work import unsent_events
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.login_sessions import close_session
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.screen import Screen, Watch, of_type, task_path, wait_until
from tests.e2e.support.server_process import CONNECTION_LOST, ServerProcess
from tests.e2e.support.small_workspace import CAMPAIGN, PASSWORD, STUDY, attempts

OFFLINE = re.compile(r"^Offline – \d+ changes? waiting$")


def check_gapless(events: list[Event]) -> list[Event]:
    """Check that the log has no gap or duplicate; returns the events."""
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert max(Counter(event.client_event_id for event in events).values()) == 1
    return events


def citations(events: list[Event]) -> list[tuple[str, int]]:
    """The pages of the citations added, in order."""
    payloads = (event.fields() for event in of_type(events, "citation_added"))
    return [(fields["document"], fields["page"]) for fields in payloads]


def last_text(events: list[Event]) -> str:
    """The last stored answer."""
    return str(of_type(events, "answer_edited")[-1].fields()["text"])


def test_a_reload_right_after_typing_restores_everything(screen_of: OpenScreen) -> None:
    """Text inside the debounce, citations, page, results and zoom are there again.

    The page on screen again is a view (``restored``); nothing else is recorded a second time.
    """
    screen = screen_of("alma", "q3")
    screen.search("annual ledger")
    document, page = screen.open_result(2)
    screen.part("cite").click()
    screen.part("zoom-level").click()
    screen.part("zoom-in").click()
    expect(screen.part("zoom-level")).to_have_text("110 %")
    screen.wait_for_events(
        lambda e: any(v.fields()["zoom"] == 110 for v in of_type(e, "view_changed"))
    )
    screen.wait_until_saved()
    screen.part("answer").fill("typed a moment ago")
    screen.page.reload()
    screen.wait_until_ready()
    screen.wait_until_painted(document, page)
    expect(screen.part("answer")).to_have_value("typed a moment ago")
    expect(screen.part("citation")).to_have_count(1)
    expect(screen.part("result")).to_have_count(5)
    expect(screen.part("search-input")).to_have_value("annual ledger")
    expect(screen.part("zoom-level")).to_have_text("110 %")
    expect(screen.part("cite")).to_have_text("Cited")
    events = check_gapless(screen.wait_for_events(lambda e: len(of_type(e, "page_viewed")) == 2))
    assert last_text(events) == "typed a moment ago"
    assert [e.fields()["via"] for e in of_type(events, "page_viewed")] == ["result", "restored"]
    counts = Counter(event.type for event in events)
    assert counts["searched"] == counts["citation_added"] == counts["answer_edited"] == 1
    assert counts["opened"] == 2


def test_a_deep_link_opens_the_task_at_the_page(
    screen_of: OpenScreen, workspace: Workspace
) -> None:
    """The address names task and page, follows the reader, and says so in the log."""
    screen = screen_of("alma")
    attempt = attempts(workspace, "alma", CAMPAIGN)["q2"]
    screen.open(attempt, document=STUDY, page=3)
    screen.wait_until_painted(STUDY, 3)
    (view,) = screen.has("page_viewed")
    expected = {"document": STUDY, "page": 3, "via": "link", "search_id": None, "rank": None}
    assert view.fields() == expected
    screen.part("page-next").click()
    screen.wait_until_painted(STUDY, 4)
    expect(screen.page).to_have_url(re.compile(r"document=otter[+%].*page=4"))
    screen.open(attempt, document="no such.pdf", page=3)
    screen.wait_until_painted(STUDY, 4)
    assert len(of_type(screen.events(), "page_viewed")) <= 3


@pytest.mark.parametrize("kind", ["offline", "killed"])
def test_work_goes_on_without_connection(
    kind: str, screen_of: OpenScreen, server: ServerProcess, watch: Watch
) -> None:
    """Citing and typing while cut off: the screen says so, queues, and sends when it is back.

    The log gets each change once, in order, dated when it was made, after a ``reconnected``.
    """
    watch.allow(*CONNECTION_LOST)
    screen = screen_of("alma", "q3")
    screen.search("otters")
    document, page = screen.open_result(1)
    screen.has("page_viewed")  # sent when the page was painted, which may be after "Saved"
    screen.wait_until_saved()
    before = len(screen.events())
    context = screen.page.context

    context.set_offline(True) if kind == "offline" else server.kill()
    screen.part("cite").click()
    screen.part("answer").fill("written in the dark")
    expect(screen.part("connection")).to_have_text(OFFLINE)
    expect(screen.part("banner-offline")).to_be_visible()
    expect(screen.part("connection")).to_have_text("Offline – 2 changes waiting")
    expect(screen.part("cite")).to_have_text("Cited")
    assert len(screen.events()) == before, "nothing can have reached the server"
    _wait_out(screen, seconds=2)
    seconds_offline = _working_seconds(screen)

    context.set_offline(False) if kind == "offline" else server.start()
    screen.wait_for_events(lambda e: bool(of_type(e, "answer_edited")))
    screen.wait_until_saved()
    expect(screen.part("banner-offline")).to_have_count(0)
    events = check_gapless(screen.events())
    new = of_type(events, "reconnected", "citation_added", "answer_edited")
    assert [e.type for e in new] == ["reconnected", "citation_added", "answer_edited"]
    gap, cited, answered = new
    assert gap.fields()["offline_ms"] >= 1000
    expect(screen.part("clock")).not_to_have_text(screen.part("clock").inner_text())
    assert _working_seconds(screen) >= seconds_offline > 0, (
        "catching up does not turn the clock back"
    )
    assert citations(events) == [(document, page)]
    assert last_text(events) == "written in the dark"
    assert gap.elapsed_ms <= cited.elapsed_ms <= answered.elapsed_ms
    sent_together = [e.server_ts for e in (cited, answered)]
    assert cited.elapsed_ms < answered.elapsed_ms or sent_together[0] < sent_together[1]


def test_an_answer_from_before_an_outage_does_not_end_it(
    screen_of: OpenScreen, watch: Watch
) -> None:
    """An answer that was on its way when the network went: the screen still says so."""
    watch.allow(*CONNECTION_LOST)
    screen = screen_of("alma", "q3")
    screen.wait_until_saved()
    held_routes: list[Route] = []
    screen.page.route("**/attempts/*/events", lambda route: held_routes.append(route))
    screen.part("answer").fill("sent before")
    (held,) = wait_until(screen.page, lambda: held_routes, bool)
    answer = held.fetch()
    screen.page.context.set_offline(True)
    expect(screen.part("banner-offline")).to_be_visible()
    held.fulfill(response=answer)
    expect(screen.part("saved")).to_have_text(re.compile(r"^Saved "))
    expect(screen.part("banner-offline")).to_be_visible()
    screen.page.unroute("**/attempts/*/events")
    screen.page.context.set_offline(False)
    expect(screen.part("banner-offline")).to_have_count(0)
    screen.wait_until_saved()
    assert last_text(check_gapless(screen.events())) == "sent before"


def test_nothing_covers_the_screen_in_a_long_outage(
    screen_of: OpenScreen, server: ServerProcess, watch: Watch
) -> None:
    """Streamlit notices the outage too; its dialog would make the workspace unusable."""
    watch.allow(*CONNECTION_LOST)
    screen = screen_of("alma", "q3")
    server.kill()
    with screen.page.expect_console_message(lambda m: "server is not responding" in m.text):
        pass
    expect(screen.page.get_by_role("dialog")).to_have_count(0)
    screen.part("answer").click()
    screen.page.keyboard.insert_text("still at work")
    expect(screen.part("connection")).to_have_text("Offline – 1 change waiting")
    server.start()
    assert (
        last_text(screen.wait_for_events(lambda e: bool(of_type(e, "answer_edited"))))
        == "still at work"
    )


def _working_seconds(screen: Screen) -> int:
    """The working time shown, in seconds."""
    minutes, seconds = screen.part("clock").inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def _wait_out(screen: Screen, seconds: int) -> None:
    """Let an outage last this long by the browser's own clock."""
    wait_for(
        screen.page,
        "([since, ms]) => performance.now() - since > ms",
        [screen.page.evaluate("performance.now()"), seconds * 1000],
    )


def test_a_reload_while_offline_keeps_the_queue(
    screen_of: OpenScreen, server: ServerProcess, watch: Watch
) -> None:
    """The tab is thrown away while the server is down: the next visit sends what was queued."""
    watch.allow(*CONNECTION_LOST)
    screen = screen_of("alma", "q3")
    screen.search("otters")
    opened_page = screen.open_result(1)
    screen.wait_until_saved()
    attempt, address = screen.attempt, screen.page.url
    server.kill()
    screen.part("cite").click()
    screen.part("answer").fill("kept in the browser")
    expect(screen.part("connection")).to_have_text("Offline – 2 changes waiting")
    screen.page.goto("about:blank")
    server.start()
    screen.page.goto(address)
    screen.wait_until_ready()
    expect(screen.part("answer")).to_have_value("kept in the browser")
    expect(screen.part("citation")).to_have_count(1)
    events = screen.wait_for_events(
        lambda e: bool(of_type(e, "answer_edited", "citation_added")[1:]), attempt
    )
    check_gapless(events)
    assert citations(events) == [opened_page]
    assert [e.fields()["text"] for e in of_type(events, "answer_edited")] == ["kept in the browser"]


def test_a_frozen_server_is_not_called_saved(screen_of: OpenScreen, server: ServerProcess) -> None:
    """While the server hangs the screen says "Saving…"; afterwards each event is there once."""
    screen = screen_of("alma", "q3")
    screen.search("otters")
    opened_page = screen.open_result(1)
    screen.wait_until_saved()
    server.freeze()
    screen.part("cite").click()
    screen.part("answer").fill("slow")
    screen.part("note").fill("slower")
    expect(screen.part("saved")).to_have_text("Saving…")
    _wait_out(screen, seconds=1)
    expect(screen.part("saved")).to_have_text("Saving…")
    server.thaw()
    screen.has("note_edited")
    screen.wait_until_saved()
    events = check_gapless(screen.events())
    assert citations(events) == [opened_page]
    assert last_text(events) == "slow"


@pytest.mark.parametrize("shared", [True, False], ids=["one browser", "two browsers"])
def test_two_tabs_on_one_task_converge(
    shared: bool,
    screen_of: OpenScreen,
    new_context: Callable[..., BrowserContext],
    workspace: Workspace,
) -> None:
    """Both tabs cite and type; both end with everything, and each event is stored once.

    A withdrawal reaches both at once, and what was being typed is kept.
    """
    first_tab = screen_of("alma", "q1")
    second_tab = screen_of("alma", "q1", context=first_tab.page.context if shared else None)
    assert first_tab.attempt == second_tab.attempt
    first_tab.search("otters")
    first = first_tab.open_result(1)
    first_tab.part("cite").click()
    first_tab.has("citation_added")
    second_tab.search("badgers")
    second = second_tab.open_result(1)
    second_tab.part("cite").click()
    second_tab.has("citation_added", 2)
    expect(second_tab.part("citation")).to_have_count(2)
    second_tab.part("answer").fill("42")
    second_tab.part("answer").blur()
    second_tab.has("answer_edited")
    first_tab.part("note").fill("from the other tab")
    first_tab.part("note").blur()
    first_tab.has("note_edited")
    for tab in (first_tab, second_tab):
        tab.page.evaluate("window.dispatchEvent(new Event('focus'))")
        expect(tab.part("citation")).to_have_count(2)
        expect(tab.part("history-item")).to_have_count(2)
        expect(tab.part("answer")).to_have_value("42")
    expect(first_tab.part("note")).to_have_value("from the other tab")
    first_tab.part("citation-remove").first.click()
    first_tab.has("citation_removed")
    second_tab.part("answer").fill("42\n57")
    second_tab.part("answer").blur()
    second_tab.has("answer_edited", 2)
    expect(second_tab.part("citation")).to_have_count(1)
    expect(first_tab.part("citation")).to_have_count(1)
    events = check_gapless(first_tab.events())
    assert citations(events) == [first, second]
    assert [e.fields()["text"] for e in of_type(events, "answer_edited")] == ["42", "42\n57"]
    assert not of_type(events, "submitted", "skipped")

    second_tab.part("answer").fill("42\n57\n61")
    assignment = queries.attempt(workspace.engine, first_tab.attempt).assignment_id
    assert assignment is not None
    withdraw_batch(workspace, assignment, started=True)
    for tab in (first_tab, second_tab):
        expect(tab.part("banner-withdrawn")).to_be_visible()
        expect(tab.part("answer")).not_to_be_editable()
    first_tab.wait_for_events(
        lambda events: (
            last_text(events) == "42\n57\n61" or bool(unsent_events(workspace.engine, assignment))
        )
    )


def test_a_session_that_ends_while_working(
    screen_of: OpenScreen, workspace: Workspace, watch: Watch
) -> None:
    """The task leaves the screen; unsent work is sent once the same person signs in again."""
    watch.allow(
        r"40[134] ", r"status of 40[134]", "net::ERR_FAILED", "WebSocket onclose", *CONNECTION_LOST
    )
    screen = screen_of("alma", "q3")
    page, attempt = screen.page, screen.attempt
    screen.search("otters")
    opened_page = screen.open_result(1)
    screen.wait_until_saved()
    page.route("**/attempts/*/events", lambda route: route.abort())
    screen.part("cite").click()
    screen.part("answer").fill("still here")
    (token,) = (c["value"] for c in page.context.cookies() if c["name"] == "pagetrail_session")
    close_session(workspace, token)
    expect(page).to_have_url(re.compile("/pagetrail/login"))
    expect(page.get_by_role("status")).to_contain_text("Your session has ended")
    page.unroute("**/attempts/*/events")
    page.get_by_label("Name").fill("bruno")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("This is not yours to open")).to_be_visible()
    assert not of_type(screen.events(attempt), "citation_added", "answer_edited")
    page.context.clear_cookies()
    screen.sign_in("alma", task_path(attempt))
    screen.wait_for_events(lambda e: bool(of_type(e, "answer_edited")), attempt)
    screen.wait_until_saved()
    events = check_gapless(screen.events(attempt))
    assert citations(events) == [opened_page]
    assert last_text(events) == "still here"


def test_closing_the_tab_keeps_typed_text(screen_of: OpenScreen, workspace: Workspace) -> None:
    """Text typed just before the tab is closed is stored, without any further visit."""
    screen = screen_of("alma", "q1")
    attempt = screen.attempt
    other = screen.page.context.new_page()
    screen.part("answer").fill("last words")
    screen.page.close(run_before_unload=True)
    waiting = Screen(other, screen.url, screen.events)
    # The clock stops when the tab goes; the words were handed over before that.
    events = check_gapless(
        waiting.wait_for_events(lambda e: bool(of_type(e, "tab_hidden")), attempt)
    )
    assert last_text(events) == "last words"
    assert task_path(attempt) not in other.url

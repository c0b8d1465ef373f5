"""The whole path of a task without a mouse."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type, wait_until_drawn
from tests.e2e.support.small_workspace import CAMPAIGN, STUDY, attempts


def _tab_to(screen: Screen, name: str) -> None:
    """Press Tab until the button of that name has the focus."""
    button = screen.page.get_by_role("button", name=name).first
    expect(button).to_be_visible()
    for _ in range(25):
        if button.evaluate("e => e.matches(':focus')"):
            return
        screen.page.keyboard.press("Tab")
    raise AssertionError(f"25 times Tab does not lead to “{name}”")


def test_from_sign_in_to_submit_by_keyboard(
    screen_of: OpenScreen, workspace: Workspace, account_of: Callable[[str], str]
) -> None:
    """Sign in, start a batch, search, open, turn, cite, answer, submit: each leaves its event.

    Letters typed into the answer that are keys elsewhere must do nothing but appear.
    """
    alma_attempts = list(attempts(workspace, account_of("alma"), CAMPAIGN).values())
    screen = screen_of("alma")
    keys = screen.page.keyboard
    expect(screen.page.get_by_role("heading", name="My batches")).to_be_visible()
    # Until all of it has come, what has the focus may still be put in again.
    wait_until_drawn(screen.page)
    _tab_to(screen, "Start")
    keys.press("Enter")
    screen.wait_until_ready()
    attempt = screen.attempt
    assert attempt in alma_attempts or len(alma_attempts) > 1

    keys.press("/")
    keys.type("otters counted")
    keys.press("Enter")
    expect(screen.part("result")).to_have_count(2)
    keys.press("ArrowDown")
    expect(screen.part("preview")).to_be_visible()
    expect(screen.result(1)).to_be_focused()
    keys.press("Enter")
    screen.wait_until_painted(STUDY, 1)
    expect(screen.part("page-pane")).to_be_focused()
    expect(screen.part("results")).to_be_hidden()  # they have made room for the page
    keys.press("q")
    expect(screen.result(2)).to_be_visible()
    keys.press("q")
    for _ in range(8):  # down the page, and at its end on to the next
        if screen.part("page-number").input_value() == "1":
            keys.press("Space")
    screen.wait_until_painted(STUDY, 2)
    screen.has("page_viewed", 2)  # it is told a frame after the image is there
    keys.press("z")
    expect(screen.part("question")).to_be_hidden()
    expect(screen.part("answer")).to_be_hidden()
    keys.press("Escape")
    expect(screen.part("question")).to_be_visible()
    keys.press("c")
    expect(screen.part("citation")).to_have_count(1)
    keys.press("a")
    expect(screen.part("answer")).to_be_focused()
    keys.type("57 csfpi?0+")
    expect(screen.part("answer-preview").get_by_role("listitem")).to_have_text(["57 csfpi?0+"])
    keys.press("Control+Enter")
    expect(screen.part("submit-dialog")).to_be_visible()
    expect(screen.part("confirm-submit")).to_be_focused()
    keys.press("Enter")
    expect(screen.part("submit-dialog")).to_have_count(0)
    screen.page.wait_for_url(lambda url: attempt not in url)
    expect(screen.part("position")).to_contain_text("2 of")
    assert screen.attempt != attempt

    events = screen.wait_for_events(lambda events: events[-1].type == "submitted", attempt)
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    edits = of_type(events, "answer_edited")  # more than one where typing took longer than a pause
    assert {e.type for e in events[5:-1]} == {"answer_edited"}
    events = [e for e in events if e not in edits[:-1]]
    assert [e.type for e in events] == [
        *("opened", "searched", "page_viewed", "page_viewed"),
        *("citation_added", "answer_edited", "submitted"),
    ]
    searched, first, second, cited, answered, submitted = (e.fields() for e in events[1:])
    assert searched["query"] == "otters counted"
    assert searched["total_hits"] == 2
    hit = {"document": STUDY, "search_id": searched["search_id"]}
    assert first == hit | {"page": 1, "via": "result", "rank": 1}
    assert second == hit | {"page": 2, "via": "next", "rank": 2}
    assert cited == hit | {"page": 2, "rank": 2}
    assert answered["text"] == "57 csfpi?0+"
    assert submitted == {"outcome": "answered"}
    assert {e.actor for e in events} == {account_of("alma")}
    assert of_type(screen.wait_for_events(bool), "opened"), "the next task is opened"


def test_keys_dialog_opens_and_escape_closes_it(task_of: TaskOf) -> None:
    """``?`` shows what works now, Esc closes it, and keys under the dialog do nothing."""
    screen = task_of("q1", CAMPAIGN)
    keys = screen.page.keyboard
    keys.press("?")
    dialog = screen.part("help-dialog")
    expect(dialog).to_contain_text("Guidelines")
    expect(dialog).not_to_contain_text("Add or remove as citation")  # no page is open
    keys.press("f")
    expect(screen.part("flag-dialog")).to_have_count(0)
    keys.press("Escape")
    expect(dialog).to_have_count(0)
    keys.press("/")
    expect(screen.part("search-input")).to_be_focused()
    keys.press("Escape")
    expect(screen.part("search-input")).not_to_be_focused()
    screen.has("opened")
    screen.wait_until_saved()
    assert screen.kinds() == ["opened"]

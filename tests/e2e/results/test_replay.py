"""The replay in a real browser: playing, scrubbing, jumping, and two attempts on one clock."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support import small_workspace as collection
from tests.e2e.support.replay_steps import AIDED_STEPS, ALMA, BRUNO, ReplayScreen, write
from tests.e2e.support.screen import Screen
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import REPORT

pytestmark = pytest.mark.browser


@pytest.fixture
def attempt_ids(workspace: Workspace) -> dict[str, str]:
    """The attempts of two people at one task."""
    attempts = {}
    for name, steps in (("alma", ALMA), ("bruno", BRUNO)):
        attempts[name] = collection.attempts(workspace, name)["q1"]
        write(workspace, attempts[name], name, steps)
    return attempts


@pytest.fixture
def replay(
    new_context: Callable[..., BrowserContext], server: ServerProcess, attempt_ids: dict[str, str]
) -> Callable[..., ReplayScreen]:
    """Opens the replay of an attempt, alma's first by default, as the supervisor."""

    def make(attempt: str | None = None, *, with_bruno: bool = False) -> ReplayScreen:
        page = new_context().new_page()
        second = f"&with={attempt_ids['bruno']}" if with_bruno else ""
        Screen(page, server.url, lambda _: []).sign_in(
            "sven", f"/trajectory?attempt={attempt or attempt_ids['alma']}{second}"
        )
        screen = ReplayScreen(page)
        expect(screen.part("time")).to_be_visible()
        return screen

    return make


def test_one_attempt(replay: Callable[..., ReplayScreen], workspace: Workspace) -> None:
    """All that can be done with an attempt's past, one after the other from its beginning."""
    screen = replay()
    _jumping_to_an_event_shows_the_page_and_its_boxes_as_they_were(screen)
    screen.page.keyboard.press("Home")
    _keys_and_the_time_line_move_the_clock(screen)
    screen.part("skip").check()
    screen.part("scrubber").focus()
    screen.page.keyboard.press("Home")
    _playing_goes_on_to_the_end_and_shortens_the_long_gap(screen)


def _jumping_to_an_event_shows_the_page_and_its_boxes_as_they_were(screen: ReplayScreen) -> None:
    """Page image, boxes drawn so far where they were then, citations, answer; then backwards."""
    pane = screen.pane()
    assert screen.boxes() == {}
    screen.jump("Moved box b-1")
    expect(pane).to_have_attribute("data-painted", "3")
    image = pane.get_by_role("img", name="Page 3", exact=True)
    assert image.evaluate("image => image.width > 100")
    expect(pane.get_by_test_id("box")).to_have_count(2)
    assert screen.boxes() == {"b-1": "Text", "b-2": "Table"}
    moved = pane.locator("[data-id='b-1'] .box-line")
    expect(moved).to_have_attribute("y", "300")
    expect(screen.part("citations").get_by_role("button")).to_have_count(1)
    expect(screen.part("answer")).to_have_text("Nothing yet")

    screen.jump("Drew a box “Text”")
    expect(pane.get_by_test_id("box")).to_have_count(1)
    expect(moved).to_have_attribute("y", "100")
    screen.jump("Viewed otter study.pdf page 1")
    expect(pane).to_have_attribute("data-painted", "1")
    expect(pane.get_by_test_id("box")).to_have_count(0)
    expect(screen.part("results").locator("[aria-current=true]")).to_contain_text("p. 1")

    screen.jump("Submitted with an answer")
    expect(screen.part("answer")).to_have_text("42 otters")
    expect(screen.part("citations").get_by_role("button")).to_have_count(0)
    expect(pane.get_by_test_id("box")).to_have_count(1)


def test_bookmarks_and_scratchpad_as_they_were(
    replay: Callable[..., ReplayScreen], workspace: Workspace, attempt_ids: dict[str, str]
) -> None:
    """What came from other tasks of the batch, and what was changed in this one."""
    attempt = collection.attempts(workspace, "alma")["q2"]
    write(workspace, attempt, "alma", AIDED_STEPS)
    screen = replay(attempt)
    bookmarks, scratchpad = screen.part("bookmarks"), screen.part("scratchpad")
    screen.jump("Opened the task")
    expect(bookmarks.get_by_role("button")).to_have_count(0)
    expect(scratchpad).to_have_text("Nothing yet")
    screen.jump("Brought 1 bookmark")
    expect(bookmarks.get_by_role("button")).to_have_text([re.compile("p. 1$")])
    expect(scratchpad).to_have_text("FY 2019")
    screen.jump("Removed the bookmark")
    expect(bookmarks.get_by_role("button")).to_have_text([re.compile("p. 3$")])
    expect(scratchpad).to_have_text("FY 2020")
    bookmarks.get_by_role("button").click()
    expect(screen.pane()).to_have_attribute("data-painted", "3")


def _playing_goes_on_to_the_end_and_shortens_the_long_gap(screen: ReplayScreen) -> None:
    """Ten minutes of nothing are not played out; at the end it stops, and begins again."""
    play = screen.part("play")
    expect(screen.part("time")).to_have_text("0:00 / 10:16")
    screen.part("speed").select_option("1")
    play.click()
    expect(play).to_have_attribute("data-playing", "true")
    screen.part("speed").select_option("16")
    expect(screen.part("time")).to_have_text("10:16 / 10:16")
    expect(play).to_have_attribute("data-playing", "false")
    expect(screen.part("answer")).to_have_text("42 otters")
    screen.part("speed").select_option("0.5")
    play.click()
    expect(screen.part("time")).to_have_text(re.compile("^0:0[0-2] / "))
    expect(screen.part("answer")).to_have_text("Nothing yet")
    play.click()
    expect(play).to_have_attribute("data-playing", "false")


def _keys_and_the_time_line_move_the_clock(screen: ReplayScreen) -> None:
    """Arrows, Home, End, space, speed; a press on the time line; the list follows."""
    time, happened = screen.part("time"), screen.part("happened")
    keys = screen.page.keyboard
    screen.part("scrubber").focus()
    keys.press("ArrowRight")
    expect(happened).to_contain_text("Searched for")
    keys.press("ArrowRight")
    expect(happened).to_contain_text("Viewed otter study.pdf page 1")
    expect(time).to_contain_text("0:04 /")
    current = screen.part("events").locator("[aria-current=true]")
    expect(current).to_contain_text("Viewed otter study.pdf page 1")
    keys.press("ArrowLeft")
    expect(happened).to_contain_text("Searched for")
    keys.press("End")
    expect(happened).to_contain_text("Submitted")
    keys.press("Home")
    expect(happened).to_contain_text("Opened the task")
    keys.press("-")
    expect(screen.part("speed")).to_have_value("2")
    keys.press("+")
    expect(screen.part("speed")).to_have_value("4")
    keys.press(" ")
    expect(screen.part("play")).to_have_attribute("data-playing", "true")
    keys.press(" ")
    expect(screen.part("play")).to_have_attribute("data-playing", "false")

    area = screen.part("scrubber")
    size = area.bounding_box()
    assert size is not None
    # Played time is 20 s: 13 s of work, the gap as 5 s, and 2 s; 40 % of it is 0:08.
    area.click(position={"x": size["width"] * 0.41, "y": 10})
    expect(time).to_contain_text("0:08 /")
    expect(happened).to_contain_text("Viewed otter study.pdf page 3")
    screen.part("skip").uncheck()
    area.click(position={"x": size["width"] * 0.5, "y": 10})
    expect(time).to_have_text(re.compile(r"^5:\d\d / 10:16$"))


def test_two_attempts_run_on_one_clock(replay: Callable[..., ReplayScreen]) -> None:
    """At any time each shows what was there by then; steps go through the events of both."""
    screen = replay(with_bruno=True)
    alma, bruno = screen.column(0), screen.column(1)
    expect(screen.part("column")).to_have_count(2)
    alma.get_by_role("button", name="Events", exact=True).click()
    alma.get_by_test_id("replay-event").filter(has_text="Drew a box “Table”").click()
    expect(screen.part("time")).to_contain_text("0:10 /")
    expect(screen.pane(0)).to_have_attribute("data-painted", "3")
    expect(screen.pane(1)).to_have_attribute("data-painted", "2")
    expect(screen.pane(0).get_by_test_id("box")).to_have_count(2)
    assert screen.boxes(0) == {"b-1": "Text", "b-2": "Table"}
    expect(bruno.get_by_test_id("replay-query")).to_have_text("autumn")
    expect(bruno.get_by_test_id("replay-citations").get_by_role("button")).to_have_count(1)
    screen.part("next").click()
    expect(screen.part("happened")).to_contain_text("alma: Moved box b-1")
    expect(screen.pane(1)).to_have_attribute("data-page", "2")
    screen.part("next").click()
    expect(screen.part("happened")).to_contain_text("bruno: Viewed annual report.pdf page 17")
    expect(screen.pane(1)).to_have_attribute("data-painted", "17")
    expect(screen.pane(1)).to_have_attribute("data-document", REPORT)
    screen.page.keyboard.press("End")
    expect(screen.part("time")).to_have_text("10:16 / 10:16")
    expect(bruno.locator(".column-head")).to_contain_text("No answer found")

"""The flow of a search task by keyboard: focus on arrival, results by key, tasks as history."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Screen, of_type

MOST_ACTIONS = 6

_COUNT_ACTIONS = """() => {
  window.actions = 0;
  const count = (event) => {
    const isTyped = event.key.length === 1 && !event.ctrlKey &&
      event.composedPath()[0].matches("input, textarea");
    if (!isTyped && !["Control", "Shift", "Alt"].includes(event.key)) window.actions += 1;
  };
  addEventListener("keydown", count, { capture: true });
  addEventListener("pointerdown", () => { window.actions += 1; }, { capture: true });
}"""


def _card(screen: Screen, number: int) -> tuple[str, int]:
    """The page of a result."""
    card = screen.result(number)
    return card.get_attribute("data-document") or "", int(card.get_attribute("data-page") or 0)


def test_search_task_takes_six_actions(screen_of: OpenScreen) -> None:
    """Two typings and six keys, from arrival to a submitted task with a citation."""
    screen = screen_of("alma", "q1")
    expect(screen.part("search-input")).to_be_focused()
    screen.page.evaluate(_COUNT_ACTIONS)
    keyboard = screen.page.keyboard
    keyboard.type("otters spring")
    keyboard.press("Enter")
    expect(screen.result(1)).to_be_visible()
    document, page = _card(screen, 1)
    keyboard.press("Enter")
    screen.wait_until_painted(document, page)
    keyboard.press("c")
    expect(screen.part("cite")).to_have_text("Cited")
    keyboard.press("a")
    expect(screen.part("answer")).to_be_focused()
    keyboard.type("42")
    keyboard.press("Control+Enter")
    expect(screen.part("submit-dialog")).to_be_visible()
    actions = screen.page.evaluate("window.actions + 1")  # and the one that confirms
    attempt = screen.attempt
    keyboard.press("Enter")
    screen.has("submitted", attempt=attempt)
    events = screen.events(attempt)
    assert actions <= MOST_ACTIONS
    assert len(of_type(events, "searched")) == 1
    (cited,) = of_type(events, "citation_added")
    assert (cited.fields()["document"], cited.fields()["page"]) == (document, page)


def test_quotes_as_phones_type_them_become_plain_in_the_box(screen_of: OpenScreen) -> None:
    """And search for the phrase, as the hint says; what was typed is logged beside the query."""
    screen = screen_of("alma", "q1")
    expect(screen.part("search-hint")).to_contain_text('"quotes"')
    screen.search("“otters counted”")
    (searched,) = screen.has("searched")
    fields = searched.fields()
    assert (fields["query"], fields["typed"]) == ('"otters counted"', "“otters counted”")
    assert fields["parsed"] == 'text:"otters counted"'
    expect(screen.part("search-input")).to_have_value('"otters counted"')


def test_first_result_is_fetched_ahead_and_viewed_when_it_is_opened(screen_of: OpenScreen) -> None:
    """Fetching its image is no visit; opening it is one, with its rank."""
    screen = screen_of("alma", "q1")
    with screen.page.expect_response(
        lambda response: response.request.headers.get("x-pagetrail-ahead") == "likely"
    ) as response:
        screen.search("otters spring")
    document, page = _card(screen, 1)
    assert response.value.ok
    assert f"/{page}?" in response.value.url
    screen.has("searched")
    assert not of_type(screen.events(), "page_viewed")
    screen.part("search-input").press("Enter")
    screen.wait_until_painted(document, page)
    (viewed,) = screen.has("page_viewed")
    assert (viewed.fields()["via"], viewed.fields()["rank"]) == ("result", 1)


def test_results_open_by_number(screen_of: OpenScreen) -> None:
    """After ``o`` a digit opens that result, also from a page; other keys keep their meaning."""
    screen = screen_of("alma", "q1")
    keyboard = screen.page.keyboard
    keyboard.press("/")
    expect(screen.part("search-input")).to_have_value("")
    keyboard.type("otters")
    keyboard.press("Enter")
    expect(screen.result(3)).to_be_visible()
    third, second = _card(screen, 3), _card(screen, 2)
    keyboard.press("Escape")
    keyboard.press("o")
    expect(screen.part("toast")).to_contain_text("number of a result")
    keyboard.press("3")
    screen.wait_until_painted(*third)
    keyboard.press("o")
    keyboard.press("2")
    screen.wait_until_painted(*second)
    keyboard.press("o")
    keyboard.press("c")
    expect(screen.part("cite")).to_have_text("Cited")
    keyboard.press("3")
    events = screen.wait_for_events(lambda e: bool(of_type(e, "citation_added")))
    assert [view.fields()["rank"] for view in of_type(events, "page_viewed")] == [3, 2]


def test_enter_runs_a_changed_query(screen_of: OpenScreen) -> None:
    """Only the results of the query in the box are opened by Enter."""
    screen = screen_of("alma", "q1")
    expect(screen.part("search-input")).to_be_focused()
    keyboard = screen.page.keyboard
    keyboard.type("otters")
    keyboard.press("Enter")
    expect(screen.result(1)).to_be_visible()
    keyboard.type(" autumn")
    keyboard.press("Enter")
    screen.has("searched", 2)
    expect(screen.part("result")).to_have_count(1)
    expect(screen.part("viewer-empty")).to_be_visible()
    keyboard.press("Enter")
    screen.wait_until_painted(*_card(screen, 1))


def test_results_belong_to_the_query_above_them(screen_of: OpenScreen) -> None:
    """An empty or refused query leaves no results of another one below its message."""
    screen = screen_of("alma", "q1")
    for refused in ("  ", "*"):
        screen.search("otters")
        expect(screen.part("result")).not_to_have_count(0)
        screen.part("search-input").fill(refused)
        screen.page.keyboard.press("Enter")
        expect(screen.part("search-message")).not_to_be_empty()
        expect(screen.part("result")).to_have_count(0)
        expect(screen.part("results-heading")).not_to_be_visible()


def test_tasks_are_entries_of_the_history(screen_of: OpenScreen) -> None:
    """Back goes from a task to the one before, Forward to the next, and none is left out."""
    screen = screen_of("alma", "q1")
    dots = screen.part("task-dot")
    opened = []
    for number in range(dots.count()):
        dots.nth(number).click()
        expect(dots.nth(number)).to_have_attribute("aria-current", "true")
        attempt = dots.nth(number).get_attribute("data-attempt") or ""
        expect(screen.page).to_have_url(re.compile(attempt))
        opened.append(attempt)
    for attempt in reversed(opened[:-1]):
        screen.page.go_back()
        current = screen.page.locator(f"[data-attempt='{attempt}'][aria-current=true]")
        expect(current).to_be_visible()
        assert screen.attempt == attempt
    screen.page.go_forward()
    expect(dots.nth(1)).to_have_attribute("aria-current", "true")
    screen.part("note").fill("on the second task")
    screen.part("note").blur()
    screen.has("note_edited", attempt=opened[1])

"""The next task is requested while one is looked at; nothing of it is stored before it is shown."""

from __future__ import annotations

import re

from playwright.sync_api import Request, expect

from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen
from tests.e2e.support.small_workspace import AIDED, CAMPAIGN

_PAYLOAD = re.compile(r"/pagetrail/attempts/(\w+)$")


def _payload_of(request: Request) -> str | None:
    """The attempt whose payload is requested."""
    match = _PAYLOAD.search(request.url)
    return match[1] if match and request.method == "GET" else None


def _first_task(task_of: TaskOf, campaign: str) -> Screen:
    """A task with another one after it."""
    screen = task_of("q1", campaign)
    if screen.part("task-next").is_disabled():
        screen.part("task-previous").click()
        expect(screen.part("task-next")).to_be_enabled()
    return screen


def test_the_next_task_is_fetched_ahead_and_opened_when_it_is_shown(task_of: TaskOf) -> None:
    """One request, made before the click; the task is opened, and the one before left, by it."""
    screen = _first_task(task_of, CAMPAIGN)
    first = screen.attempt
    with screen.page.expect_request(lambda r: _payload_of(r) not in (None, first)) as fetched:
        screen.page.reload()
    second = _payload_of(fetched.value)
    assert second is not None
    fetched.value.response()
    # Nothing may be on its way to the server; else the task is requested again.
    screen.part("flag").click()
    screen.part("flag-input").fill("A page is missing")
    screen.part("confirm-flag").click()
    screen.has("flagged", attempt=first)
    screen.wait_until_saved()
    n_events = len(screen.events(second))
    requested: list[str | None] = []
    screen.page.on("request", lambda request: requested.append(_payload_of(request)))
    screen.part("task-next").click()
    stored = screen.wait_for_events(lambda events: len(events) > n_events, second)
    assert screen.attempt == second
    opened = stored[n_events]
    assert opened.type == "opened"
    assert second not in requested
    assert screen.events(first)[-1].type == "tab_hidden"
    assert opened.server_ts >= screen.events(first)[-1].server_ts


def test_what_was_done_meanwhile_is_in_the_list_of_tasks(task_of: TaskOf) -> None:
    """The list that came with the next task is older than the work at this one."""
    screen = _first_task(task_of, CAMPAIGN)
    first = screen.attempt
    with screen.page.expect_request(lambda r: _payload_of(r) not in (None, first)) as fetched:
        screen.page.reload()
    fetched.value.response()
    screen.part("flag").click()
    screen.part("flag-input").fill("A page is missing")
    screen.part("confirm-flag").click()
    screen.has("flagged", attempt=first)
    screen.wait_until_saved()
    screen.part("task-next").click()
    screen.has("opened", attempt=_payload_of(fetched.value))
    expect(
        screen.page.locator(f"[data-testid=task-dot][data-attempt='{first}']")
    ).to_have_attribute("aria-label", re.compile("flagged"))


def test_a_task_that_work_at_another_changes_is_requested_when_it_is_opened(
    task_of: TaskOf,
) -> None:
    """Bookmarks and the scratchpad go from task to task."""
    screen = _first_task(task_of, AIDED)
    first = screen.attempt
    requested: list[str | None] = []
    screen.page.on("request", lambda request: requested.append(_payload_of(request)))
    screen.page.reload()
    screen.wait_until_ready()
    screen.page.evaluate("() => new Promise((done) => requestIdleCallback(() => setTimeout(done)))")
    assert {attempt for attempt in requested if attempt} <= {first}
    with screen.page.expect_request(lambda r: _payload_of(r) not in (None, first)):
        screen.part("task-next").click()

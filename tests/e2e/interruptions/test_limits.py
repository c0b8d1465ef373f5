"""A busy server and a full task: the screen says so, and nothing is lost."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Route, expect

from pagetrail.annotation.events import Event
from pagetrail.annotation.sentences import sentence
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Watch, of_type

EVENTS = "**/attempts/*/events"


def _has_answer(text: str) -> Any:
    def condition(events: list[Event]) -> bool:
        return any(event.fields()["text"] == text for event in of_type(events, "answer_edited"))

    return condition


def test_browser_retries_a_busy_server_when_told(screen_of: OpenScreen, watch: Watch) -> None:
    """The reason is shown, work goes on, and the changes are stored once there is room."""
    watch.allow("429", "/events")
    screen = screen_of("alma", "q1")
    reason = "More changes come in than are stored at once (50 a second)."
    refusal = json.dumps({"error": {"code": "busy", "message": reason}})

    def refuse(route: Route) -> None:
        route.fulfill(
            status=429, body=refusal, content_type="application/json", headers={"Retry-After": "1"}
        )

    screen.page.route(EVENTS, refuse)
    screen.part("answer").fill("typed meanwhile")
    banner = screen.part("banner-busy")
    expect(banner).to_contain_text(reason)
    expect(banner).to_contain_text("Changes are kept in this browser and sent again.")
    screen.page.unroute(EVENTS)
    screen.wait_for_events(_has_answer("typed meanwhile"))
    expect(banner).to_have_count(0)


def test_full_task_keeps_unsaved_changes_in_the_browser(screen_of: OpenScreen) -> None:
    """The screen says what to do; the text is there after a reload, and the task can be ended."""
    screen = screen_of("alma", "q2")
    message = sentence("attempt_full", events="100,000", megabytes="128")

    def refuse(route: Route) -> None:
        events = route.request.post_data_json["events"]
        if any(event["type"] == "skipped" for event in events):
            route.fallback()
            return
        refusals = [
            {"id": event["id"], "code": "attempt_full", "message": message, "field": None}
            for event in events
        ]
        reply = {"receipts": [], "refusals": refusals, "last_seq": 0, "status": "open"}
        route.fulfill(body=json.dumps(reply), content_type="application/json")

    screen.wait_until_saved()
    screen.page.route(EVENTS, refuse)
    screen.part("answer").fill("my last words")
    expect(screen.part("banner-full")).to_contain_text("kept in this browser")
    screen.page.reload()
    expect(screen.part("banner-full")).to_contain_text("kept in this browser")
    expect(screen.part("answer")).to_have_value("my last words")
    attempt = screen.attempt
    screen.part("skip").click()
    screen.part("skip-reason").fill("full")
    screen.part("confirm-skip").click()
    events = screen.wait_for_events(lambda events: bool(of_type(events, "skipped")), attempt)
    assert not _has_answer("my last words")(events)

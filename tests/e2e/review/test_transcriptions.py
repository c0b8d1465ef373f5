"""Two people's transcriptions of a page are merged difference by difference in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from pagetrail.annotation.events import Event
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support.review_steps import Review, gold_events, plant_page, review_of
from tests.e2e.support.screen import Watch
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import STUDY

pytestmark = pytest.mark.browser

CAMPAIGN = "Transcripts"
GIVEN = "# Otters of the Saale\n\nCounting took p1ace on twelve mornings.\n\nMean dose: 0.61"
TEXTS = {
    "alma": "# Otters of the Saale\n\nCounting took place on twelve mornings.\n\nMean dose: 0.61",
    "bruno": "# Otters of the Saale\n\nCounting took place on 12 mornings.\n\nMean dose: **0.83**",
}


@pytest.fixture
def task(workspace: Workspace) -> int:
    """The task; planted before the server starts."""
    page = {"document": STUDY, "page": 1}
    edits = {
        name: [
            (
                "text_edited",
                {
                    **page,
                    "edits": [{"at": 0, "removed": GIVEN, "inserted": text}],
                    "source": "paste",
                },
            )
        ]
        for name, text in TEXTS.items()
    }
    task_fields = {"transcript": GIVEN}
    return plant_page(workspace, CAMPAIGN, "transcribe", task_fields, edits)


@pytest.fixture
def screen(
    task: int,
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    stored: Callable[[str], list[Event]],
    watch: Watch,
) -> Review:
    """The task under review, as a supervisor sees it."""
    watch.allow(r"/review(ing)?/_stcore/")
    return review_of(new_context(), server.url, stored, "sven", task)


def difference(screen: Review, number: int) -> Locator:
    """A difference of the merged text, counted from 1."""
    return screen.part("difference").nth(number - 1)


def test_each_difference_is_decided_and_the_text_becomes_gold(
    screen: Review, task: int, workspace: Workspace
) -> None:
    """One text or other words; a reload keeps the decisions; the gold says how it was made."""
    progress = screen.part("text-progress")
    expect(progress).to_have_text("0 of 2 differences decided")
    gap = screen.page.locator("[data-part=transcript]").get_by_test_id("gap")
    expect(gap).to_contain_text("Decide every difference")
    expect(difference(screen, 1).get_by_test_id("take-right")).to_have_text("12")
    difference(screen, 1).get_by_test_id("take-right").click()
    expect(progress).to_have_text("1 of 2 differences decided")
    screen.part("next-difference").click()
    expect(difference(screen, 2).get_by_test_id("take-left")).to_be_focused()
    difference(screen, 2).get_by_test_id("write-text").click()
    screen.part("written-text").fill("0.61 ±\u20090.02")
    screen.part("written-done").click()
    expect(progress).to_have_text("2 of 2 differences decided")
    expect(screen.gold("transcript")).to_contain_text("characters")
    expect(gap).to_have_count(0)
    screen.page.reload()
    screen.wait_for_task(task)
    expect(progress).to_have_text("2 of 2 differences decided")
    screen.press("Control+Enter")
    (merged,) = gold_events(workspace, screen.page, task, "gold_merged")
    fields = merged.fields()
    assert fields["transcript"]["text"] == (
        "# Otters of the Saale\n\nCounting took place on 12 mornings.\n\n"
        "Mean dose: 0.61 ±\u20090.02"
    )
    (choice,) = (choice for choice in fields["choices"] if choice["part"] == "transcript")
    assert choice["how"] == "pick"
    assert [decision["decision"] for decision in choice["text_decisions"]] == ["right", "edited"]
    gold_events(workspace, screen.page, task, "adjudicated")


def test_the_rest_and_a_whole_text_are_taken_at_once(screen: Review) -> None:
    """What was decided stays when the rest is taken; a person's key takes all of theirs."""
    progress = screen.part("text-progress")
    difference(screen, 2).get_by_test_id("take-both").click()
    screen.part("rest-left").click()
    expect(progress).to_have_text("2 of 2 differences decided")
    for side in ("take-left", "take-right"):
        expect(difference(screen, 2).get_by_test_id(side)).to_have_attribute("aria-pressed", "true")
    expect(difference(screen, 1).get_by_test_id("take-left")).to_have_attribute(
        "aria-pressed", "true"
    )
    difference(screen, 1).get_by_test_id("take-left").click()
    expect(progress).to_have_text("1 of 2 differences decided")
    screen.page.locator("[data-part=transcript]").get_by_test_id("take").nth(1).click()
    expect(progress).to_have_text("2 of 2 differences decided")
    expect(difference(screen, 1).get_by_test_id("take-right")).to_have_attribute(
        "aria-pressed", "true"
    )

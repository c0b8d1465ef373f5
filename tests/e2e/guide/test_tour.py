"""The tour of the task screen: once per person, in the first task, beside the time that counts."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from pagetrail.annotation.timing.durations import active_ms
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.guide.conftest import GRADING
from tests.e2e.support.appearance import (
    FULL,
    ZOOMED,
    accessibility_problems,
    expect_in_sight,
)
from tests.e2e.support.screen import PATIENCE_MS, Screen, press, task_path, wait_until
from tests.e2e.support.small_workspace import CAMPAIGN, STUDY, attempts

SEARCH_TITLES = ["The question", "Find pages", "Read and cite pages", "Write the answer", "Submit"]
GRADING_TITLES = [
    "The question",
    "The pages of the task",
    "Read and draw boxes",
    "Fill in what is asked",
    "Submit",
]
FOCUSED = """() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused?.dataset.testid ?? null;
}"""


def open_task(
    screen_of: OpenScreen,
    workspace: Workspace,
    name: str,
    key: str,
    campaign: str = CAMPAIGN,
) -> Screen:
    """A task that begins with the tour, whose question is hidden."""
    path = task_path(attempts(workspace, name, campaign)[key])
    screen = screen_of(name, path=path)
    expect(screen.part("tour")).to_be_visible(timeout=PATIENCE_MS)
    return screen


def focused(page: Page) -> str | None:
    """The test id of what has the focus."""
    value: str | None = page.evaluate(FOCUSED)
    return value


def walk_through(screen: Screen) -> list[str]:
    """Press Enter through all steps; returns their titles."""
    titles = []
    for number in range(1, 6):
        expect(screen.part("tour-position")).to_have_text(f"Step {number} of 5")
        titles.append(screen.part("tour-title").inner_text())
        wait_until(screen.page, lambda: focused(screen.page), lambda part: part == "tour-next")
        screen.page.keyboard.press("Enter")
    expect(screen.part("tour")).to_have_count(0)
    return titles


def test_first_task_begins_with_a_tour_that_takes_no_time(
    screen_of: OpenScreen, workspace: Workspace
) -> None:
    """By keyboard alone; the clock is paused and the question hidden until it is over."""
    screen = open_task(screen_of, workspace, "alma", "q1")
    expect(screen.part("question")).not_to_be_visible()
    expect(screen.page.get_by_role("dialog", name="A short tour")).to_have_accessible_description(
        "Step 1 of 5 The question The question is here. The guidelines, at the bottom left or with "
        "the key i, explain what your campaign asks for. The clock is stopped, and the task is "
        "hidden meanwhile."
    )
    screen.page.keyboard.press("c")
    screen.page.keyboard.press("p")
    assert walk_through(screen) == SEARCH_TITLES
    expect(screen.part("question")).to_be_visible()
    expect(screen.part("pause-overlay")).to_have_count(0)
    screen.search("otters")
    screen.wait_until_saved()
    types = [event.type for event in screen.events()]
    assert types[:3] == ["opened", "paused", "resumed"], types
    assert active_ms(screen.events()[:3]) < 1000

    other = attempts(workspace, "alma")["q2"]
    screen.open(other)
    expect(screen.part("tour")).to_have_count(0)
    screen.open(attempts(workspace, "alma")["q1"])
    expect(screen.part("tour")).to_have_count(0)


def test_steps_follow_the_protocol_and_no_page_opens_before_the_end(
    screen_of: OpenScreen, workspace: Workspace
) -> None:
    screen = open_task(screen_of, workspace, "alma", "graded", GRADING)
    assert walk_through(screen) == GRADING_TITLES
    screen.wait_until_painted(STUDY, 1)
    screen.has("page_viewed")
    types = screen.kinds()
    assert types[:3] == ["opened", "paused", "resumed"], types


def test_skipped_tour_comes_again_from_the_guide(
    screen_of: OpenScreen, workspace: Workspace
) -> None:
    """A reload in between shows it again; skipping, by Esc as well, ends it for good."""
    screen = open_task(screen_of, workspace, "alma", "q1")
    screen.part("tour-next").click()
    screen.page.reload()
    expect(screen.part("tour-position")).to_have_text("Step 1 of 5", timeout=PATIENCE_MS)
    with screen.page.expect_response("**/pagetrail/tour/done"):
        screen.page.keyboard.press("Escape")
    expect(screen.part("tour")).to_have_count(0)
    expect(screen.part("question")).to_be_visible()
    screen.page.goto(f"{screen.url}/guide")
    press(screen.page.get_by_role("button", name="Show the tour again"))
    press(screen.page.get_by_role("link", name="The next task that you open"))
    screen.page.goto(f"{screen.url}{task_path(attempts(workspace, 'alma')['q2'])}")
    expect(screen.part("tour")).to_be_visible(timeout=PATIENCE_MS)
    with screen.page.expect_response("**/pagetrail/tour/done"):
        screen.part("tour-skip").click()
    screen.page.reload()
    screen.wait_until_ready()
    expect(screen.part("tour")).to_have_count(0)


def test_tour_fits_and_is_accessible(screen_of: OpenScreen, workspace: Workspace) -> None:
    """Each of its steps, in both themes, at 100 and 200 %."""
    screen = open_task(screen_of, workspace, "bruno", "q1")
    for number in range(1, 6):
        expect(screen.part("tour-position")).to_have_text(f"Step {number} of 5")
        for size in (ZOOMED, FULL):
            screen.page.set_viewport_size(size)
            expect_in_sight(screen, "tour")
        assert accessibility_problems(screen.page, f"step {number}") == []
        screen.part("tour-next").click()
    expect(screen.part("tour")).to_have_count(0)

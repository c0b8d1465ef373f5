"""axe-core finds nothing on tasks of texts, tables, charts, blind writing and variants; all fits.

In both themes, at 100 and 200 %.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from pagetrail.annotation.events import Event
from tests.e2e.support.appearance import FULL, ZOOMED, accessibility_problems
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.preset_workspace import BLIND, CHART, SUPERVISOR, TABLES, TEXTS, WORDINGS
from tests.e2e.support.record_steps import row
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import PATIENCE_MS, Screen
from tests.e2e.support.server_process import ServerProcess


def show_patch(screen: Screen) -> None:
    """Go to the first patch, with one already decided."""
    expect(screen.part("transcript-editor")).to_be_visible()
    screen.page.get_by_test_id("page-pane").focus()
    screen.page.keyboard.press("j")
    screen.judge("v")
    expect(screen.part("patch-count")).to_have_text("Patch 1 of 2")
    screen.part("patches-closed").click()


def show_rendered(screen: Screen) -> None:
    """The rendered view of the text."""
    expect(screen.part("transcript-editor")).to_be_visible()
    screen.part("view-rendered").click()
    expect(screen.part("rendered-text")).to_be_visible()


def flag_cell(screen: Screen) -> None:
    """A cell with a flag and another one being corrected."""
    screen.page.locator("[data-cell='1,1']").click()
    screen.part("cell-flag").click()
    screen.part("cell-flag-save").click()
    screen.page.locator("[data-cell='2,1']").dblclick()
    expect(screen.part("cell-editor")).to_be_focused()


def ask_about_cell(screen: Screen) -> None:
    """The dialog that asks what is wrong with a cell."""
    screen.page.locator("[data-cell='1,1']").click()
    screen.part("cell-flag").click()
    expect(screen.part("cell-flag-dialog")).to_be_visible()


def write_question(screen: Screen) -> None:
    """A question with its checks."""
    screen.part("question-input").fill("Why were the otters of the Saale counted in spring?")


def merge_labels(screen: Screen) -> None:
    """The dialog that merges the labels of a chart's points, with its preview of all rows."""
    row(screen, 1).get_by_test_id("labels-merge").click()
    screen.part("labels-scope").get_by_label("All rows like it (3 rows)").check()
    expect(screen.part("labels-preview").locator("li")).to_have_count(3)


def leave_unchanged(screen: Screen) -> None:
    """The task as it was opened."""
    expect(screen.part("question")).to_be_visible()


STATES: dict[str, tuple[str, str, Callable[[Screen], None]]] = {
    "patches": (TEXTS, "survey", show_patch),
    "rendered text": (TEXTS, "survey", show_rendered),
    "table": (TABLES, "counts", flag_cell),
    "flag of a cell": (TABLES, "counts", ask_about_cell),
    "blind": (BLIND, "text", write_question),
    "labels": (CHART, "otters", merge_labels),
    "variant": (WORDINGS, "otters-de", leave_unchanged),
}


def problems_of(screen: Screen, name: str) -> list[str]:
    """What axe finds; waits until the page is no wider than the window."""
    problems = accessibility_problems(screen.page, name)
    for size in (ZOOMED, FULL):
        screen.page.set_viewport_size(size)
        wait_for(screen.page, "() => document.documentElement.scrollWidth <= innerWidth")
    return problems


@pytest.mark.parametrize("state", STATES)
def test_task_mode(task_of: TaskOf, state: str) -> None:
    """Each of the modes in use."""
    campaign, key, prepare = STATES[state]
    screen = task_of(key, campaign)
    prepare(screen)
    problems = problems_of(screen, state)
    assert not problems, "\n".join(problems)


def test_rounds(
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    stored: Callable[[str], list[Event]],
) -> None:
    """The table and charts of a campaign of texts in rounds."""
    screen = Screen(new_context().new_page(), server.url, stored)
    screen.sign_in(SUPERVISOR, f"/?campaign={TEXTS}&part=Rounds")
    skeletons = screen.page.get_by_test_id("stSkeleton")
    expect(screen.page.get_by_role("tab", name="Rounds")).to_be_visible()
    expect(skeletons).to_have_count(0, timeout=PATIENCE_MS)
    problems = problems_of(screen, "rounds")
    assert not problems, "\n".join(problems)

"""Every screen in both themes: axe-core reports nothing at 100 and 200 %, and focus is visible.

The browser's console, which the watch reads, stays empty: nothing violates the content policy.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from pagetrail.app.server.navigation import SCREENS
from pagetrail.storage.attempts import queries
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.invitations import invite
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.appearance import accessibility_problems
from tests.e2e.support.focus_pictures import hidden_focus
from tests.e2e.support.home_workspace import ADMIN, FEW
from tests.e2e.support.screen import PATIENCE_MS, Screen, Watch, press, wait_until_drawn
from tests.e2e.support.small_workspace import AIDED, STUDY, attempts

PARTS = ("Setup", "People", "Campaigns", "Batches", "Collection", "Exports")
FIRST_SCREENS = ("batches", "progress")
"""Of annotators and of supervisors: Streamlit knows a person's first screen by no other address."""


def paths(workspace: Workspace) -> dict[str, list[str]]:
    """The addresses of each screen of the navigation, with what it needs to show something."""
    decided, task = (attempts(workspace, "alma", AIDED)[key] for key in ("q1", "evil"))
    reviewed = queries.attempt(workspace.engine, decided).task_id
    queries_of = {
        "progress": [f"?campaign={AIDED}"],
        "reviewing": [f"?task={reviewed}"],
        "task": [f"?attempt={task}&document={STUDY}&page=1"],
        "trajectory": ["", f"?attempt={decided}"],
        "administration": [f"?part={part}" for part in PARTS],
    }
    return {
        screen: [f"/{screen}{query}" for query in queries_of.get(screen, [""])]
        for screen in SCREENS
        if screen  # the first screen has another name as well
    }


def open_path(screen: Screen, path: str) -> None:
    """Open a path and wait until Streamlit has drawn it.

    If the navigation that is on screen leads there, nothing is loaded again.
    """
    page = screen.page
    name, _, query = path.strip("/").partition("?")
    link = page.locator(f"[data-testid=stTopNavLink][href$='/{name}']")
    if not query and link.count():
        press(link)
        expect(link).to_have_attribute("aria-current", "page", timeout=PATIENCE_MS)
    else:
        page.goto(f"{screen.url}/?{query}" if name in FIRST_SCREENS else f"{screen.url}{path}")
    wait_until_drawn(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=PATIENCE_MS)


def problems_of(screen: Screen, addresses: Sequence[str], checked: set[str]) -> list[str]:
    """What is wrong on the screens at these addresses; adds the kinds of controls they have."""
    problems = []
    for path in addresses:
        open_path(screen, path)
        problems += accessibility_problems(screen.page, path)
        problems += [f"{path}: {problem}" for problem in hidden_focus(screen, checked)]
    return problems


def test_screens_of_annotators(screen_of: OpenScreen, workspace: Workspace, watch: Watch) -> None:
    """Without a session, with batches, and in a task with all aids and an open page."""
    token, _ = invite(workspace, None, "annotator")
    watch.allow(r"404 .*/invitation/x", r"status of 404 .*/invitation/x")
    checked: set[str] = set()
    screen = screen_of(FEW)
    addresses = paths(workspace)
    problems = problems_of(screen, addresses["batches"] + addresses["guide"], checked)
    screen.page.context.clear_cookies()
    for path in ("/pagetrail/login", f"/pagetrail/invitation/{token}", "/pagetrail/invitation/x"):
        screen.page.goto(f"{screen.url}{path}")
        problems += accessibility_problems(screen.page, path)
    screen.sign_in("alma")
    problems += problems_of(screen, addresses["task"], checked)
    assert len(checked) >= 30, sorted(checked)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("half", [0, 1])
def test_screens_of_supervisors(screen_of: OpenScreen, workspace: Workspace, half: int) -> None:
    """All others, with work to show."""
    addresses = paths(workspace)
    assert addresses.keys() == set(SCREENS) - {""}
    names = [name for name in addresses if name not in ("batches", "guide", "task")]
    screen = screen_of(ADMIN)
    visited = [path for name in names for path in addresses[name]][half::2]
    checked: set[str] = set()
    problems = problems_of(screen, visited, checked)
    assert len(checked) >= 20, sorted(checked)
    assert not problems, "\n".join(problems)

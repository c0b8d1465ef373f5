"""Every control of every screen shows its focus, and nothing covers it (WCAG 2.4.7, 2.4.11)."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from pagetrail.app.server.navigation import SCREENS
from pagetrail.storage.attempts import queries
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.appearance import SCHEMES
from tests.e2e.support.focus_pictures import hidden_focus
from tests.e2e.support.home_workspace import ADMIN, FEW
from tests.e2e.support.screen import PATIENCE_MS, wait_until_drawn
from tests.e2e.support.small_workspace import attempts

ANNOTATORS = ("batches", "guide", "account", "task")
PARTS = ("Setup", "People", "Campaigns", "Batches", "Collection", "Exports")


def paths(workspace: Workspace) -> dict[str, list[str]]:
    """The addresses of each screen of the navigation, with what it needs to show something."""
    attempt = attempts(workspace, "alma")["q1"]
    task = queries.attempt(workspace.engine, attempt).task_id
    queries_of = {
        "reviewing": [f"?task={task}"],
        "task": [f"?attempt={attempt}"],
        "trajectory": ["", f"?attempt={attempt}"],
        "administration": [f"?part={part}" for part in PARTS],
    }
    return {
        screen: [f"/{screen}{query}" for query in queries_of.get(screen, [""])]
        for screen in SCREENS
        if screen  # the first screen has another name as well
    }


@pytest.mark.parametrize("scheme", SCHEMES)
def test_focus_is_visible(
    screen_of: OpenScreen, workspace: Workspace, scheme: Literal["light", "dark"]
) -> None:
    """With images: at least a line around each control contrasts by 3:1 with what was there."""
    checked: set[str] = set()
    problems = []
    addresses = paths(workspace)
    assert addresses.keys() == set(SCREENS) - {""}
    for name, screens in (
        (FEW, ["batches"]),
        ("alma", ["task"]),
        (ADMIN, [screen for screen in addresses if screen != "task"]),
    ):
        screen = screen_of(name, color_scheme=scheme)
        for path in (path for visited in screens for path in addresses[visited]):
            # Streamlit knows a person's first screen by no other address.
            is_first = path == ("/progress" if name == ADMIN else "/batches")
            screen.page.goto(f"{screen.url}{'/' if is_first else path}")
            wait_until_drawn(screen.page)
            expect(screen.page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=PATIENCE_MS)
            problems += [f"{path}: {problem}" for problem in hidden_focus(screen, checked)]
        screen.page.close()
    assert len(checked) >= 40, sorted(checked)
    assert not problems, "\n".join(problems)

"""axe-core finds nothing on any screen or dialog, in both themes, at 100 and 200 %."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import ViewportSize, expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.screens.test_focus_visible import paths
from tests.e2e.support.appearance import SCHEMES, axe_findings
from tests.e2e.support.home_workspace import ADMIN, FEW
from tests.e2e.support.screen import PATIENCE_MS, Screen, wait_until_drawn

FULL: ViewportSize = {"width": 1366, "height": 768}
ZOOMED: ViewportSize = {"width": 683, "height": 384}
"""What a zoom of 200 % leaves of ``FULL``."""
KEY_OF_DIALOG = {
    "help-dialog": "?",
    "guidelines-dialog": "i",
    "submit-dialog": "Control+Enter",
}


def _findings(screen: Screen, where: str) -> list[str]:
    problems = []
    for size in (ZOOMED, FULL):
        screen.page.set_viewport_size(size)
        wait_until_drawn(screen.page)
        problems += [f"{where} at {size['width']}: {finding}" for finding in axe_findings(screen)]
    return problems


def _dialog_findings(screen: Screen) -> list[str]:
    problems = []
    for dialog, key in KEY_OF_DIALOG.items():
        screen.part("question").click()
        screen.page.keyboard.press(key)
        expect(screen.part(dialog)).to_be_visible()
        problems += _findings(screen, dialog)
        screen.page.keyboard.press("Escape")
        expect(screen.part(dialog)).to_have_count(0)
    return problems


@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_is_found(
    screen_of: OpenScreen, workspace: Workspace, scheme: Literal["light", "dark"]
) -> None:
    """WCAG 2.2 AA and axe's best practices."""
    problems = []
    addresses = paths(workspace)
    for name, screens in (
        (FEW, ["batches"]),
        ("alma", ["task"]),
        (ADMIN, [screen for screen in addresses if screen != "task"]),
    ):
        screen = screen_of(name, color_scheme=scheme)
        for visited in screens:
            for path in addresses[visited]:
                # Streamlit knows a person's first screen by no other address.
                is_first = path == ("/progress" if name == ADMIN else "/batches")
                screen.page.goto(f"{screen.url}{'/' if is_first else path}")
                wait_until_drawn(screen.page)
                skeletons = screen.page.get_by_test_id("stSkeleton")
                expect(skeletons).to_have_count(0, timeout=PATIENCE_MS)
                problems += _findings(screen, path)
            if visited == "task":
                problems += _dialog_findings(screen)
        screen.page.close()
    assert not problems, "\n".join(problems)

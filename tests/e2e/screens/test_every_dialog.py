"""axe-core reports nothing on any dialog or menu, in both themes, at 100 and 200 %.

Dialogs of elements and of pilots are in ``task_modes/test_task_mode_appearance.py``, the tour's in
``guide/test_tour.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.screens.test_every_screen import open_path, paths
from tests.e2e.support.appearance import (
    FULL,
    ZOOMED,
    accessibility_problems,
)
from tests.e2e.support.home_workspace import ADMIN, TIMED, TIMED_PERSON, TIMED_TASK
from tests.e2e.support.screen import Screen, press, wait_until_drawn
from tests.e2e.support.small_workspace import AIDED

KEY_OF_TASK_DIALOG = {
    "help-dialog": "?",
    "guidelines-dialog": "i",
    "flag-dialog": "f",
    "skip-dialog": "s",
    "recent-dialog": "Shift+L",
    "submit-dialog": "Control+Enter",
}
KEY_OF_REVIEW_DIALOG = {"help-dialog": "?", "guidelines-dialog": "i", "return-dialog": "b"}

BUTTONS = {
    "People": (
        *("invite", "add-many", "add-person", "hours-rates"),
        *("profile", "change-role", "reset-password", "rename", "anonymise", "deactivate"),
    ),
    "Campaigns": ("campaign-close", "campaign-archive"),
    "Batches": ("assign", "even", "take-back-", "move-"),
    "Collection": ("discard", "clear-cache"),
    "Exports": ("delete-", "remove-", "export"),
}
"""Keys of the buttons that open dialogs, by part of Administration. After a hyphen comes an id."""


def problems_after_keys(screen: Screen, keys: dict[str, str], focus: Locator) -> list[str]:
    """What is wrong in dialogs that a key opens."""
    problems = []
    for dialog, key in keys.items():
        focus.focus()
        screen.page.keyboard.press(key)
        expect(screen.part(dialog)).to_be_visible()
        problems += accessibility_problems(screen.page, dialog)
        screen.page.keyboard.press("Escape")
        expect(screen.part(dialog)).to_have_count(0)
    return problems


def test_dialogs_of_a_task(screen_of: OpenScreen, workspace: Workspace) -> None:
    """Those that keys open, the menu of tools, the preview of a result, and the batch's end."""
    screen = screen_of("alma", "evil", campaign=AIDED)
    page = screen.page
    screen.search("otters")
    screen.result(1).hover()
    expect(screen.part("preview")).to_be_visible()
    problems = accessibility_problems(page, "preview")
    page.mouse.move(0, 0)
    document, number = screen.open_result(1)
    page.keyboard.press("ArrowLeft")
    screen.wait_until_painted(document, number - 1)
    problems += problems_after_keys(screen, KEY_OF_TASK_DIALOG, screen.part("page-pane"))
    page.set_viewport_size(ZOOMED)
    screen.part("more-tools").click()
    expect(page.get_by_role("group", name="More tools")).to_be_visible()
    problems += accessibility_problems(page, "more tools")
    page.set_viewport_size(FULL)

    screen = screen_of(TIMED_PERSON, TIMED_TASK, campaign=TIMED)
    page = screen.page
    screen.search("otters")
    screen.open_result(1)
    screen.part("pause").click()
    expect(screen.part("pause-overlay")).to_be_visible()
    problems += accessibility_problems(page, "pause-overlay")
    screen.part("resume").click()
    screen.part("cite").click()
    screen.part("answer").fill("42")
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    expect(screen.part("complete-dialog")).to_be_visible()
    problems += accessibility_problems(page, "complete-dialog")
    assert not problems, "\n".join(problems)


def test_dialogs_of_review(screen_of: OpenScreen, workspace: Workspace) -> None:
    """Of a task in conflict, of several tasks, and of a skipped one on Progress."""
    screen = screen_of(ADMIN)
    page, addresses = screen.page, paths(workspace)
    open_path(screen, addresses["reviewing"][0])
    expect(screen.part("matrix").get_by_test_id("part").first).to_be_visible()
    problems = problems_after_keys(screen, KEY_OF_REVIEW_DIALOG, screen.part("review"))
    screen.part("comments").first.click()
    expect(screen.part("comment-dialog")).to_be_visible()
    problems += accessibility_problems(page, "comment-dialog")
    page.keyboard.press("Escape")
    expect(screen.part("comment-dialog")).to_have_count(0)

    open_path(screen, addresses["review"][0])
    press(page.get_by_role("button", name="Accept several…"))
    expect(page.get_by_role("dialog", name="Accept several tasks")).to_be_visible()
    problems += accessibility_problems(page, "Accept several tasks")

    open_path(screen, addresses["progress"][0])
    press(page.get_by_role("button", name="Give to…"))
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    problems += accessibility_problems(page, "Give to…")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("part", BUTTONS)
def test_dialogs_of_administration(screen_of: OpenScreen, part: str) -> None:
    """Each dialog that a button opens; none is confirmed."""
    screen = screen_of(ADMIN)
    page = screen.page
    campaign = "&campaign=Harbour reports" if part == "Batches" else ""
    open_path(screen, f"/administration?part={part}{campaign}")
    if part == "People":
        press(page.get_by_text("Hours and payment"))
        _choose(page, "Person to change", "bruno")
    elif part == "Campaigns":
        _choose(page, "Campaign", AIDED)
    elif part == "Exports":
        _choose(page, "Campaign", AIDED)
        press(page.locator("[class*='st-key-format-scores'] label"))
    problems = _problems_after_buttons(page, BUTTONS[part])
    assert not problems, "\n".join(problems)


def test_dialogs_about_tasks_and_files(screen_of: OpenScreen, tmp_path: Path) -> None:
    """A task is withdrawn, tasks are added, and a campaign is created from tasks or elements."""
    file = tmp_path / "tasks.jsonl"
    file.write_text('{"question": "One?"}\n{"question": ""}', encoding="utf-8")
    screen = screen_of(ADMIN)
    page = screen.page
    open_path(screen, "/administration?part=Campaigns")
    _choose(page, "Campaign", "Harbour reports")
    press(page.get_by_role("radio", name="Tasks", exact=True))
    tables = page.get_by_test_id("stDataFrame")
    expect(tables).to_have_count(2)
    wait_until_drawn(page)
    tables.last.click(position={"x": 16, "y": 53})
    problems = _problems_after_buttons(page, ["task-withdraw"])
    press(page.get_by_role("radio", name="Add tasks"))
    expect(page.locator(".st-key-more-check")).to_be_visible()
    wait_until_drawn(page)
    page.locator("input[type=file]").first.set_input_files(file)
    problems += _problems_after_buttons(page, ["more-check"])

    press(page.get_by_role("button", name="New campaign"))
    page.get_by_role("textbox", name="Name").fill("Sent")
    page.get_by_role("textbox", name="Name").press("Tab")
    _choose(page, "What annotators do", "Verify layout elements (verify)")
    press(page.get_by_text("From a model’s elements instead"))
    for uploader in page.locator("input[type=file]").all():
        uploader.set_input_files(file)
    problems += _problems_after_buttons(page, ["campaign-create", "element-import"])
    assert not problems, "\n".join(problems)


def _choose(page: Page, name: str, option: str) -> None:
    press(page.get_by_role("combobox", name=name))
    press(page.get_by_role("option", name=option, exact=True))
    wait_until_drawn(page)


def _problems_after_buttons(page: Page, keys: Sequence[str]) -> list[str]:
    problems = []
    dialog = page.get_by_role("dialog")
    for key in keys:
        container = f"[class*='st-key-{key}']" if key.endswith("-") else f".st-key-{key}"
        button = page.locator(f"{container} button").first
        expect(button).to_be_enabled()
        press(button)
        expect(dialog).to_be_visible()
        problems += accessibility_problems(page, key)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    return problems

"""Administration in a real browser: clicks that come fast, and a job seen from two tabs."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect
from sqlalchemy import select

from pagetrail.storage.database.tables import Audit
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import press, wait_until_drawn


def part(screen_of: OpenScreen, name: str) -> Page:
    """The supervisor's tab at a part of the screen."""
    page = screen_of("sven", path=f"/administration?part={name}").page
    expect(page.get_by_role("heading", name="Administration")).to_be_visible()
    return page


def audit_actions(workspace: Workspace) -> list[str]:
    """The actions in the audit log."""
    with workspace.engine.connect() as connection:
        return list(connection.execute(select(Audit.action).order_by(Audit.id)).scalars())


def test_a_double_click_takes_a_batch_back_once_and_another_moves(
    screen_of: OpenScreen, workspace: Workspace
) -> None:
    """The dialog's button, hit twice within a moment: one act, one note, no error."""
    page = part(screen_of, "Batches")
    press(page.get_by_role("button", name="Withdraw…").first)
    withdraw = page.get_by_role("dialog").get_by_role("button", name="Withdraw")
    expect(withdraw).to_be_visible()
    wait_until_drawn(page)
    withdraw.dblclick()
    expect(page.get_by_text("was withdrawn from").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("stAlert").filter(has_text="already")).to_have_count(0)
    assert audit_actions(workspace).count("batch_taken_back") == 1

    # Another batch moves: the dialog names who is chosen, and that person gets it.
    press(page.get_by_role("button", name="Move…").first)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("who starts at the first task")
    press(dialog.get_by_role("button", name="Move", exact=True))
    expect(page.get_by_text(" moved to ").first).to_be_visible()
    expect(dialog).to_have_count(0)
    assert audit_actions(workspace)[-1] == "batch_moved"


@contextmanager
def index_locked(workspace: Workspace) -> Iterator[None]:
    """Hold the index lock, so that an indexing job cannot end during the test."""
    with (workspace.index_dir / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_a_job_is_seen_from_every_tab_and_after_a_reload(
    screen_of: OpenScreen, workspace: Workspace
) -> None:
    """Paused in one tab, it is stopped in the other after a reload, and goes on from there."""
    first = part(screen_of, "Collection")
    with index_locked(workspace):
        press(first.get_by_role("button", name="Rebuild"))
        press(first.get_by_role("button", name="Pause"))
        expect(first.get_by_role("button", name="Resume")).to_be_visible()
        second = part(screen_of, "Collection")
        second.reload()
        press(second.get_by_role("button", name="Resume"))
        for page in (first, second):
            expect(page.get_by_role("button", name="Pause")).to_be_visible()
    for page in (first, second):
        expect(page.get_by_text("The index has")).to_be_visible()
    assert audit_actions(workspace).count("index_build_started") == 1

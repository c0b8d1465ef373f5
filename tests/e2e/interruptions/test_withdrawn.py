"""Work done offline reaches the supervisor even if the batch was withdrawn meanwhile."""

from __future__ import annotations

from playwright.sync_api import expect

from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.decisions_above import is_withdrawal_shown
from pagetrail.storage.attempts.unsent_work import unsent_events
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Watch, press, wait_until
from tests.e2e.support.server_process import CONNECTION_LOST
from tests.e2e.support.small_workspace import SINGLE

LATE = "57, written while cut off"


def test_a_supervisor_reads_what_came_too_late(
    screen_of: OpenScreen, workspace: Workspace, watch: Watch
) -> None:
    """It is kept, said to be no part of the work, and not in the log."""
    watch.allow(*CONNECTION_LOST)
    screen, cut_off = (screen_of("alma", "q1", campaign=SINGLE) for _ in range(2))
    attempt = screen.attempt
    screen.has("opened", 2)
    cut_off.wait_until_saved()
    cut_off.page.context.set_offline(True)
    cut_off.part("answer").fill(LATE)
    expect(cut_off.part("connection")).to_have_text("Offline – 1 change waiting")
    assignment = queries.attempt(workspace.engine, attempt).assignment_id
    assert assignment is not None
    withdraw_batch(workspace, assignment, started=True)
    expect(screen.part("banner-withdrawn")).to_be_visible()
    wait_until(screen.page, lambda: is_withdrawal_shown(workspace.engine, assignment), bool)
    cut_off.page.context.set_offline(False)
    expect(cut_off.part("banner-withdrawn")).to_be_visible()
    wait_until(cut_off.page, lambda: unsent_events(workspace.engine, assignment), bool)
    assert "answer_edited" not in screen.kinds(attempt)

    page = screen_of("sven", path=f"/administration?part=Batches&campaign={SINGLE}").page
    panel = page.get_by_test_id("stExpander").filter(has_text="not accepted")
    press(panel.get_by_text("not accepted"))
    expect(panel.get_by_text("From alma, received after the batch was withdrawn")).to_be_visible()
    expect(panel.get_by_text(LATE)).to_be_visible()

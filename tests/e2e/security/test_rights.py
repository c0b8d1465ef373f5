"""People cannot open what is not theirs, even by its address."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Watch, press, task_path
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import CAMPAIGN, PASSWORD, STUDY, attempts


def test_supervisors_screens_and_others_tasks(screen_of: OpenScreen, workspace: Workspace) -> None:
    """An annotator gets sentences instead of progress, trajectories and other people's work."""
    bruno = attempts(workspace, "bruno", CAMPAIGN)["q1"]
    screen = screen_of("alma", "q1")
    page = screen.page
    for path in ("/progress", "/results", "/trajectory", f"/trajectory?attempt={bruno}"):
        page.goto(f"{screen.url}{path}")
        expect(page.get_by_text("This page is for supervisors.")).to_be_visible()
        expect(page.get_by_role("link", name="Results")).to_have_count(0)
        expect(page.get_by_test_id("stDataFrame")).to_have_count(0)
        expect(page.get_by_text("Submitted")).to_have_count(0)
        expect(page.get_by_text("bruno")).to_have_count(0)
    page.goto(f"{screen.url}{task_path(bruno)}")
    expect(page.get_by_role("heading", name="This task cannot be opened")).to_be_visible()
    expect(screen.part("question")).to_have_count(0)
    assert screen.events(bruno) == []


def test_signed_out_deep_link_returns_after_sign_in(
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    workspace: Workspace,
    watch: Watch,
) -> None:
    """Without a session every address leads to sign-in, and from there to where it was meant."""
    watch.allow(r"40[13] (GET|POST) .*/pagetrail/", r"status of 40[13]")
    page = new_context().new_page()
    attempt = attempts(workspace, "alma", CAMPAIGN)["q2"]
    path = task_path(attempt, STUDY, 2)
    page.goto(f"{server.url}{path}")
    expect(page).to_have_url(re.compile(r"/pagetrail/login\?next="))
    assert page.request.get(f"{server.url}/pagetrail/attempts/{attempt}").status == 401
    page.get_by_label("Name").fill("alma")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("Name and password do not match.")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("region", name=f"Page 2 of {STUDY}")).to_be_visible()
    page.goto(f"{server.url}/account")
    press(page.get_by_role("button", name="Sign out"))
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.goto(f"{server.url}/progress")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()

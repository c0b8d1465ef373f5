"""Screens without a web socket, and screens that outlive their session."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.login_sessions import close_session
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Screen, Watch, press, wait_until
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import CAMPAIGN, PASSWORD, STUDY, attempts

SESSION = "pagetrail_session"


def test_a_blocked_web_socket_is_explained(
    screen_of: OpenScreen, server: ServerProcess, watch: Watch
) -> None:
    """On the screen, with what to tell the operator, and in the log."""
    page = screen_of("alma", path="/account").page
    page.route_web_socket(re.compile("/_stcore/stream"), lambda socket: socket.close())
    page.goto(f"{server.url}/batches")
    expect(page.get_by_role("alert")).to_contain_text("headers Upgrade and Connection")
    wait_until(page, lambda: server.log, lambda log: "not by web socket" in log)


def test_back_after_signing_out_leads_to_the_sign_in_page(
    screen_of: OpenScreen, watch: Watch
) -> None:
    """Not to an empty screen that waits for a web socket."""
    watch.allow("40[13]", "WebSocket on(error|close)")
    page = screen_of("alma", path="/account").page
    press(page.get_by_role("button", name="Sign out"))
    expect(page).to_have_url(re.compile("/pagetrail/login"))
    page.go_back()
    expect(page).to_have_url(re.compile("/pagetrail/login"))
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_an_ended_session_is_explained_and_its_place_is_kept(
    screen_of: OpenScreen, workspace: Workspace, watch: Watch
) -> None:
    """On a screen that the server draws, and on a task, which opens again at its page."""
    watch.allow("40[13]", "WebSocket on(error|close)")
    screen = screen_of("alma", path="/account")
    _end_session(screen, workspace)
    _sign_in_again(screen)
    expect(screen.page).to_have_url(f"{screen.url}/account")

    attempt = attempts(workspace, "alma", CAMPAIGN)["q2"]
    screen.open(attempt, document=STUDY, page=2)
    _end_session(screen, workspace)
    _sign_in_again(screen)
    expect(screen.page.get_by_role("region", name=f"Page 2 of {STUDY}")).to_be_visible()


def _end_session(screen: Screen, workspace: Workspace) -> None:
    cookies = {cookie["name"]: cookie["value"] for cookie in screen.page.context.cookies()}
    close_session(workspace, cookies[SESSION])


def _sign_in_again(screen: Screen) -> None:
    page = screen.page
    expect(page).to_have_url(re.compile("/pagetrail/login"))
    expect(page.get_by_role("status")).to_contain_text("Your session has ended")
    page.get_by_label("Name").fill("alma")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()

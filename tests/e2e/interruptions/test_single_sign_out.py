"""Signing out at the certified provider while a task is open here."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx2
import pytest
from playwright.sync_api import expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Watch, task_path
from tests.e2e.support.server_process import CONNECTION_LOST, ServerProcess
from tests.e2e.support.small_workspace import PASSWORD
from tests.oidc.conftest import running_provider, set_up


@pytest.fixture
def issuer(port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The provider, which reports sign-outs to this test's server."""
    here = f"http://127.0.0.1:{port}/pagetrail/oidc"
    with running_provider(f"{here}/callback") as (issuer, tampering):
        set_up(monkeypatch, issuer)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        tampering.sign_out = lambda content: httpx2.post(
            f"{here}/back-channel", content=content, headers=form
        ).raise_for_status()
        yield issuer


@pytest.fixture
def server(workspace: Workspace, port: int, issuer: str) -> Iterator[ServerProcess]:
    """Signs people in with the provider."""
    with ServerProcess(workspace.root, port) as process:
        yield process


def test_an_open_task_is_left(
    screen_of: OpenScreen, server: ServerProcess, issuer: str, watch: Watch
) -> None:
    """The page of the document goes, and the sign-in page comes."""
    watch.allow("40[134]", "WebSocket on(error|close)", "fonts", *CONNECTION_LOST)
    screen = screen_of("alma", "q3")
    page, task = screen.page, task_path(screen.attempt)
    page.goto(f"{server.url}/pagetrail/oidc/start?connect=1&next={task}")
    page.get_by_placeholder("Enter any login").fill("anna")
    page.get_by_placeholder("and password").fill("x")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Name").fill("alma")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Anna Berg").check()
    page.get_by_role("button", name="Connect it").click()
    screen.wait_until_ready()
    screen.search("otters")
    screen.open_result(1)
    screen.wait_until_saved()
    other_tab = page.context.new_page()
    other_tab.goto(f"{issuer}/session/end")
    other_tab.get_by_role("button", name="Yes, sign me out").click()
    expect(page).to_have_url(re.compile("/pagetrail/login"))
    expect(page.get_by_role("status")).to_contain_text("Your session has ended")

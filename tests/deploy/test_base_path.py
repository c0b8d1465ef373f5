"""A workspace below a path of a site, through nginx, in a browser."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.deploy.proxies import need, plain_nginx
from tests.deploy.servers import answers, wait
from tests.e2e.support import small_workspace
from tests.e2e.support.browsers import ARGUMENTS, find_browser
from tests.e2e.support.screen import PATIENCE_MS, Watch, press
from tests.e2e.support.server_process import free_port

BASE = "/lab/pagetrail"
_LOCATION = """\
location {base}/ {{
	proxy_pass http://127.0.0.1:{port};
	proxy_http_version 1.1;
	proxy_set_header Host $http_host;
	proxy_set_header Upgrade $http_upgrade;
	proxy_set_header Connection $http_connection;
}}
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address below which nginx offers the workspace, without a slash at its end."""
    need("nginx")
    small_workspace.build(tmp_path).engine.dispose()
    port, log = free_port(), tmp_path / "server.log"
    command = [sys.executable, "-m", "pagetrail", "serve", str(tmp_path / "ws")]
    command += ["--port", str(port), "--base-path", f"{BASE}/", "--no-tour"]
    environment = os.environ | {"PAGETRAIL_URL": ""}
    with log.open("wb") as output:
        server = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
    try:
        wait(lambda: answers(port, "/readyz"), log)
        with plain_nginx(tmp_path, _LOCATION.format(base=BASE, port=port)) as proxy:
            yield f"http://localhost:{proxy}{BASE}"
        assert "Traceback" not in log.read_text(errors="replace")
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture
def page() -> Iterator[Page]:
    """A browser's tab; an unexpected problem in it fails the test."""
    program = find_browser()
    if program is None:
        pytest.skip("no browser is installed")
    expect.set_options(timeout=PATIENCE_MS)
    watch = Watch()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        context = browser.new_context(locale="en-GB")
        watch.context(context)
        yield context.new_page()
        browser.close()
    assert not watch.unexpected, "\n".join(watch.unexpected)


def test_everything_is_below_the_path(site: str, page: Page) -> None:
    """Sign-in, screens, a task with its page, sign-out; cookies go to no other part of the site."""
    page.goto(f"{site}/")
    expect(page).to_have_url(re.compile(rf"{BASE}/pagetrail/login\?next="))
    page.get_by_label("Name").fill("alma")
    page.get_by_label("Password").fill(small_workspace.PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Shortcut N")).to_be_visible()
    own = [cookie for cookie in page.context.cookies() if cookie["name"].startswith("pagetrail")]
    assert {cookie["path"] for cookie in own} == {f"{BASE}/"}
    page.get_by_role("button", name="Shortcut N").click()
    expect(page.get_by_test_id("question")).not_to_be_empty()
    expect(page.get_by_test_id("connection")).to_have_text("Online")
    assert page.url.startswith(f"{site}/task")
    page.goto(f"{site}/account")
    press(page.get_by_role("button", name="Sign out"))
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.url.startswith(f"{site}/pagetrail/login")

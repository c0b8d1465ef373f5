"""A real browser and a real server; unexpected problems in either fail the test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from pagetrail.annotation.events import Event
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support import journeys
from tests.e2e.support import small_workspace as collection
from tests.e2e.support.browsers import (
    ARGUMENTS,
    BROWSERS,
    SIZE,
    ContextPool,
    find_browser,
)
from tests.e2e.support.screen import PATIENCE_MS, Screen, Watch, task_path
from tests.e2e.support.server_process import ServerProcess, free_port
from tests.support.built_once import built_once, closed, demo_folder

OpenScreen = Callable[..., Screen]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser; without one the tests are skipped, but fail in CI."""
    program = find_browser()
    if program is None:
        reason = f"no browser: none of {', '.join(BROWSERS)} is installed"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def port() -> int:
    """The port of every test's server: the same, so that the browser's cache stays valid."""
    return free_port()


@pytest.fixture(scope="package")
def contexts(chromium: Browser, port: int) -> ContextPool:
    """Contexts for tests with a server of their own."""
    return ContextPool(chromium, f"http://127.0.0.1:{port}")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace's folder, made once; each test works on a copy."""
    return built_once(tmp_path_factory, "small", closed(collection.build)) / "ws"


@pytest.fixture(scope="package")
def demo_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo workspace with two new people, made once for the journeys."""

    def prepare(folder: Path) -> Workspace:
        copytree(demo_folder(tmp_path_factory) / "ws", folder / "ws")
        return journeys.prepare(folder / "ws")

    built = built_once(tmp_path_factory, "journeys", closed(prepare))
    return copytree(built / "ws", tmp_path_factory.mktemp("demo") / "ws")


@pytest.fixture(scope="package")
def demo(
    chromium: Browser, demo_root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[journeys.Site]:
    """The demo's server, shared by the journeys; each uses a different campaign."""
    workspace = Workspace.open(demo_root)
    with ServerProcess(demo_root) as process:
        site = journeys.Site(workspace, process, chromium, tmp_path_factory.mktemp("exports"))
        yield site
        site.close()
    assert "Traceback" not in process.log, process.log
    workspace.engine.dispose()


@pytest.fixture
def site(demo: journeys.Site) -> Iterator[journeys.Site]:
    """The demo in a browser; an unexpected problem fails the journey in which it occurs."""
    demo.watch.problems.clear()
    yield demo
    assert not demo.watch.unexpected, "\n".join(demo.watch.unexpected)


@pytest.fixture
def workspace(template: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of the template, opened to read what the server stored."""
    opened = Workspace.open(copytree(template, tmp_path / "ws"))
    yield opened
    opened.engine.dispose()


@pytest.fixture
def server(workspace: Workspace, port: int) -> Iterator[ServerProcess]:
    """A server for the workspace; a traceback in its log fails the test."""
    with ServerProcess(workspace.root, port) as process:
        yield process
    assert "Traceback" not in process.log, process.log


@pytest.fixture
def stored(workspace: Workspace) -> Callable[[str], list[Event]]:
    """Reads an attempt's events from the workspace's database."""
    log = SqlEventLog(workspace.engine)
    return lambda attempt: list(log.events(attempt))


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Problems in the browser; those that the test did not allow fail it."""
    watching = Watch()
    yield watching
    assert not watching.unexpected, "\n".join(watching.unexpected)


@pytest.fixture
def new_context(
    contexts: ContextPool, watch: Watch, server: ServerProcess
) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts with empty profiles; they are given back before the server stops."""
    taken_contexts: list[BrowserContext] = []

    def take(**options: Any) -> BrowserContext:
        context = contexts.take(**{"viewport": SIZE, "locale": "en-GB", **options})
        context.set_default_timeout(PATIENCE_MS)
        watch.context(context)
        taken_contexts.append(context)
        return context

    yield take
    for context in taken_contexts:
        contexts.give_back(context)
        watch.leave(context)


@pytest.fixture
def account_of() -> Callable[[str], str]:
    """Returns a person's account name in this test: the same name on a server of its own."""
    return str


@pytest.fixture
def screen_of(
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    workspace: Workspace,
    stored: Callable[[str], list[Event]],
    account_of: Callable[[str], str],
) -> OpenScreen:
    """Opens a task as a person: ``screen_of("alma", "q1")``; without a key, opens ``path``."""

    def make(
        name: str,
        key: str | None = None,
        *,
        campaign: str = collection.CAMPAIGN,
        context: BrowserContext | None = None,
        path: str = "/",
        **options: Any,
    ) -> Screen:
        name = account_of(name)
        signed_in = context is not None
        context = context or new_context(**options)
        screen = Screen(context.new_page(), server.url, stored)
        if key is not None:
            path = task_path(collection.attempts(workspace, name, campaign)[key])
        if signed_in:
            screen.page.goto(f"{server.url}{path}")
        else:
            screen.sign_in(name, path)
        if key is not None:
            screen.wait_until_ready()
        return screen

    return make


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """``-m "not browser"`` leaves out what needs one."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)

"""The server is replaced by another version while somebody works, as an upgrade does it."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import Response, expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.interruptions.test_interruptions import check_gapless, last_text
from tests.e2e.support.screen import Watch, of_type, wait_until
from tests.e2e.support.server_process import CONNECTION_LOST, ServerProcess
from tests.e2e.support.small_workspace import attempts

OTHER = "0123456789abcdef"
ASSETS = "/pagetrail/assets/"


def test_an_open_screen_outlives_an_upgrade(
    screen_of: OpenScreen, server: ServerProcess, workspace: Workspace, watch: Watch
) -> None:
    """It goes on with the code that it has; with the next task it is loaded again, once.

    What was typed meanwhile is stored once, and nothing is asked of the new server that only the
    old one had.
    """
    watch.allow(*CONNECTION_LOST)
    screen = screen_of("alma", "q1")
    screen.part("answer").fill("typed before")
    screen.wait_until_saved()
    modules: list[tuple[str, int]] = []

    def note(response: Response) -> None:
        path = urlsplit(response.url).path
        if path.startswith(ASSETS):
            modules.append((path.removeprefix(ASSETS).partition("/")[0], response.status))

    screen.page.on("response", note)
    server.kill()
    screen.part("answer").fill("typed while it was away")
    server.version = OTHER
    server.start()
    screen.wait_for_events(lambda events: len(of_type(events, "answer_edited")) == 2)
    assert last_text(check_gapless(screen.events())) == "typed while it was away"
    screen.part("answer").fill("typed after it")
    screen.wait_for_events(lambda events: len(of_type(events, "answer_edited")) == 3)
    assert modules == []
    screen.go(attempts(workspace, "alma")["q2"])
    wait_until(screen.page, lambda: modules, bool)
    screen.wait_until_ready()
    expect(screen.part("question")).to_have_count(1)
    screen.part("answer").fill("in the next task")
    screen.wait_for_events(lambda events: len(of_type(events, "answer_edited")) == 1)
    assert set(modules) == {(OTHER, 200)}

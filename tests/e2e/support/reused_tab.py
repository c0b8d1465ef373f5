"""One tab for many tests: each gets a fresh task without loading the screen again.

Loading it takes three seconds of processor time, going from one task to the next a tenth of that.
A tab that a test leaves in another state is closed, and the next test gets a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import pytest

from pagetrail.annotation.events import Event
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user, find_person
from tests.e2e.support.browsers import SIZE, ContextPool
from tests.e2e.support.screen import PATIENCE_MS, Screen, Watch, task_path
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import PASSWORD
from tests.support.campaigns import add_campaign

PERSON = "dora"
COPIES = 36
"""Of each task: as many as a package has tests of it, and more."""
_CLEAN = """() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  focused?.blur();
  const open = (root) => [...root.querySelectorAll("*")].some(
    (e) => e.matches("dialog[open]") || (e.shadowRoot && open(e.shadowRoot)));
  const { snap, ...layout } = JSON.parse(localStorage.getItem("pagetrail:layout") ?? "{}");
  return !open(document) && !Object.keys(layout).length;
}"""

TaskOf = Callable[..., Screen]
"""Opens a task of this key in a campaign: ``task_of("t1", DRAWING)``; options are the context's."""


def add_person(workspace: Workspace) -> None:
    """Add the person who gets all copies of tasks; add others after the import."""
    add_user(workspace, PERSON, "annotator", PASSWORD)


def import_copies(
    workspace: Workspace,
    campaign: str,
    protocol: Any,
    settings: dict[str, Any],
    rows: Sequence[dict[str, Any]],
    count: int = COPIES,
    guidelines: str = "",
) -> None:
    """Import copies of tasks as a campaign; each batch holds one copy of each row."""
    copies = [_copy(row, n) for n in range(count) for row in rows]
    add_campaign(
        workspace,
        _of_copies(campaign),
        copies,
        protocol=protocol,
        settings=settings,
        guidelines=guidelines,
        batch_size=len(rows),
        overlap=1,
        seed=3,
    )


def _copy(row: dict[str, Any], number: int) -> dict[str, Any]:
    """A copy of a task; variants of one question stay together."""
    names = [name for name in ("id", "variant_of") if name in row]
    return row | {name: f"{row[name]}#{number}" for name in names}


def _of_copies(campaign: str) -> str:
    return f"{campaign} (copies)"


class ReusedTab:
    """The tab, opened with the first task.

    Args:
        contexts: of the server's address.
        workspace: made with ``import_copies``.
    """

    def __init__(self, contexts: ContextPool, url: str, workspace: Workspace) -> None:
        self._contexts, self._url, self._workspace = contexts, url, workspace
        self._log = SqlEventLog(workspace.engine)
        self._services = Services(workspace)
        self._used: dict[str, Iterator[int]] = {}
        self._screen: Screen | None = None
        self._options: dict[str, Any] = {}

    def open(self, key: str, campaign: str, watch: Watch, options: dict[str, Any]) -> Screen:
        """The next copy of a task; a tab whose context has other options is closed first."""
        attempt = self._attempt(key, campaign)
        if options != self._options:
            self.close()
            self._options = options
        if self._screen is not None:
            watch.context(self._screen.page.context)
            watch.page(self._screen.page)
            self._screen.go(attempt)
            return self._screen
        context = self._contexts.take(viewport=SIZE, locale="en-GB", **options)
        context.set_default_timeout(PATIENCE_MS)
        watch.context(context)
        self._screen = Screen(context.new_page(), self._url, self._events)
        self._screen.sign_in(PERSON, task_path(attempt))
        self._screen.wait_until_ready()
        return self._screen

    def leave(self, watch: Watch, *, failed: bool) -> None:
        """After a test, close the tab unless it is in its initial state."""
        if self._screen is None:
            return
        page, context = self._screen.page, self._screen.page.context
        page.unroute_all()
        is_last_page = context.pages[-1] == page
        unusual = Watch(watch.problems).unexpected  # also what the test has allowed
        if failed or unusual or not is_last_page or not self._clean():
            self.close()
        watch.leave(context)

    def _clean(self) -> bool:
        assert self._screen is not None
        page = self._screen.page
        if page.viewport_size != SIZE:
            page.set_viewport_size({"width": SIZE["width"], "height": SIZE["height"]})
        page.emulate_media(color_scheme="light")
        if not page.evaluate(_CLEAN):
            page.keyboard.press("Escape")
        return bool(page.evaluate(_CLEAN))

    def close(self) -> None:
        """Close the tab."""
        if self._screen is not None:
            context = self._screen.page.context
            self._screen = None
            self._contexts.give_back(context)

    def _events(self, attempt: str) -> list[Event]:
        return list(self._log.events(attempt))

    def _attempt(self, key: str, campaign: str) -> str:
        person = find_person(self._workspace, PERSON)
        rows = [
            row
            for row in my_batches.assignments(self._workspace.engine, person.id)
            if row.campaign == _of_copies(campaign)
        ]
        row = rows[next(self._used.setdefault(campaign, count()))]
        open_assignment(self._services, person, row.assignment_id)
        tasks = queries.batch_tasks(self._workspace.engine, row.assignment_id)
        (attempt_id,) = (task.attempt_id for task in tasks if task.key.partition("#")[0] == key)
        return attempt_id


@pytest.fixture(scope="package")
def reused_tab(
    contexts: ContextPool, shared_server: ServerProcess, workspace: Workspace
) -> Iterator[ReusedTab]:
    """The tab of the package's tests."""
    tab = ReusedTab(contexts, shared_server.url, workspace)
    yield tab
    tab.close()


@pytest.fixture
def task_of(
    reused_tab: ReusedTab, server: ServerProcess, watch: Watch, request: pytest.FixtureRequest
) -> Iterator[TaskOf]:
    """Opens a task in the tab, once in a test."""
    before = request.session.testsfailed
    yield lambda key, campaign, **options: reused_tab.open(key, campaign, watch, options)
    reused_tab.leave(watch, failed=request.session.testsfailed > before)
